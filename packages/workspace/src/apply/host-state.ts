import { hash } from "node:crypto";
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
  | { readonly kind: "directory"; readonly mode: number }
  /** A special file, or a path below a link. */
  | { readonly kind: "other" }
  | LinkState
  | FileState;

export interface LinkState {
  readonly kind: "symlink";
  readonly target: Buffer;
  readonly mtimeMs: number;
}

export interface FileState {
  readonly kind: "file";
  readonly bytes: Uint8Array;
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
    if (code === "ELOOP") return { kind: "other" };
    throw error;
  }
}

export function readLeafState(root: HostRoot, parent: PinnedDirectory, leaf: string): HostState {
  const stat = parent.stat(leaf);
  if (stat === undefined) return { kind: "absent" };
  if (stat.isDirectory()) return { kind: "directory", mode: stat.mode & 0o7777 };
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
    const { mode, uid, gid, mtimeMs } = fstatSync(fd);
    const bytes = readFileSync(fd);
    return { kind: "file", bytes, mode: mode & 0o7777, uid, gid, mtimeMs };
  } finally {
    closeSync(fd);
  }
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
  readonly bytes: Uint8Array;
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
    for (let written = 0; written < file.bytes.length; )
      written += writeSync(fd, file.bytes, written, file.bytes.length - written);
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
