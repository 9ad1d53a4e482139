import type { Filesystem } from "./filesystem.js";
import { FilesystemError } from "./filesystem-error.js";

/**
 * The same files, with every change refused with `EROFS`.
 *
 * What the original's owner changes is seen through the view.
 */
export function readOnlyView(filesystem: Filesystem): Filesystem {
  const refuse = (operation: string) => async (path: string) => {
    throw new FilesystemError("EROFS", { operation, path: String(path) });
  };
  return {
    root: filesystem.root,
    readOnly: true,
    mountPoint: filesystem.mountPoint,
    limits: filesystem.limits,
    quotas: filesystem.quotas,
    read: (path, options) => filesystem.read(path, options),
    readBytes: (path, options) => filesystem.readBytes(path, options),
    exists: (path, options) => filesystem.exists(path, options),
    stat: (path, options) => filesystem.stat(path, options),
    list: (path, options) => filesystem.list(path, options),
    glob: (pattern, options) => filesystem.glob(pattern, options),
    grep: (pattern, options) => filesystem.grep(pattern, options),
    openRead: (path, options) => filesystem.openRead(path, options),
    openText: (path, options) => filesystem.openText(path, options),
    usage: (options) => filesystem.usage(options),
    write: refuse("write"),
    writeBytes: refuse("writeBytes"),
    delete: refuse("delete"),
    mkdir: refuse("mkdir"),
    copy: refuse("copy"),
    move: refuse("move"),
    openWrite: refuse("openWrite"),
  };
}
