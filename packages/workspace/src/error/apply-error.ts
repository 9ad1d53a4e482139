import { isWorkspaceError, WorkspaceError } from "./workspace-error.js";

export interface ApplyConflict {
  /** The workspace path. */
  readonly path: string;
  /**
   * `changed`: the file on the host differs from the mounted one. `missing`: it was deleted on the host. `exists`: the
   * host already has something at the path of a new file. `blocked`: a file or directory is in the way. `link`: the
   * path has a symbolic link; links are neither written nor followed. `overlap`: two changes have the same host path.
   */
  readonly reason: "changed" | "missing" | "exists" | "blocked" | "link" | "overlap";
}

const MAX_PATHS_SHOWN = 5;

/** The host has changed since the mount. Nothing was written. */
export class ApplyConflictError extends WorkspaceError {
  override readonly name: string = "ApplyConflictError";
  /** Sorted by path, in byte order. */
  readonly conflicts: readonly ApplyConflict[];

  /** @param subject what has changed, for the message */
  constructor(given: readonly ApplyConflict[], subject = "The host has changed") {
    const conflicts = conflictsIn(given);
    const shown = conflicts
      .slice(0, MAX_PATHS_SHOWN)
      .map(({ path, reason }) => `${path} (${reason})`);
    const more = conflicts.length - shown.length;
    const listed = `${shown.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
    super("CONFLICT", { subject, reason: `${listed}. Nothing was written.` });
    this.conflicts = Object.freeze([...conflicts]);
  }
}

/** A caller in JavaScript may pass anything. */
function conflictsIn(given: readonly ApplyConflict[]): readonly ApplyConflict[] {
  const all: readonly unknown[] = Array.isArray(given) ? given : [];
  return all.filter((each): each is ApplyConflict => typeof each === "object" && each !== null);
}

export function isApplyConflictError(error: unknown): error is ApplyConflictError {
  return isWorkspaceError(error, "CONFLICT");
}
