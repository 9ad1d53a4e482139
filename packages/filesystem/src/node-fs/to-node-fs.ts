import type * as promises from "node:fs/promises";
import type { Filesystem } from "../protocol/filesystem.js";
import { invalidArgument } from "../protocol/filesystem-error.js";
import { NodeFs } from "./node-fs.js";

/** The calls of `node:fs/promises` that {@link toNodeFs} offers. */
export type NodeFsPromises = Pick<
  typeof promises,
  | ("access" | "appendFile" | "chmod" | "chown" | "copyFile" | "cp" | "lchown" | "link" | "lstat")
  | ("lutimes" | "mkdir" | "mkdtemp" | "open" | "opendir" | "readFile" | "readdir" | "readlink")
  | ("realpath" | "rename" | "rm" | "rmdir" | "stat" | "symlink" | "truncate" | "unlink")
  | ("utimes" | "writeFile" | "constants")
>;

/**
 * The files of a workspace in the shape of `node:fs/promises`, with file handles, for libraries that take an `fs`. Every
 * change is a change of the filesystem, so `filesystem.transact(body)` rolls back what a library did inside `body`.
 *
 * Owners, hard links and `watch` are not supported: `chown` and `link` fail with `EPERM`.
 */
export function toNodeFs(filesystem: Filesystem): NodeFsPromises {
  if (typeof filesystem?.readBytes !== "function")
    throw invalidArgument("open", "toNodeFs: filesystem must be a Filesystem");
  // Each method of Node has many overloads, which one signature cannot implement.
  return new NodeFs(filesystem) as unknown as NodeFsPromises;
}
