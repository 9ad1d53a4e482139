import { createHash, hash } from "node:crypto";
import {
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsyncSync,
  futimesSync,
  lutimesSync,
  openSync,
  readFileSync,
  readlinkSync,
  readSync,
  rmdirSync,
  symlinkSync,
  writeSync,
} from "node:fs";
import type { VirtualPath } from "@wink/filesystem";
import { errorCode, type HostRoot, type PinnedDirectory, tolerating } from "@wink/filesystem/host";

const { O_WRONLY, O_CREAT, O_EXCL } = constants;

/** What exists at a host path. Links are not followed. */
export type HostState =
  | { readonly kind: "absent" }
  | { readonly kind: "directory"; readonly mode: number; readonly modifiedAtMs?: number }
  /** Nothing, because a directory of the path is a link. */
  | { readonly kind: "below-link" }
  /** A special file. */
  | { readonly kind: "other" }
  | LinkState
  | FileState;

interface LinkState {
  readonly kind: "symlink";
  readonly target: Buffer;
  readonly mtimeMs: number;
}

export interface FileState {
  readonly kind: "file";
  /** `undefined` if the content is too large for memory. */
  readonly bytes: Uint8Array | undefined;
  /** The SHA-256 of the content. */
  hash(): string;
  /** Permission bits. */
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
  readonly mtimeMs: number;
}

export function contentHash(bytes: Uint8Array): string {
  return hash("sha256", bytes);
}

export function readHostState(root: HostRoot, path: VirtualPath): HostState {
  if (path === "") return { kind: "directory", mode: 0o755 };
  try {
    return root.inParent(path, (parent, leaf) => readLeafState(root, parent, leaf));
  } catch (error) {
    const code = errorCode(error);
    if (code === "ENOENT" || code === "ENOTDIR") return { kind: "absent" };
    if (code === "ELOOP") return { kind: "below-link" };
    throw error;
  }
}

export function readLeafState(root: HostRoot, parent: PinnedDirectory, leaf: string): HostState {
  const stat = parent.stat(leaf);
  if (stat === undefined) return { kind: "absent" };
  if (stat.isDirectory())
    return { kind: "directory", mode: stat.mode & 0o7777, modifiedAtMs: stat.mtimeMs };
  if (stat.isSymbolicLink()) return readLink(parent, leaf, stat.mtimeMs);
  if (!stat.isFile()) return { kind: "other" };
  let fd: number;
  try {
    fd = root.openLeaf(parent, leaf);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return { kind: "absent" };
    if (errorCode(error) === "ELOOP") return { kind: "other" };
    throw error;
  }
  try {
    const { mode, uid, gid, mtimeMs, size } = fstatSync(fd);
    const about = { kind: "file", mode: mode & 0o7777, uid, gid, mtimeMs } as const;
    if (size > MAX_WHOLE_BYTES) {
      const digest = createHash("sha256");
      for (const part of partsOf(fd)) digest.update(part);
      const found = digest.digest("hex");
      return { ...about, bytes: undefined, hash: () => found };
    }
    const bytes = readFileSync(fd);
    return { ...about, bytes, hash: () => contentHash(bytes) };
  } finally {
    closeSync(fd);
  }
}

/** Larger contents are read, hashed and written in parts. */
export const MAX_WHOLE_BYTES = 32 * 1024 * 1024;
const PART_BYTES = 1024 * 1024;

/** The content of an open file. A part is valid until the next one. */
function* partsOf(fd: number): Generator<Uint8Array, void, void> {
  const part = new Uint8Array(PART_BYTES);
  for (let position = 0, count = 1; count > 0; position += count) {
    count = readSync(fd, part, 0, part.length, position);
    if (count > 0) yield part.subarray(0, count);
  }
}

/** The content of a file of the host. The caller compares its hash, because the file may change. */
export function* hostParts(root: HostRoot, path: VirtualPath): Generator<Uint8Array, void, void> {
  const fd = root.inParent(path, (parent, leaf) => root.openLeaf(parent, leaf));
  try {
    yield* partsOf(fd);
  } finally {
    closeSync(fd);
  }
}

/** The content of one of WINK's own files, such as a file of a journal. */
export function* fileParts(path: string): Generator<Uint8Array, void, void> {
  const fd = openSync(path, "r");
  try {
    yield* partsOf(fd);
  } finally {
    closeSync(fd);
  }
}

export function writeParts(fd: number, parts: Iterable<Uint8Array>): void {
  for (const part of parts)
    for (let written = 0; written < part.length; )
      written += writeSync(fd, part, written, part.length - written);
}

function readLink(parent: PinnedDirectory, leaf: string, mtimeMs: number): HostState {
  try {
    const target = readlinkSync(parent.pathOf(leaf), { encoding: "buffer" });
    return { kind: "symlink", target, mtimeMs };
  } catch (error) {
    if (errorCode(error) === "ENOENT") return { kind: "absent" };
    if (errorCode(error) === "EINVAL") return { kind: "other" };
    throw error;
  }
}

/** Makes a link with exactly this target and time. */
export function writeNewLink(
  parent: PinnedDirectory,
  name: string,
  target: Uint8Array,
  modifiedAtMs: number | undefined,
): void {
  symlinkSync(Buffer.from(target), parent.pathOf(name));
  if (modifiedAtMs === undefined) return;
  const seconds = modifiedAtMs / 1000;
  lutimesSync(parent.pathOf(name), seconds, seconds);
}

export interface NewFile {
  readonly parts: Iterable<Uint8Array>;
  readonly mode: number;
  readonly uid?: number | undefined;
  readonly gid?: number | undefined;
  /** @default the current time */
  readonly modifiedAtMs?: number | undefined;
}

/** Writes a new file with exactly this mode and time. The content is flushed to disk when this returns. */
export function writeNewFile(parent: PinnedDirectory, name: string, file: NewFile): void {
  const fd = openSync(parent.pathOf(name), O_WRONLY | O_CREAT | O_EXCL, 0o600);
  try {
    writeParts(fd, file.parts);
    const { uid, gid } = fstatSync(fd);
    // Only a privileged process can change the owner. Otherwise the file belongs to the current user.
    if (file.uid !== undefined && file.gid !== undefined && (file.uid !== uid || file.gid !== gid))
      tolerating(["EPERM"], () => fchownSync(fd, file.uid ?? uid, file.gid ?? gid), undefined);
    fchmodSync(fd, file.mode);
    const { modifiedAtMs } = file;
    if (modifiedAtMs !== undefined) futimesSync(fd, modifiedAtMs / 1000, modifiedAtMs / 1000);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** Removes a directory, unless another process has put something into it. */
export function removeHostDirectory(root: HostRoot, path: VirtualPath): void {
  root.inParent(path, (parent, leaf) => {
    tolerating(["ENOTEMPTY", "EEXIST"], () => rmdirSync(parent.pathOf(leaf)), undefined);
    fsyncSync(parent.fd);
  });
}
