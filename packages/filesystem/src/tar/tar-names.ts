import { shownName } from "../path/host-name.js";
import type { VirtualPath } from "../path/virtual-path.js";
import { SnapshotError } from "../snapshots/snapshot-error.js";
import type { TreeEntry } from "../snapshots/tree-view.js";

/** Limits the cost per name: every parent of a path is looked up, so the work grows with the square of its depth. */
const MAX_NAME_BYTES = 64 * 1024;
const MAX_DEPTH = 4_096;

/** Decodes a name in an archive to a path; `""` is the root. Rejects names that escape the archive. */
export function archivedPath(name: Uint8Array): VirtualPath {
  if (name.length > MAX_NAME_BYTES) throw refused("a name is too long", name);
  const segments: string[] = [];
  for (const raw of splitAtSlashes(name)) {
    if (raw.length === 0 || (raw.length === 1 && raw[0] === DOT)) continue;
    if (raw.length === 2 && raw[0] === DOT && raw[1] === DOT)
      throw refused("a name escapes the archive", name);
    segments.push(shownName(raw));
  }
  if (segments.length > MAX_DEPTH) throw refused("a name is too deep", name);
  if (name[0] === SLASH) throw refused("a name is absolute", name);
  if (name.includes(0)) throw refused("a name contains a null byte", name);
  return segments.join("/") as VirtualPath;
}

const MAX_SHOWN_BYTES = 4_096;
const DOT = 0x2e;
const SLASH = 0x2f;

function splitAtSlashes(name: Uint8Array): Uint8Array[] {
  const parts: Uint8Array[] = [];
  let start = 0;
  for (let end = name.indexOf(SLASH); end >= 0; end = name.indexOf(SLASH, start)) {
    parts.push(name.subarray(start, end));
    start = end + 1;
  }
  parts.push(name.subarray(start));
  return parts;
}

function refused(reason: string, name: Uint8Array): SnapshotError {
  const shown = shownName(name.subarray(0, MAX_SHOWN_BYTES));
  return new SnapshotError("INVALID_ARCHIVE", { reason, paths: [shown] });
}

/** Checks that the entries form a tree: each path occurs once, and only directories have entries below them. */
export class ArchivedTree {
  readonly #kinds = new Map<string, TreeEntry["kind"]>();

  /** The parents of `path` that have not occurred in the archive yet, outermost first. */
  missingParents(path: VirtualPath): VirtualPath[] {
    const missing: VirtualPath[] = [];
    for (let at = path.indexOf("/"); at >= 0; at = path.indexOf("/", at + 1)) {
      const parent = path.slice(0, at) as VirtualPath;
      const kind = this.#kinds.get(parent);
      if (kind === undefined) missing.push(parent);
      else if (kind !== "directory")
        throw new SnapshotError("INVALID_ARCHIVE", {
          reason: "an entry is inside something that is not a directory",
          paths: [path],
        });
    }
    return missing;
  }

  /** Returns whether the path is new. Only a directory may occur twice. */
  add(path: VirtualPath, kind: TreeEntry["kind"]): boolean {
    const known = this.#kinds.get(path);
    if (known === "directory" && kind === "directory") return false;
    if (known !== undefined || path === "")
      throw new SnapshotError("INVALID_ARCHIVE", { reason: "a path occurs twice", paths: [path] });
    this.#kinds.set(path, kind);
    return true;
  }
}
