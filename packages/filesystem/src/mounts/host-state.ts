import { hash } from "node:crypto";
import {
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsyncSync,
  linkSync,
  openSync,
  renameSync,
  rmdirSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { errorCode, tolerating } from "../host/from-node-error.js";
import { describe, type HostRoot, pathIn } from "../host/host-root.js";
import { readUpTo } from "../host/read-file.js";
import { removeNode } from "../host/remove-tree.js";
import type { VirtualPath } from "../virtual-path.js";

const { O_WRONLY, O_CREAT, O_EXCL } = constants;

/** What is at a path of the host, links not followed. */
export type HostState =
  | { readonly kind: "absent" }
  | { readonly kind: "directory"; readonly mode: number }
  /** A link, a special file, or something below a link. */
  | { readonly kind: "other" }
  | FileState;

export interface FileState {
  readonly kind: "file";
  readonly bytes: Uint8Array;
  /** Permission bits. */
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
}

export function contentHash(bytes: Uint8Array): string {
  return hash("sha256", bytes);
}

export function readHostState(root: HostRoot, path: VirtualPath): HostState {
  if (path === "") return { kind: "directory", mode: 0o755 };
  try {
    return root.inParent(path, (parent, leaf) => {
      const stat = describe(parent, leaf);
      if (stat === undefined) return { kind: "absent" };
      if (stat.isDirectory()) return { kind: "directory", mode: stat.mode & 0o7777 };
      if (!stat.isFile()) return { kind: "other" };
      const fd = root.openLeaf(parent, leaf);
      try {
        const { size, mode, uid, gid } = fstatSync(fd);
        return { kind: "file", bytes: readUpTo(fd, 0, size), mode: mode & 0o7777, uid, gid };
      } finally {
        closeSync(fd);
      }
    });
  } catch (error) {
    const code = errorCode(error);
    if (code === "ENOENT" || code === "ENOTDIR") return { kind: "absent" };
    if (code === "ELOOP") return { kind: "other" };
    throw error;
  }
}

export interface NewFile {
  readonly bytes: Uint8Array;
  readonly mode: number;
  readonly uid: number | undefined;
  readonly gid: number | undefined;
  /** The name it has while it is being written, known beforehand so that it can be cleared away after a crash. */
  readonly temporary: string;
  /** Whether nothing may be there yet. */
  readonly exclusive: boolean;
}

/** Puts a file in place in one step, with exactly this mode, on the disk when it returns. */
export function putHostFile(root: HostRoot, path: VirtualPath, file: NewFile): void {
  root.inParent(path, (parent, leaf) => {
    const from = pathIn(parent, file.temporary);
    const to = pathIn(parent, leaf);
    clearTemporary(root, path, file.temporary);
    const fd = openSync(from, O_WRONLY | O_CREAT | O_EXCL, 0o600);
    try {
      for (let written = 0; written < file.bytes.length; )
        written += writeSync(fd, file.bytes, written, file.bytes.length - written);
      const { uid, gid } = fstatSync(fd);
      // Only a privileged process can; for the others the file becomes their own.
      if (
        file.uid !== undefined &&
        file.gid !== undefined &&
        (file.uid !== uid || file.gid !== gid)
      )
        tolerating(["EPERM"], () => fchownSync(fd, file.uid ?? uid, file.gid ?? gid), undefined);
      fchmodSync(fd, file.mode);
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
    if (file.exclusive) {
      linkSync(from, to);
      unlinkSync(from);
    } else renameSync(from, to);
    fsyncSync(parent.fd);
  });
}

/** Takes away what a write that did not come to its end left behind. */
export function clearTemporary(root: HostRoot, path: VirtualPath, temporary: string): void {
  tolerating(
    ["ENOENT", "ENOTDIR", "ELOOP"],
    () => root.inParent(path, (parent) => unlinkSync(pathIn(parent, temporary))),
    undefined,
  );
}

/** Removes a file. */
export function removeHostFile(root: HostRoot, path: VirtualPath): void {
  root.inParent(path, (parent, leaf) => {
    removeNode(parent, leaf);
    fsyncSync(parent.fd);
  });
}

/** Removes a directory unless somebody has put something into it. */
export function removeHostDirectory(root: HostRoot, path: VirtualPath): void {
  root.inParent(path, (parent, leaf) => {
    tolerating(["ENOTEMPTY", "EEXIST"], () => rmdirSync(pathIn(parent, leaf)), undefined);
    fsyncSync(parent.fd);
  });
}
