// A custom tool: it works on the files of any prompt, and is tested without a model.
// Exits with an error if a result is not as expected.
import assert from "node:assert/strict";
import { InMemoryFilesystem, isFilesystemError } from "@wink/filesystem";
import { defineTool, fail, MarkdownSection, ok, Prompt, PromptTemplate } from "@wink/prompt";
import { renderResult } from "@wink/prompt/adapter";
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
      // Tell the model what it can do. The loop handles every other error.
      if (!isFilesystemError(error, "ENOENT")) throw error;
      return fail(`'${path}' does not exist.`, { hint: "Use ls to list the files." });
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
assert.deepEqual(missing, fail("'lib' does not exist.", { hint: "Use ls to list the files." }));

// In a prompt it works on the files of the workspace section, together with that section's tools.
const session = new Session();
const workspace = await VfsToolsSection.create({ session, filesystem });
const task = new MarkdownSection({
  key: "task",
  title: "Task",
  template: "Finish everything marked TODO.",
  tools: [countTodos],
});
const prompt = new Prompt(
  new PromptTemplate({ ns: "examples", key: "todos", sections: [task, workspace] }),
);
const { tools } = prompt.bind().render({ session });
console.log(`\nThe model has: ${tools.map((tool) => tool.name).join(", ")}`);
assert.equal(tools.find((tool) => tool.name === "count_todos")?.filesystem, filesystem);
assert.equal(tools.length, 11);
