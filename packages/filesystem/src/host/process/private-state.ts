import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync } from "node:fs";

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
 * Returns the content of a regular file of this user, or `undefined` if it is missing, a link, a special file or
 * owned by another user. Never blocks: opening a FIFO would wait for a writer.
 */
export function readPrivateFile(path: string): Buffer | undefined {
  let fd: number;
  try {
    fd = openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  } catch {
    return undefined;
  }
  try {
    const stat = fstatSync(fd);
    return stat.isFile() && isOurs(stat) ? readFileSync(fd) : undefined;
  } finally {
    closeSync(fd);
  }
}

function isOurs({ uid }: { readonly uid: number }): boolean {
  return uid === (process.geteuid?.() ?? uid);
}
