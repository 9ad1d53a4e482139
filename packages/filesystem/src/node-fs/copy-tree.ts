import type { Filesystem } from "../protocol/filesystem.js";
import { NodeError } from "./node-error.js";

export interface NodeCopyOptions {
  readonly recursive?: boolean;
  readonly force?: boolean;
  readonly errorOnExist?: boolean;
  readonly dereference?: boolean;
  readonly filter?: (source: string, destination: string) => boolean | Promise<boolean>;
}

/** `cp` of `node:fs`: merges directories that exist. */
export async function copyTree(
  files: Filesystem,
  from: string,
  to: string,
  options: NodeCopyOptions,
): Promise<void> {
  const { recursive = false, force = true, errorOnExist = false, dereference = false } = options;
  if (options.filter !== undefined && !(await options.filter(from, to))) return;
  const { isDirectory } = await files.stat(from, { followLinks: dereference });
  const source = dereference ? await files.realpath(from) : from;
  if (!isDirectory) {
    const exists = await files.stat(to, { followLinks: false }).then(
      () => true,
      () => false,
    );
    if (exists && !force && errorOnExist)
      throw new NodeError("ERR_FS_CP_EEXIST", "target already exists", {
        operation: "cp",
        path: to,
      });
    if (!exists || force) await files.copy(source, to, { overwrite: true });
    return;
  }
  if (!recursive)
    throw new NodeError("ERR_FS_EISDIR", "recursive option not enabled, cannot copy a directory", {
      operation: "cp",
      path: from,
    });
  if (`${to}/`.startsWith(`${from}/`))
    throw new NodeError("ERR_FS_CP_EINVAL", "cannot copy to a subdirectory of itself", {
      operation: "cp",
      path: from,
    });
  await files.mkdir(to);
  for (const { name } of await files.list(source))
    await copyTree(files, `${from}/${name}`, `${to}/${name}`, options);
}
