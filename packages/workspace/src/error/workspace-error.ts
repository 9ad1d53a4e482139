// `Symbol.for`, so that two copies of this package recognise each other's errors.
const BRAND = Symbol.for("wink.workspace.error");

/** The error class of this package; host calls on single files fail with a `FilesystemError`. Branch on `code`, and test with {@link isWorkspaceError}. */
export class WorkspaceError extends Error {
  override readonly name: string = "WorkspaceError";
  readonly code: /** An option of a mount is missing, misspelt or of the wrong type. */
    | "INVALID_OPTION"
    /** Files, or a branch, changed since the mount. See `conflicts`. */
    | "CONFLICT"
    /** git is not installed, or too old. */
    | "GIT_MISSING"
    | "NOT_A_REPOSITORY"
    | "UNKNOWN_REVISION"
    | "INVALID_BRANCH"
    /** The branch is checked out, so a commit to it would change the state of a work tree. */
    | "BRANCH_CHECKED_OUT"
    /** Another process moved the branch. */
    | "BRANCH_MOVED"
    | "GIT_FAILED"
    /** The directory has no workspace, and none may be created. */
    | "NO_WORKSPACE"
    /** Another process uses the workspace, or changed it in the meantime. */
    | "BUSY"
    /** The stored workspace is damaged, or of another version. */
    | "STATE_UNREADABLE"
    /** The state directory cannot be written. */
    | "STATE_UNUSABLE"
    | "NOTHING_TO_UNDO"
    /** No changed file matches a given path. */
    | "UNKNOWN_PATH"
    | "UNKNOWN_HUNK"
    | "UNKNOWN_LINE";
  readonly subject: string;
  readonly reason: string;
  readonly [BRAND] = true;

  constructor(
    code: WorkspaceError["code"],
    options: {
      /** What the problem is about: an option, a branch, a revision. Never a host path. */
      readonly subject: string;
      /** The problem and what to do, as sentences. */
      readonly reason: string;
      readonly cause?: unknown;
    },
  ) {
    // A caller in JavaScript may forget them. An error that cannot be created would hide the problem.
    const given: Partial<typeof options> = options ?? {};
    const { subject = "workspace", reason = "it failed.", cause } = given;
    super(`${subject}: ${reason}`, cause === undefined ? {} : { cause });
    this.code = code;
    this.subject = subject;
    this.reason = reason;
  }
}

/** Whether `error` is a {@link WorkspaceError} of any copy of the package and, if `code` is given, has that code. */
export function isWorkspaceError(
  error: unknown,
  code?: WorkspaceError["code"],
): error is WorkspaceError {
  if (typeof error !== "object" || error === null || !(BRAND in error)) return false;
  return code === undefined || (error as WorkspaceError).code === code;
}
