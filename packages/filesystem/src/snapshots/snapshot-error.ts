import { CodedError, isBranded, orEmpty, printable } from "../protocol/coded-error.js";

const STORE = "snapshot store";

/** What a code is about and means, and what a developer can do if that is always the same. */
const MEANINGS = {
  UNKNOWN_SNAPSHOT: { subject: "snapshot", reason: "it does not exist in this workspace" },
  INVALID_NAME: {
    subject: "snapshot name",
    reason: "it must start with a letter, digit or _ and contain only those, - and single dots",
  },
  CORRUPT: {
    subject: "snapshot",
    reason: "it is damaged and cannot be restored",
    advice: "Call verify to find all damaged snapshots.",
  },
  UNREADABLE: {
    subject: "snapshot",
    reason: "some files could not be read, so nothing was captured",
    advice: "Make them readable, or delete them.",
  },
  INCOMPLETE: {
    subject: "workspace",
    reason: "it was only partly restored",
    advice: "Restore it again to continue.",
  },
  NO_SPACE: {
    subject: STORE,
    reason: "no space is left on its disk",
    advice: "Free some space and try again.",
  },
  BUSY: { subject: STORE, reason: "another process is using it", advice: "Try again later." },
  INVALID_ARCHIVE: { subject: "archive", reason: "it is not a snapshot" },
  INVALID_STORE: { subject: STORE, reason: "it cannot be used" },
  TRANSACTION_ENDED: {
    subject: "transaction",
    reason: "it has already ended, or an inner transaction is still open",
  },
} as const;

// `Symbol.for`, so that two copies of this package recognise each other's errors.
const BRAND = Symbol.for("wink.filesystem.snapshot-error");
const MAX_PATHS_SHOWN = 5;

/** A snapshot could not be created, found or restored. Branch on `code`. Its message is `subject: problem. Advice.` */
export class SnapshotError extends CodedError<keyof typeof MEANINGS> {
  override readonly name = "SnapshotError";
  readonly paths: readonly string[];
  readonly [BRAND] = true;

  constructor(
    code: SnapshotError["code"],
    options: {
      /** What the error is about, such as `snapshot 'first'`. Never a host path. @default that of the code */
      readonly subject?: string | undefined;
      /** The problem, if a more precise one helps. Never contains a host path. @default that of the code */
      readonly reason?: string | undefined;
      /** What a developer can do, as a sentence. @default that of the code, unless `reason` is given */
      readonly advice?: string | undefined;
      /** The affected workspace paths. @default none */
      readonly paths?: readonly string[] | undefined;
      readonly cause?: unknown;
    } = {},
  ) {
    const { paths = [], subject: given, reason: problem } = orEmpty(options);
    const known = MEANINGS[code] ?? UNKNOWN_CODE;
    const subject = printable(given ?? known.subject);
    const listed = paths.length === 0 ? "" : `: ${listPaths(paths)}`;
    const reason = problem && `${problem}${listed}`;
    super(
      subject,
      code,
      { ...options, subject, reason },
      { ...known, reason: known.reason + listed },
    );
    this.paths = Object.freeze([...paths]);
  }
}

const UNKNOWN_CODE = { subject: "snapshot", reason: "it failed" };

function listPaths(paths: readonly string[]): string {
  const shown = paths.slice(0, MAX_PATHS_SHOWN).map(printable).join(", ");
  const more = paths.length - MAX_PATHS_SHOWN;
  return more > 0 ? `${shown} and ${more} more` : shown;
}

/** Whether `error` is a {@link SnapshotError} (of any copy of the package), with this `code` if one is given. */
export function isSnapshotError(
  error: unknown,
  code?: SnapshotError["code"],
): error is SnapshotError {
  return isBranded(error, BRAND, code);
}
