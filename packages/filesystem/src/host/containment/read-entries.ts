import { type Dirent, readdirSync, type Stats } from "node:fs";
import type { DriverEntry } from "../../driver/driver.js";
import { isDoubtful, shownName } from "../../path/host-name.js";
import type { NodeKind } from "../../protocol/filesystem.js";
import { tolerating } from "../process/from-node-error.js";
import type { PinnedDirectory } from "./containment.js";
import { describe } from "./host-root.js";

/** All entries of an open directory, including temporary files of WINK. */
export function readEntries(directory: PinnedDirectory): DriverEntry[] {
  // On a filesystem that does not report types, Node stats each name, and throws if one was deleted in the
  // meantime.
  return tolerating(["ENOENT"], () => readTyped(directory), undefined) ?? readOneByOne(directory);
}

function readTyped(directory: PinnedDirectory): DriverEntry[] {
  const entries: DriverEntry[] = [];
  for (const dirent of readdirSync(directory.prefix, { withFileTypes: true })) {
    // Reading names as bytes takes twice as long, so it is done only if a name may not be valid UTF-8.
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
