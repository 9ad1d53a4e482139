import { appendFileSync, closeSync, openSync, readSync, statSync } from "node:fs";
import { join } from "node:path";
import { Workspace } from "./workspace.js";

/** Opens the workspace of `<directory> <state directory>`, and prints the highest resident memory in mebibytes. */
async function main([directory = "", stateDirectory = ""]: readonly string[]): Promise<void> {
  const workspace = await Workspace.open(directory, { stateDirectory });
  await workspace.changes();
  const { fileCount } = workspace.copied;
  const { filesystem } = workspace;
  const large = join(directory, "large.bin");
  const writer = await filesystem.openWrite("large.bin", { mode: "append" });
  await writer.write(new TextEncoder().encode(", by the agent"));
  await writer.close();
  const changed = (await workspace.changes()).files.map(({ path }) => path);
  const patch = await workspace.toPatch();
  await workspace.apply();
  const applied = ending(large);
  await workspace.undo();
  const undone = ending(large);
  await workspace.discard({ keepAs: "before-discard" });
  appendFileSync(large, ", by the user");
  const { updated } = await workspace.refresh();
  const refreshed = ending(join(workspace.stateDirectory, "files/large.bin"));
  await workspace.close();
  const did = { changed, patch, applied, undone, updated, refreshed };
  const resident = Math.round(process.resourceUsage().maxRSS / 1024);
  process.stdout.write(JSON.stringify({ fileCount, resident, ...did }));
}

function ending(path: string): string {
  const bytes = Buffer.alloc(32);
  const fd = openSync(path, "r");
  const count = readSync(fd, bytes, 0, bytes.length, statSync(path).size - bytes.length);
  closeSync(fd);
  return bytes.toString("utf8", 0, count).replaceAll("\0", "");
}

if (process.argv[1]?.endsWith("large-files.mjs")) await main(process.argv.slice(2));
