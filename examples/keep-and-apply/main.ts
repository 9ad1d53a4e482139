import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ScriptedAdapter } from "@wink/adapters/scripted";
import { MarkdownSection, Prompt, PromptTemplate } from "@wink/prompt";
import { Session } from "@wink/session";
import { VfsToolsSection } from "@wink/tools";
import { Workspace } from "@wink/workspace";

const home = await mkdtemp(join(tmpdir(), "wink-example-"));
const directory = await mkdtemp(join(home, "shop-"));
const stateDirectory = join(home, "state");
await writeFile(join(directory, "price.ts"), "export const tax = 0.2;\n");
await writeFile(join(directory, "README.md"), "# Shop\n");

// What `wink run` does: an agent works on a copy of the directory, next to other runs.
{
  await using workspace = await Workspace.open(directory, { stateDirectory });
  await using run = await workspace.startRun();
  await using session = new Session();
  const files = await VfsToolsSection.create({ session, workspace: run.workspace });
  const task = new MarkdownSection({ key: "task", title: "Task", template: "Set the tax to 7 %." });
  const prompt = new Prompt(
    new PromptTemplate({ ns: "examples", key: "tax", sections: [task, files] }),
  );
  const edit = { file_path: "price.ts", old_string: "0.2", new_string: "0.07" };
  const note = { file_path: "notes.md", content: "The tax is 7 %.\n" };
  const model = new ScriptedAdapter({
    turns: [
      { calls: [{ tool: "read_file", input: { file_path: "price.ts" } }] },
      {
        calls: [
          { tool: "edit_file", input: edit },
          { tool: "write_file", input: note },
        ],
      },
      { text: "The tax is 7 %." },
    ],
  });
  await model.evaluate(prompt.bind({}), { session });
  console.log("run:", (await run.finish()).kind);
}

// What `wink changes`, `apply` and `undo` do, in any later process.
await using workspace = await Workspace.open(directory, { stateDirectory });
console.log(
  "changes:",
  (await workspace.changes()).files.map(({ path }) => path),
);
await workspace.apply({ paths: ["price.ts"] });
const applied = await readFile(join(directory, "price.ts"), "utf8");
console.log("applied:", applied.trim());
await workspace.undo();
const undone = await readFile(join(directory, "price.ts"), "utf8");
console.log("undone:", undone.trim());
await workspace.discard({ keepAs: "before-discard" });
console.log("left:", (await workspace.changes()).files.length);
await rm(home, { recursive: true });
if (!applied.includes("0.07") || !undone.includes("0.2")) throw new Error("The example is wrong.");
