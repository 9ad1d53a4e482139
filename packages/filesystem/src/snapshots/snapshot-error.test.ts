import { expect, it } from "vitest";
import { CodedError } from "../protocol/coded-error.js";
import { isSnapshotError, SnapshotError } from "./snapshot-error.js";

it.each([
  ["UNKNOWN_SNAPSHOT", "snapshot: it does not exist in this workspace."],
  [
    "INVALID_NAME",
    "snapshot name: it must start with a letter, digit or _ and contain only those, - and single dots.",
  ],
  [
    "CORRUPT",
    "snapshot: it is damaged and cannot be restored. Call verify to find all damaged snapshots.",
  ],
  [
    "UNREADABLE",
    "snapshot: some files could not be read, so nothing was captured. Make them readable, or delete them.",
  ],
  ["INCOMPLETE", "workspace: it was only partly restored. Restore it again to continue."],
  ["NO_SPACE", "snapshot store: no space is left on its disk. Free some space and try again."],
  ["BUSY", "snapshot store: another process is using it. Try again later."],
  ["INVALID_ARCHIVE", "archive: it is not a snapshot."],
  ["INVALID_STORE", "snapshot store: it cannot be used."],
  [
    "TRANSACTION_ENDED",
    "transaction: it has already ended, or an inner transaction is still open.",
  ],
] satisfies [SnapshotError["code"], string][])(
  "SnapshotError has a message with its subject, the problem and the advice: %s (FS-65)",
  (code, message) => {
    const error = new SnapshotError(code);
    expect(error).toMatchObject({ name: "SnapshotError", code, message, paths: [] });
    const { subject, reason, advice } = error;
    expect(message).toBe(`${subject}: ${reason}.${advice ? ` ${advice}` : ""}`);
    expect(error).toBeInstanceOf(CodedError);
    expect([isSnapshotError(error, code), isSnapshotError(new Error(message))]).toEqual([
      true,
      false,
    ]);
  },
);

it("SnapshotError names at most five paths, without control characters (FS-66)", () => {
  const paths = ["a\nb", "2", "3", "4", "5", "6", "7"];
  const error = new SnapshotError("UNREADABLE", { paths });
  expect(error.paths).toEqual(paths);
  expect(error.reason).toBe(
    "some files could not be read, so nothing was captured: a\\u{a}b, 2, 3, 4, 5 and 2 more",
  );
  expect(new SnapshotError("CORRUPT", { subject: "snapshot 's1'", reason: "gone" }).message).toBe(
    "snapshot 's1': gone.",
  );
});
