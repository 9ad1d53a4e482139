// A tool of one's own: it works on whatever files the prompt has, and is tested without a model.
// Ends with an error when something is not as it says.
import assert from "node:assert/strict";
import { InMemoryFilesystem, isFilesystemError } from "@wink/filesystem";
import {
  defineTool,
  fail,
  MarkdownSection,
  ok,
  Prompt,
  PromptTemplate,
  renderResult,
} from "@wink/prompt";
import { createToolContext } from "@wink/prompt/testing";
import { Session } from "@wink/session";
import { VfsToolsSection } from "@wink/tools";
import { z } from "zod";

const countTodos = defineTool({
  name: "count_todos",
  description: "Count TODO comments, by file.",
  input: z.object({ path: z.string().default(".").describe("The directory to look in.") }),
  access: "read",
  async handler({ path }, { filesystem, signal }) {
    try {
      const matches = await filesystem.grep("TODO", { path, signal });
      const byFile = new Map<string, number>();
      for (const match of matches) byFile.set(match.path, (byFile.get(match.path) ?? 0) + 1);
      const counts = [...byFile].map(([file, count]) => ({ file, count }));
      return ok(counts, `${matches.length} TODOs in ${counts.length} files.`);
    } catch (error) {
      // Say what the model can do about it; anything else is for the loop to deal with.
      if (!isFilesystemError(error, "ENOENT")) throw error;
      return fail(`There is no '${path}' here.`, { hint: "Use ls to see what is there." });
    }
  },
  render: (counts) => counts.map(({ file, count }) => `${file}: ${count}`).join("\n"),
});

// It is tested like any function, with files in memory.
const filesystem = new InMemoryFilesystem({
  files: {
    "src/a.ts": "// TODO one\n// TODO two\n",
    "src/b.ts": "// TODO three\n",
    "c.md": "done\n",
  },
});
const context = createToolContext({ filesystem });
const answer = renderResult(countTodos, await countTodos.handler({ path: "src" }, context));
console.log(answer);
assert.equal(answer, "3 TODOs in 2 files.\n\nsrc/a.ts: 2\nsrc/b.ts: 1");
const missing = await countTodos.handler({ path: "lib" }, context);
assert.deepEqual(
  missing,
  fail("There is no 'lib' here.", { hint: "Use ls to see what is there." }),
);

// In a prompt it sees the files of the workspace section, beside the tools that come with it.
const session = new Session();
const workspace = await VfsToolsSection.create({ session, filesystem });
const task = new MarkdownSection({
  key: "task",
  title: "Task",
  template: "Finish what is marked TODO.",
  tools: [countTodos],
});
const prompt = new Prompt(
  new PromptTemplate({ ns: "examples", key: "todos", sections: [task, workspace] }),
);
const { tools } = prompt.bind().render({ session });
console.log(`\nThe model has: ${tools.map((tool) => tool.name).join(", ")}`);
assert.equal(tools.find((tool) => tool.name === "count_todos")?.filesystem, filesystem);
assert.equal(tools.length, 11);
