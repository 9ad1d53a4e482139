import type { Filesystem } from "@wink/filesystem";

/**
 * A section that owns a filesystem.
 *
 * Its tools see that filesystem; the first one in a prompt is what all other tools see.
 */
export interface WorkspaceSection {
  readonly filesystem: Filesystem;
}

/** Enough of the protocol to tell a filesystem from anything else that has the name. */
const METHODS = ["read", "write", "stat", "list", "glob", "grep", "exists", "delete", "mkdir"];

/**
 * Whether `section` owns a filesystem.
 *
 * It looks at the shape and at no class, so that a section made with another copy
 * of this package, or with none, is found too.
 */
export function isWorkspaceSection<Candidate>(
  section: Candidate,
): section is Candidate & WorkspaceSection {
  if (typeof section !== "object" || section === null || !("filesystem" in section)) return false;
  const { filesystem } = section;
  if (typeof filesystem !== "object" || filesystem === null) return false;
  // A record of unknowns claims nothing; it only lets the names be looked up.
  const members = filesystem as Readonly<Record<string, unknown>>;
  return METHODS.every((name) => typeof members[name] === "function");
}
