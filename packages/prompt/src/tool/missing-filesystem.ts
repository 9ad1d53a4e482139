import type { Filesystem } from "@wink/filesystem";
import { DEFAULT_LIMITS, FilesystemError, wrapFilesystem } from "@wink/filesystem";

const REASON = "this prompt has no workspace section, so there are no files";

// The hook below passes no call on, so the target needs no methods.
const nothing = {
  root: "/",
  readOnly: true,
  mountPoint: undefined,
  limits: DEFAULT_LIMITS,
  quotas: Object.freeze({}),
} as Filesystem;

/**
 * The filesystem for tools in a prompt without a workspace. Every call rejects and says why.
 *
 * So handlers need not check for a filesystem, and the model gets a reason instead of a crash.
 */
export const missingFilesystem: Filesystem = Object.freeze(
  wrapFilesystem(nothing, async ({ operation, paths: [path] }) => {
    const shown = typeof path === "string" ? path : ".";
    throw new FilesystemError("EACCES", { operation, path: shown, reason: REASON });
  }),
);
