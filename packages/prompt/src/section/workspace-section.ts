import type { Filesystem } from "@wink/filesystem";

/**
 * A section that owns a filesystem.
 *
 * Its tools use that filesystem. Tools outside every workspace use the first one of the prompt.
 */
export interface WorkspaceSection {
  readonly filesystem: Filesystem;
}

/** Enough methods to distinguish a `Filesystem` from another value with that name. */
const METHODS = ["read", "write", "stat", "list", "glob", "grep", "exists", "delete", "mkdir"];

/**
 * Whether `section` owns a filesystem.
 *
 * It uses duck typing, so that it also recognises sections from another copy of this package.
 */
export function isWorkspaceSection<Candidate>(
  section: Candidate,
): section is Candidate & WorkspaceSection {
  if (typeof section !== "object" || section === null || !("filesystem" in section)) return false;
  const { filesystem } = section;
  if (typeof filesystem !== "object" || filesystem === null) return false;
  // The cast only allows the lookup by name.
  const members = filesystem as Readonly<Record<string, unknown>>;
  return METHODS.every((name) => typeof members[name] === "function");
}
