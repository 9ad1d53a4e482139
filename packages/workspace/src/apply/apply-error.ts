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

// `Symbol.for`, so that two copies of this package recognise each other's errors.
const BRAND = Symbol.for("wink.filesystem.apply-conflict");
const MAX_PATHS_SHOWN = 5;

/** The host has changed since the mount. Nothing was written. */
export class ApplyConflictError extends Error {
  override readonly name = "ApplyConflictError";
  /** Sorted by path, in byte order. */
  readonly conflicts: readonly ApplyConflict[];
  readonly [BRAND] = true;

  constructor(conflicts: readonly ApplyConflict[]) {
    const shown = conflicts
      .slice(0, MAX_PATHS_SHOWN)
      .map(({ path, reason }) => `${path} (${reason})`);
    const more = conflicts.length - shown.length;
    super(
      `The host has changed: ${shown.join(", ")}${more > 0 ? ` and ${more} more` : ""}. Nothing was written.`,
    );
    this.conflicts = Object.freeze([...conflicts]);
  }
}

export function isApplyConflictError(error: unknown): error is ApplyConflictError {
  return typeof error === "object" && error !== null && BRAND in error;
}
