import type { FilesystemTransaction, SnapshotableFilesystem } from "@wink/filesystem";
import type { HostFilesystem } from "@wink/filesystem/host";

/** Runs a change of files while nothing in the container can write. */
type WhileQuiet = <T>(change: () => Promise<T>) => Promise<T>;

/**
 * The files of a sandbox, which nothing in a container changes while they are brought back.
 *
 * A call that was cancelled may still have a running command, and what it wrote after a restore would stay. So a
 * rollback and a restore wait until everything in the container is dead.
 */
export function sandboxFilesystem(
  filesystem: HostFilesystem,
  whileQuiet: WhileQuiet,
): SnapshotableFilesystem {
  const begin: SnapshotableFilesystem["begin"] = async (options) =>
    quietly(await filesystem.begin(options), whileQuiet);
  const restore: SnapshotableFilesystem["restore"] = (snapshot, options) =>
    whileQuiet(() => filesystem.restore(snapshot, options));
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
  whileQuiet: WhileQuiet,
): FilesystemTransaction {
  return {
    commit: () => transaction.commit(),
    rollback: () => whileQuiet(() => transaction.rollback()),
    [Symbol.asyncDispose]: () => whileQuiet(async () => await transaction[Symbol.asyncDispose]()),
  };
}
