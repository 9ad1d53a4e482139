import type { FilesystemTransaction, SnapshotableFilesystem } from "@wink/filesystem";
import type { HostFilesystem } from "@wink/filesystem/host";

/** Runs a change while no process in the container can write. */
type WhileQuiet = <T>(change: () => Promise<T>) => Promise<T>;

/**
 * The files of a sandbox. No process in the container can write during a restore or rollback.
 *
 * The command of a cancelled call may still be running, and its writes after a restore would stay. So rollback and
 * restore wait until all processes of commands are dead.
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
      // Methods need the filesystem itself as `this`, because its fields are private.
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
