/** An agent whose process is killed in its second call, and that then asks a person. */
export const RESUMED_AGENT = `import { existsSync, writeFileSync } from "node:fs";
import { defineAgent } from "@wink/cli";
import { defineTool, MarkdownSection, ok, Prompt, PromptTemplate } from "@wink/prompt";
import { z } from "zod";

const append = defineTool({
  name: "append", description: "Append a line.", access: "write", effects: "workspace",
  input: z.object({ line: z.string() }),
  async handler({ line }, { filesystem }) {
    const { content } = await filesystem.read("notes.txt");
    await filesystem.write("notes.txt", content + line + "\\n", { mode: "overwrite" });
    const marker = process.env.WINK_MARKER;
    if (line === "two" && !existsSync(marker)) {
      writeFileSync(marker, "killed");
      process.kill(process.pid, "SIGKILL");
      await new Promise(() => {});
    }
    return ok(undefined, "Appended " + line + ".");
  },
});
const ask = defineTool({
  name: "ask", description: "Ask a person.", access: "session", effects: "workspace",
  input: z.object({}),
  async handler(_, { park }) {
    return ok(undefined, "Answer: " + JSON.stringify(await park({ kind: "approval", text: "Go on?" })));
  },
});
const call = (tool, input = {}) => ({ calls: [{ tool, input }] });
export const agent = defineAgent({
  params: z.object({ name: z.string() }),
  prompt: ({ workspace, params }) =>
    new Prompt(new PromptTemplate({
      ns: "tests", key: "resume",
      sections: [
        new MarkdownSection({
          key: "task", title: "Task", params: z.object({ name: z.string() }),
          template: "Work for \${name}.", tools: [append, ask],
        }),
        workspace,
      ],
    })).bind({ task: params }),
  script: [
    call("append", { line: "one" }), call("append", { line: "two" }), call("ask"),
    call("append", { line: "three" }), { text: "Done." },
  ],
});
`;
