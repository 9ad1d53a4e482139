import {
  type FilesystemTransaction,
  type SnapshotableFilesystem,
  SnapshotError,
  wrapFilesystem,
} from "@wink/filesystem";
import type { WorkspaceTurn } from "./record-log.js";

/** Hooks around the end of an outermost transaction. */
export interface TransactionEnds {
  /** If it rejects, the transaction is not committed and can be rolled back. */
  beforeCommit(): Promise<void>;
  afterCommit(): Promise<void>;
  afterRollback(): Promise<void>;
}

/**
 * Serialises the transactions of a filesystem across processes, so that no process applies half of
 * a call. A transaction that cannot be ended keeps the lock.
 *
 * @param ends hooks around the end of each outermost transaction
 */
export function takeTurns(
  filesystem: SnapshotableFilesystem,
  turn: WorkspaceTurn,
  ends?: TransactionEnds,
): SnapshotableFilesystem {
  let depth = 0;
  const ending = async (
    end: () => PromiseLike<void>,
    release: () => Promise<void>,
    after: (() => Promise<void>) | undefined,
  ) => {
    await end();
    depth--;
    try {
      if (depth === 0) await after?.();
    } finally {
      await release();
    }
  };
  const begin: SnapshotableFilesystem["begin"] = async (options) => {
    const release = await turn.take().catch((cause: unknown) => {
      // A model reads this text.
      const reason = "another process is using these files; try again later";
      throw new SnapshotError("BUSY", { reason, cause });
    });
    let transaction: FilesystemTransaction;
    try {
      transaction = await filesystem.begin(options);
    } catch (error) {
      await release();
      throw error;
    }
    depth++;
    let isOpen = true;
    const end = async (how: "commit" | "rollback", after: (() => Promise<void>) | undefined) => {
      await ending(() => transaction[how](), release, after);
      isOpen = false;
    };
    return {
      async commit() {
        if (depth === 1) await ends?.beforeCommit();
        await end("commit", ends?.afterCommit.bind(ends));
      },
      changes: () => transaction.changes(),
      rollback: () => end("rollback", ends?.afterRollback.bind(ends)),
      async [Symbol.asyncDispose]() {
        if (isOpen) await end("rollback", ends?.afterRollback.bind(ends));
      },
    };
  };
  return wrapFilesystem(filesystem, (_, run) => run(), { begin });
}
