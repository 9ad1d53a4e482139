import { Workspace } from "./workspace.js";

/** Opens the workspace of `<directory> <state directory>`, and prints the highest resident memory in mebibytes. */
async function main([directory = "", stateDirectory = ""]: readonly string[]): Promise<void> {
  const workspace = await Workspace.open(directory, { stateDirectory });
  await workspace.changes();
  const { fileCount } = workspace.copied;
  await workspace.close();
  const resident = Math.round(process.resourceUsage().maxRSS / 1024);
  process.stdout.write(JSON.stringify({ fileCount, resident }));
}

if (process.argv[1]?.endsWith("large-files.mjs")) await main(process.argv.slice(2));
