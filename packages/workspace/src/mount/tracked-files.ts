import { closeSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { paths, type VirtualPath } from "@wink/filesystem";
import { type HostRoot, tolerating } from "@wink/filesystem/host";

const ABSENT = ["ENOENT", "ENOTDIR", "ELOOP", "EACCES", "EPERM", "ENXIO"];
const ID_BYTES = [20, 32];
/** The sizes of the fields before the id and of the flags after it. */
const [STAT_BYTES, FLAG_BYTES] = [40, 2];
const EXTENDED = 0x4000;
/** The flags contain the length of the name, or this value if the name is longer. */
const MAX_LENGTH = 0xfff;

/** The files that the index of a repository has, by their path below it. */
export class TrackedFiles {
  readonly #read: () => ReadonlySet<string>;
  #known: ReadonlySet<string> | undefined;

  constructor(read: () => ReadonlySet<string>) {
    this.#read = read;
  }

  /** Whether a file, or a file below a directory, is tracked. `path` is relative to the repository. */
  has(path: string): boolean {
    this.#known ??= this.#read();
    return this.#known.has(path);
  }
}

/**
 * The tracked files of the repository at `path`. The index is read when it is first needed. An index that cannot be
 * read has no files.
 *
 * @param onRead called with the path of each file that is read, below the root or absolute
 */
export function trackedFiles(
  root: HostRoot,
  path: VirtualPath,
  onRead: (path: string) => void = () => {},
): TrackedFiles {
  return new TrackedFiles(() => {
    const index = tolerating(ABSENT, () => readIndex(root, path, onRead), undefined);
    return (index && parseIndex(index)) ?? new Set();
  });
}

function readIndex(root: HostRoot, path: VirtualPath, onRead: (path: string) => void): Buffer {
  const own = paths.joinPath(path, ".git");
  const stat = root.inParent(own, (parent, leaf) => parent.stat(leaf));
  const inside = stat?.isDirectory() ? paths.joinPath(own, "index") : own;
  onRead(inside);
  if (inside !== own) return readAt(root, inside);
  // The `.git` of a linked work tree is a file that names the directory.
  const [, given = ""] = /^gitdir: (.*)/.exec(readAt(root, own).toString()) ?? [];
  const index = join(given.startsWith("/") ? given : join(root.path, path, given), "index");
  onRead(index);
  return readFileSync(index);
}

function readAt(root: HostRoot, path: VirtualPath): Buffer {
  return root.inParent(path, (parent, leaf) => {
    const fd = root.openLeaf(parent, leaf);
    try {
      return readFileSync(fd);
    } finally {
      closeSync(fd);
    }
  });
}

/** The names of an index of version 2 to 4 with the directories above them. `undefined` if it is of another kind. */
export function parseIndex(index: Buffer): ReadonlySet<string> | undefined {
  if (index.toString("latin1", 0, 4) !== "DIRC") return undefined;
  for (const idBytes of ID_BYTES) {
    const names = parseEntries(index, idBytes);
    if (names !== undefined) return names;
  }
  return undefined;
}

function parseEntries(index: Buffer, idBytes: number): ReadonlySet<string> | undefined {
  const [version, count] = [index.readUInt32BE(4), index.readUInt32BE(8)];
  const names = new Set<string>();
  let previous = Buffer.alloc(0);
  let at = 12;
  for (let entry = 0; entry < count; entry++) {
    const start = at;
    at += STAT_BYTES + idBytes;
    if (at + FLAG_BYTES > index.length) return undefined;
    const flags = index.readUInt16BE(at);
    at += (flags & EXTENDED) === 0 ? FLAG_BYTES : 2 * FLAG_BYTES;
    let kept = Buffer.alloc(0);
    if (version === 4) {
      // The name is the previous one without its last bytes, and new bytes.
      let dropped = 0;
      for (let byte = 0x80, first = true; byte & 0x80; first = false) {
        byte = index[at++] ?? 0;
        dropped = ((first ? 0 : dropped + 1) << 7) | (byte & 0x7f);
      }
      kept = previous.subarray(0, previous.length - dropped);
    }
    const end = index.indexOf(0, at);
    if (end < 0) return undefined;
    const name = Buffer.concat([kept, index.subarray(at, end)]);
    // This check also fails if the ids have another length.
    if ((flags & MAX_LENGTH) !== Math.min(name.length, MAX_LENGTH)) return undefined;
    addWithParents(names, name);
    previous = name;
    at = version === 4 ? end + 1 : start + (Math.floor((end - start) / 8) + 1) * 8;
  }
  return names;
}

function addWithParents(names: Set<string>, name: Buffer): void {
  const path = name.toString("latin1").split("/");
  const segments = path.map((each) => paths.shownName(Buffer.from(each, "latin1")));
  for (let length = segments.length; length > 0; length--) {
    const shown = segments.slice(0, length).join("/");
    if (names.has(shown)) return;
    names.add(shown);
  }
}
