import {
  type FilesystemTransaction,
  type SnapshotableFilesystem,
  wrapFilesystem,
} from "@wink/filesystem";

/** Runs a change while no process in the container can write. */
type WhileQuiet = <T>(change: () => Promise<T>) => Promise<T>;

/**
 * The files of a sandbox. No process in the container can write during a restore or rollback.
 *
 * The command of a cancelled call may still be running, and its writes after a restore would stay. So rollback and
 * restore wait until all processes of commands are dead.
 */
export function sandboxFilesystem(
  filesystem: SnapshotableFilesystem,
  whileQuiet: WhileQuiet,
): SnapshotableFilesystem {
  return wrapFilesystem(
    filesystem,
    (call, run) => (call.operation === "restore" ? whileQuiet(run) : run()),
    {
      begin: async (options) => quietly(await filesystem.begin(options), whileQuiet),
      transact: (body, options) =>
        filesystem.transact(body, { ...options, aroundRollback: whileQuiet }),
    },
  );
}

function quietly(
  transaction: FilesystemTransaction,
  whileQuiet: WhileQuiet,
): FilesystemTransaction {
  return {
    changes: () => transaction.changes(),
    commit: () => transaction.commit(),
    rollback: () => whileQuiet(() => transaction.rollback()),
    [Symbol.asyncDispose]: () => whileQuiet(async () => await transaction[Symbol.asyncDispose]()),
  };
}
