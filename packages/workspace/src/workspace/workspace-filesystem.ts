import {
  type AroundCall,
  type FilesystemTransaction,
  paths,
  type SnapshotableFilesystem,
  SnapshotError,
  type VirtualPath,
  wrapFilesystem,
} from "@wink/filesystem";
import { TransactionQueue, type TransactionTurn } from "@wink/filesystem/internal";
import type { WorkspaceParts } from "./workspace-parts.js";

/** Hooks of a workspace's filesystem. */
export interface FilesystemHooks {
  /** Called before each call, with the paths that it touches. @default nothing is done */
  beforeCall?(paths: readonly VirtualPath[], operation: string): Promise<void>;
  /** If it rejects, the outermost transaction is not committed and can be rolled back. */
  beforeCommit?(): Promise<void>;
  afterCommit?(): Promise<void>;
  afterRollback?(): Promise<void>;
}

/**
 * The files for agents. Changes and transactions wait for other processes, so that no process applies half of a call.
 * Each changed path is recorded. A transaction that cannot be ended keeps the lock.
 */
export function workspaceFilesystem(
  { host, lock, touched }: WorkspaceParts,
  hooks: FilesystemHooks,
  onTouched: (path: string) => void,
): SnapshotableFilesystem {
  const transactions = new TransactionQueue();
  let depth = 0;
  const note = (given: readonly string[]) => {
    const normal = given.flatMap((path) => normalize(path, host.mountPoint) ?? []);
    touched.add(normal);
    for (const path of normal) onTouched(path);
  };
  const noteEverything = () => {
    touched.addEverything();
    onTouched("");
  };
  const around: AroundCall = async (call, run) => {
    const { kind, operation, paths: given } = call;
    if (kind !== "snapshot" && hooks.beforeCall !== undefined)
      await hooks.beforeCall(
        given.flatMap((path) => normalize(path, host.mountPoint) ?? []),
        operation,
      );
    if (kind === "change" || operation === "openWrite")
      return await lock.run(async () => {
        note(given);
        return await run();
      });
    if (operation !== "restore") return await run();
    return await lock.run(async () => {
      noteEverything();
      return await run();
    });
  };
  const begin: SnapshotableFilesystem["begin"] = async (options) => {
    const release = await lock.take().catch((cause: unknown) => {
      // A model reads this text.
      const reason = "another process is using these files; try again later";
      throw new SnapshotError("BUSY", { reason, cause });
    });
    let transaction: FilesystemTransaction;
    try {
      // A program outside of WINK will change files.
      if (options?.full) noteEverything();
      transaction = await host.begin(options);
    } catch (error) {
      release();
      throw error;
    }
    depth++;
    let isOpen = true;
    const end = async (how: "commit" | "rollback", after: (() => Promise<void>) | undefined) => {
      await transaction[how]();
      isOpen = false;
      depth--;
      try {
        if (depth === 0) await after?.();
      } finally {
        release();
      }
    };
    const rollback = () => end("rollback", hooks.afterRollback?.bind(hooks));
    return {
      async commit() {
        if (depth === 1) await hooks.beforeCommit?.();
        await end("commit", hooks.afterCommit?.bind(hooks));
      },
      rollback,
      changes: (...args) => transaction.changes(...args),
      async [Symbol.asyncDispose]() {
        if (isOpen) await rollback();
      },
    };
  };
  const transact: SnapshotableFilesystem["transact"] = async (body, options = {}) => {
    // The filesystem refuses wrong arguments.
    if (typeof body !== "function" || typeof options !== "object" || options === null)
      return await host.transact(body, options);
    const { aroundRollback = (rollback) => rollback(), ...rest } = options;
    const beginOne = async () => {
      const transaction = await begin(rest);
      const rollback = () => aroundRollback(() => transaction.rollback());
      return { commit: () => transaction.commit(), rollback };
    };
    const settings = { begin: beginOne, signal: rest.signal };
    return await transactions.transact(settings, (turn) => body(filesOf(turn)));
  };
  /** The files of a transaction, or those outside of one, whose changes wait for transactions. */
  const filesOf = (turn: TransactionTurn | undefined) =>
    wrapFilesystem(host, async ({ kind, operation }, run) => {
      if (kind === "change" || operation === "openWrite" || operation === "restore")
        await transactions.enter(turn);
      return await run();
    });
  return wrapFilesystem(filesOf(undefined), around, { begin, transact });
}

/** `undefined` for a path that the filesystem refuses. */
function normalize(path: string, mountPoint: string | undefined): VirtualPath | undefined {
  try {
    return paths.normalizePath(path, { operation: "changes", mountPoint }).path;
  } catch {
    return undefined;
  }
}
