import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { troubleAt } from "../apply/failing-fs.test.support.js";
import { Workspace } from "./workspace.js";

export const LINES = Array.from({ length: 30 }, (_, index) => `line ${index}`);

/** What is done before the step that is killed. */
export async function prepare(workspace: Workspace, directory: string, action: string) {
  const { filesystem } = workspace;
  const edited = LINES.with(1, "first").with(15, "second").with(28, "third");
  await filesystem.write("text.txt", `${edited.join("\n")}\n`);
  await filesystem.write("src/a.ts", "agent\n");
  await filesystem.write("src/new/b.ts", "new\n");
  await filesystem.delete("gone.txt");
  await filesystem.write("merged.txt", "1\n2\nagent\n");
  if (action === "undo-path") await workspace.apply();
  // The user's own edits.
  writeFileSync(join(directory, "user.txt"), "saved by the user\n");
  if (action === "undo-path") return;
  writeFileSync(join(directory, "merged.txt"), "user\n2\n3\n");
  if (action === "refresh") writeFileSync(join(directory, "src/a.ts"), "conflict\n");
}

/** The step that is killed. */
export async function act(workspace: Workspace, action: string): Promise<void> {
  if (action === "apply-path") await workspace.apply({ paths: ["src", "gone.txt"] });
  else if (action === "undo-path") await workspace.undo({ paths: ["src", "gone.txt"] });
  else if (action === "refresh") await workspace.refresh();
  else {
    const [file] = await workspace.diff({ paths: ["text.txt"] });
    const ids = file?.hunks.map(({ id }) => id) ?? [];
    await workspace.apply({ hunks: [ids[0] ?? "", ids[2] ?? ""] });
  }
}

/** Runs `<directory> <state directory> <action> <call>`, and is killed at that call. */
async function main([directory = "", stateDirectory = "", action = "", at]: readonly string[]) {
  const workspace = await Workspace.open(directory, { stateDirectory });
  await prepare(workspace, directory, action);
  const trouble = troubleAt(Number(at), "kill");
  await act(workspace, action);
  trouble.end();
  process.stdout.write(`${trouble.count}`);
  await workspace.close();
}

if (process.argv[1]?.endsWith("workspace-kills.mjs")) await main(process.argv.slice(2));
