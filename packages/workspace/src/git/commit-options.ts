import type { CallOptions } from "@wink/filesystem";

export interface CommitOptions extends CallOptions {
  /** The branch, such as `fix/median`. It is created if it does not exist. It must not be checked out. */
  readonly branch: string;
  readonly message: string;
  /** @default the identity in the user's git settings */
  readonly author?: { readonly name: string; readonly email: string } | undefined;
  /**
   * What to do if a file on the branch differs from the mounted one. `merge` combines changes to different lines of a
   * text and refuses otherwise. @default "refuse"
   */
  readonly onConflict?: "refuse" | "merge" | undefined;
}

/** Paths are workspace paths, in byte order. */
export interface CommitReport {
  readonly branch: string;
  /** `undefined` when there was nothing to commit. */
  readonly commitId: string | undefined;
  readonly written: readonly string[];
  readonly deleted: readonly string[];
  /** The files of `written` that contain changes of both sides. */
  readonly merged: readonly string[];
  /** Paths that no mount contains, and names that git treats specially. They were not committed. */
  readonly outside: readonly string[];
}
