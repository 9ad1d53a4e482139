import type { Filesystem } from "@wink/filesystem";
import { DEFAULT_LIMITS, FilesystemError } from "@wink/filesystem";

const REASON = "this prompt has no workspace section, so there are no files";

/**
 * The filesystem for tools in a prompt without a workspace. Every call rejects and says why.
 *
 * So handlers need not check for a filesystem, and the model gets a reason instead of a crash.
 */
export const noWorkspace: Filesystem = Object.freeze({
  root: "/",
  readOnly: true,
  mountPoint: undefined,
  limits: DEFAULT_LIMITS,
  quotas: Object.freeze({}),
  read: refuse("read"),
  readBytes: refuse("readBytes"),
  exists: refuse("exists"),
  stat: refuse("stat"),
  list: refuse("list"),
  glob: refuse("glob"),
  grep: refuse("grep"),
  write: refuse("write"),
  writeBytes: refuse("writeBytes"),
  delete: refuse("delete"),
  mkdir: refuse("mkdir"),
  copy: refuse("copy"),
  move: refuse("move"),
  openRead: refuse("openRead"),
  openWrite: refuse("openWrite"),
  openText: refuse("openText"),
  usage: refuse("usage"),
});

function refuse(operation: string): (path?: unknown) => Promise<never> {
  return async (path) => {
    const shown = typeof path === "string" ? path : ".";
    throw new FilesystemError("EACCES", { operation, path: shown, reason: REASON });
  };
}
