import { InMemoryFilesystem } from "@wink/filesystem";
import { mountHost } from "../workspace/mount-host.js";
import { withRepositorySnapshots } from "./repository-snapshots.js";

/** What a trial writes. Large enough that git takes some milliseconds. */
export function contentOf(step: string): string {
  return `${step}\n`.repeat(20_000);
}

/**
 * Commits or snapshots twice, prints `first` and `second` before each, and is killed during the second:
 * `<repository> <state directory> commit|snapshot <name>`.
 */
async function main([
  directory = "",
  stateDirectory = "",
  action,
  name = "",
]: readonly string[]): Promise<void> {
  const filesystem = new InMemoryFilesystem();
  const options = { allowedHostRoots: [directory], stateDirectory };
  const workspace = await mountHost(filesystem, [{ hostPath: "." }], options);
  const snapshots = await withRepositorySnapshots(filesystem, directory);
  for (const step of ["first", "second"]) {
    await filesystem.write("src/a.txt", contentOf(step));
    await filesystem.write(`src/${step}.txt`, contentOf(step));
    process.stdout.write(`${step}\n`);
    if (action === "snapshot") await snapshots.snapshot({ name: `${name}-${step}` });
    else await workspace.changes().commit({ branch: name, message: step });
  }
}

if (process.argv[1]?.endsWith("git-kills.mjs")) await main(process.argv.slice(2));
