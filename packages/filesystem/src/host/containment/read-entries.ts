import { type Dirent, readdirSync, type Stats } from "node:fs";
import type { DriverEntry } from "../../driver/driver.js";
import { isDoubtful, shownName } from "../../path/host-name.js";
import type { NodeKind } from "../../protocol/filesystem.js";
import { tolerating } from "../process/from-node-error.js";
import type { PinnedDirectory } from "./containment.js";
import { describe } from "./host-root.js";

/** Everything in an open directory, our temporary files included. */
export function readEntries(directory: PinnedDirectory): DriverEntry[] {
  // Only a filesystem that tells no types makes Node look at each name, and fail for one that has gone meanwhile.
  return tolerating(["ENOENT"], () => readTyped(directory), undefined) ?? readOneByOne(directory);
}

function readTyped(directory: PinnedDirectory): DriverEntry[] {
  const entries: DriverEntry[] = [];
  for (const dirent of readdirSync(directory.prefix, { withFileTypes: true })) {
    // Reading names as bytes takes twice as long, so only a directory that needs it is read so.
    if (isDoubtful(dirent.name)) return readBytewise(directory);
    entries.push({ name: dirent.name, kind: kindOf(dirent) });
  }
  return entries;
}

function readBytewise({ prefix }: PinnedDirectory): DriverEntry[] {
  const dirents = readdirSync(prefix, { withFileTypes: true, encoding: "buffer" });
  return dirents.map((dirent) => ({ name: shownName(dirent.name), kind: kindOf(dirent) }));
}

function readOneByOne(directory: PinnedDirectory): DriverEntry[] {
  const entries: DriverEntry[] = [];
  for (const raw of readdirSync(directory.prefix, { encoding: "buffer" })) {
    const name = shownName(raw);
    const stat = describe(directory, name);
    if (stat !== undefined) entries.push({ name, kind: kindOf(stat) });
  }
  return entries;
}

export function kindOf(node: Dirent<string> | Dirent<Buffer> | Stats): NodeKind {
  if (node.isFile()) return "file";
  if (node.isDirectory()) return "directory";
  return node.isSymbolicLink() ? "symlink" : "special";
}
