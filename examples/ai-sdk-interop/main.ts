// A loop of the AI SDK with the tools of a WINK prompt: a call that fails is rolled back completely.
// Exits with an error if a result is not as expected.
import assert from "node:assert/strict";
import { toAiSdkTools } from "@wink/adapters/ai-sdk";
import { defineTool, fail, MarkdownSection, ok, Prompt, PromptTemplate } from "@wink/prompt";
import { Session } from "@wink/session";
import { VfsToolsSection } from "@wink/tools";
import { generateText, stepCountIs } from "ai";
import { z } from "zod";
import { createOfflineModel } from "./offline-model.js";

const renameAll = defineTool({
  name: "rename_all",
  description: "Replace a word in every file.",
  input: z.object({ from: z.string(), to: z.string() }),
  access: "write",
  async handler({ from, to }, { filesystem, signal }) {
    const matches = await filesystem.grep(from, { literal: true, signal });
    const paths = [...new Set(matches.map((match) => match.path))];
    for (const path of paths) {
      const { content } = await filesystem.read(path, { signal });
      if (content.includes("@generated"))
        return fail(`'${path}' is generated and must not be edited.`);
      await filesystem.write(path, content.replaceAll(from, to), { signal });
    }
    return ok({ files: paths.length }, `Renamed in ${paths.length} files.`);
  },
});

const session = new Session();
const workspace = await VfsToolsSection.create({
  session,
  files: {
    "a.ts": "export const total = 1;\n",
    "b.ts": "// @generated\nexport const total = 2;\n",
  },
});
const task = new MarkdownSection({
  key: "task",
  title: "Task",
  template: "Rename `total` to `sum`.",
  tools: [renameAll],
});
const template = new PromptTemplate({
  ns: "examples",
  key: "renamer",
  sections: [task, workspace],
});
await using prompt = new Prompt(template).bind({});

// The loop, the model and the stop condition are the AI SDK's; any model of its providers works.
const result = await generateText({
  model: createOfflineModel(),
  tools: await toAiSdkTools(prompt, session),
  system: prompt.render({ session }).text,
  prompt: "Go ahead.",
  stopWhen: stepCountIs(10),
});

for (const { content } of result.steps)
  for (const part of content) {
    if (part.type === "tool-error")
      console.log(`${part.toolName} failed: ${messageOf(part.error)}`);
    if (part.type === "tool-result")
      console.log(`${part.toolName}: ${part.output.text.split("\n")[0]}`);
  }
console.log(result.text);
console.log(`\n${(await workspace.changes().toPatch()).trimEnd()}`);

const failures = result.steps.flatMap(({ content }) =>
  content.filter(({ type }) => type === "tool-error"),
);
assert.equal(failures.length, 1);
// The failed call had written `a.ts` before it failed at `b.ts`. That write is rolled back.
assert.deepEqual(
  (await workspace.changes().files()).map(({ type, path }) => `${type} ${path}`),
  ["modified a.ts"],
);
assert.equal((await workspace.filesystem.read("a.ts")).content, "export const sum = 1;\n");

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
