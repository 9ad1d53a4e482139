import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync } from "node:fs";
import { errorCode, isAbsence } from "./from-node-error.js";

const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;

/**
 * Whether `path` is a directory of this user that no other user can open.
 *
 * State next to a workspace or in a shared temporary directory is trusted only if it is in such a directory,
 * because other users can create a directory with the expected name there.
 */
export function isPrivateDirectory(path: string): boolean {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  return stat?.isDirectory() === true && isOurs(stat) && (stat.mode & 0o077) === 0;
}

/**
 * The content of a regular file of this user; `undefined` if it is missing, a link, a special file or owned by
 * another user. Never blocks: opening a FIFO would wait for a writer.
 *
 * @throws Node's error for a file of this user that cannot be read: treated as missing, it would be ignored
 */
export function readPrivateFile(path: string): Buffer | undefined {
  let fd: number;
  try {
    fd = openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  } catch (error) {
    if (isAbsence(error) || NOT_REGULAR.includes(errorCode(error) ?? "")) return undefined;
    const stat = lstatSync(path, { throwIfNoEntry: false });
    if (stat === undefined || !isOurs(stat)) return undefined;
    throw error;
  }
  try {
    const stat = fstatSync(fd);
    return stat.isFile() && isOurs(stat) ? readFileSync(fd) : undefined;
  } finally {
    closeSync(fd);
  }
}

/** What the kernel reports for a link and for a socket. */
const NOT_REGULAR = ["ELOOP", "ENXIO"];

function isOurs({ uid }: { readonly uid: number }): boolean {
  return uid === (process.geteuid?.() ?? uid);
}
