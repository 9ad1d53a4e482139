import { normalizePath } from "../path/normalize-path.js";
import type { CallOptions, Filesystem } from "../protocol/filesystem.js";
import { FilesystemError } from "../protocol/filesystem-error.js";

/**
 * A view of the same files that refuses every change with `EROFS`.
 *
 * Changes to the original are visible through the view.
 */
export function readOnlyView(filesystem: Filesystem): Filesystem {
  const { mountPoint } = filesystem;
  /** Checks the signal and the paths first, like a filesystem with the `readOnly` option. */
  const refuse = async (
    operation: string,
    path: string,
    options: CallOptions | undefined,
    given: readonly string[] = [path],
  ): Promise<never> => {
    options?.signal?.throwIfAborted();
    for (const each of given) normalizePath(each, { operation, mountPoint });
    throw new FilesystemError("EROFS", { operation, path });
  };
  return {
    root: filesystem.root,
    readOnly: true,
    mountPoint,
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
    write: (path, _, options) => refuse("write", path, options),
    writeBytes: (path, _, options) => refuse("writeBytes", path, options),
    delete: (path, options) => refuse("delete", path, options),
    mkdir: (path, options) => refuse("mkdir", path, options),
    copy: (from, to, options) => refuse("copy", to, options, [from, to]),
    move: (from, to, options) => refuse("move", from, options, [from, to]),
    openWrite: (path, options) => refuse("openWrite", path, options),
  };
}
