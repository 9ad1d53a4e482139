export interface ApplyConflict {
  /** The workspace path. */
  readonly path: string;
  /**
   * `changed`: the host's file is no longer what was mounted. `missing`: it is gone from the host. `exists`: something
   * is on the host where a new file should go. `blocked`: a file or directory is in the way. `link`: a
   * symbolic link is involved, and none is written or followed. `overlap`: two changes lead to one file.
   */
  readonly reason: "changed" | "missing" | "exists" | "blocked" | "link" | "overlap";
}

// Registered, so that two copies of this package still recognise each other's errors.
const BRAND = Symbol.for("wink.filesystem.apply-conflict");
const MOST_PATHS_SHOWN = 5;

/** The host is not as it was when it was copied. Nothing was changed there. */
export class ApplyConflictError extends Error {
  override readonly name = "ApplyConflictError";
  /** By path in byte order. */
  readonly conflicts: readonly ApplyConflict[];
  readonly [BRAND] = true;

  constructor(conflicts: readonly ApplyConflict[]) {
    const shown = conflicts
      .slice(0, MOST_PATHS_SHOWN)
      .map(({ path, reason }) => `${path} (${reason})`);
    const more = conflicts.length - shown.length;
    super(
      `The host has changed since: ${shown.join(", ")}${more > 0 ? ` and ${more} more` : ""}. Nothing was written.`,
    );
    this.conflicts = Object.freeze([...conflicts]);
  }
}

export function isApplyConflictError(error: unknown): error is ApplyConflictError {
  return typeof error === "object" && error !== null && BRAND in error;
}
