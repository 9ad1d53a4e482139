import type { LeftOut } from "../../snapshots/filesystem-snapshot.js";
import { isObjectId, type ObjectFormat } from "./object-format.js";

/** The metadata in a snapshot's commit. */
export interface SnapshotCommit {
  readonly treeId: string;
  readonly snapshotId: string;
  readonly createdAt: string;
  /** The number of the snapshot in its store. Clocks may jump, so timestamps do not decide which one is newer. */
  readonly sequence: number;
  /** Identifies the workspace without revealing its path. */
  readonly rootKey: string;
  readonly tag?: string | undefined;
  readonly name?: string | undefined;
  readonly leftOut?: readonly LeftOut[] | undefined;
}

const AUTHOR = "wink <wink@localhost>";
const MARK = "\n\nwink-snapshot: ";

/** The content of the commit object. It has no parent, so that each snapshot can be deleted separately. */
export function encodeSnapshotCommit(commit: SnapshotCommit, title = subject(commit)): Buffer {
  const { treeId, ...facts } = commit;
  const seconds = Math.max(0, Math.floor(Date.parse(commit.createdAt) / 1000));
  return Buffer.from(
    [
      `tree ${treeId}`,
      `author ${AUTHOR} ${seconds} +0000`,
      `committer ${AUTHOR} ${seconds} +0000`,
      "",
      // JSON escapes control characters and invalid Unicode, so any tag fits into one line.
      `${title}${MARK}${JSON.stringify(facts)}\n`,
    ].join("\n"),
  );
}

function subject({ name, tag, snapshotId }: SnapshotCommit): string {
  const text = (tag ?? "").replace(/[\p{C}\s]+/gu, " ").trim();
  return [name ?? snapshotId, text.slice(0, 60)].filter((part) => part !== "").join(": ");
}

/** Reads a commit that this store wrote. Returns `undefined` for any other commit. */
export function decodeSnapshotCommit(
  format: ObjectFormat,
  content: Buffer,
): SnapshotCommit | undefined {
  const text = content.toString();
  const treeId = /^tree ([0-9a-f]+)\n/.exec(text)?.[1];
  // The last mark counts, because a title may contain the same text.
  const mark = text.lastIndexOf(MARK);
  if (mark < 0 || !isObjectId(format, treeId)) return undefined;
  const facts = parse(text.slice(mark + MARK.length));
  return facts && { ...facts, treeId };
}

function parse(json: string): Omit<SnapshotCommit, "treeId"> | undefined {
  try {
    // The object's hash was checked when it was read. An attacker who can forge the object can forge the whole
    // store.
    const facts: Omit<SnapshotCommit, "treeId"> = JSON.parse(json);
    const complete =
      typeof facts.snapshotId === "string" &&
      typeof facts.createdAt === "string" &&
      typeof facts.sequence === "number" &&
      typeof facts.rootKey === "string";
    return complete ? facts : undefined;
  } catch {
    return undefined;
  }
}
