import { type Filesystem, InMemoryFilesystem } from "@wink/filesystem";
import { mountHost } from "../workspace/mount-host.js";
import { troubleAt } from "./failing-fs.test.support.js";

/** The changes in the workspace that are then applied. */
export async function editWorkspace(filesystem: Filesystem): Promise<void> {
  await filesystem.write("edited.txt", "new\n".repeat(2_000));
  await filesystem.write("run.sh", "echo new\n", { executable: true });
  await filesystem.delete("gone/a.txt");
  await filesystem.delete("gone", { recursive: true });
  await filesystem.move("old-name.txt", "new/deep/name.txt");
  await filesystem.delete("swap");
  await filesystem.write("swap/inner.txt", "inner");
  await filesystem.delete("folder", { recursive: true });
  await filesystem.write("folder", "a file now");
}

/** Applies or undoes the changes and is killed during it: `<root> <state directory> apply|undo <call>`. */
async function main([
  root = "",
  stateDirectory = "",
  action,
  at,
]: readonly string[]): Promise<void> {
  const filesystem = new InMemoryFilesystem();
  const options = { allowedHostRoots: [root], stateDirectory };
  const workspace = await mountHost(filesystem, [{ hostPath: "." }], options);
  await editWorkspace(filesystem);
  const changes = workspace.changes();
  const undoToken = action === "undo" ? (await changes.apply()).undoToken : undefined;
  const trouble = troubleAt(Number(at), "kill");
  if (undoToken === undefined) await changes.apply();
  else await changes.undo(undoToken);
  trouble.end();
  process.stdout.write(`${trouble.count}`);
}

if (process.argv[1]?.endsWith("apply-crash.mjs")) await main(process.argv.slice(2));
