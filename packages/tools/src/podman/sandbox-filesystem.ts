import type { FilesystemTransaction, SnapshotableFilesystem } from "@wink/filesystem";
import type { HostFilesystem } from "@wink/filesystem/host";

/**
 * The files of a sandbox, which nothing in a container changes while they are brought back.
 *
 * A call that was given up may still have a command on its way: what it wrote after the files were
 * restored would stay. So a rollback and a restore wait until everything in the container is dead.
 */
export function sandboxFilesystem(
  filesystem: HostFilesystem,
  quiet: () => Promise<void>,
): SnapshotableFilesystem {
  const begin: SnapshotableFilesystem["begin"] = async (options) =>
    quietly(await filesystem.begin(options), quiet);
  const restore: SnapshotableFilesystem["restore"] = async (snapshot, options) => {
    await quiet();
    await filesystem.restore(snapshot, options);
  };
  const replaced = new Map<PropertyKey, unknown>([
    ["begin", begin],
    ["restore", restore],
  ]);
  return new Proxy<SnapshotableFilesystem>(filesystem, {
    get(target, name) {
      if (replaced.has(name)) return replaced.get(name);
      const value: unknown = Reflect.get(target, name, target);
      // Methods need the filesystem itself, whose fields are private to it.
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

function quietly(
  transaction: FilesystemTransaction,
  quiet: () => Promise<void>,
): FilesystemTransaction {
  return {
    commit: () => transaction.commit(),
    async rollback() {
      await quiet();
      await transaction.rollback();
    },
    async [Symbol.asyncDispose]() {
      await quiet();
      await transaction[Symbol.asyncDispose]();
    },
  };
}
