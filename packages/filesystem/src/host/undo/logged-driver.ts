import type { DriverAccelerators, DriverWriter } from "../../driver/driver-accelerators.js";
import type { VirtualPath } from "../../path/virtual-path.js";
import { FilesystemError } from "../../protocol/filesystem-error.js";
import type { HostRoot } from "../containment/host-root.js";
import { hasMountsBelow } from "../containment/mount-guard.js";
import { visibleEntries } from "../containment/visible-entries.js";
import type { HostDriver } from "../driver/host-driver.js";
import { errorCode, fromNodeError, isAbsence } from "../process/from-node-error.js";
import type { Transactions } from "./transactions.js";
import type { UndoLog } from "./undo-log.js";

/** A host driver whose `openWrite` may return any `DriverWriter`. */
export interface LoggedDriver extends Omit<HostDriver, "accelerate"> {
  readonly accelerate: Omit<HostDriver["accelerate"], "openWrite"> &
    Required<Pick<DriverAccelerators, "openWrite">>;
}

/**
 * Wraps a driver so that each call that changes the workspace is first recorded in the undo log of the open
 * transaction.
 */
export function loggedDriver(
  driver: HostDriver,
  root: HostRoot,
  transactions: Transactions,
): LoggedDriver {
  /** Calls `note` with the undo log if a transaction is open. The driver itself rejects invalid calls. */
  const noting = (operation: string, path: VirtualPath, note: (log: UndoLog) => void): void => {
    const { log } = transactions;
    if (log === undefined || path === "") return;
    try {
      note(log);
    } catch (error) {
      throw fromNodeError(error, operation, path);
    }
  };
  const beforePut = (operation: string, path: VirtualPath) =>
    noting(operation, path, (log) => log.beforePut(path));

  const { accelerate } = driver;
  return {
    ...driver,
    write(path, bytes, mode, options) {
      beforePut("write", path);
      return driver.write(path, bytes, mode, options);
    },
    mkdir(path, options) {
      const { permissions, modifiedAtMs } = options ?? {};
      if (permissions !== undefined || modifiedAtMs !== undefined)
        noting("mkdir", path, (log) => log.beforeAttributes(path));
      beforePut("mkdir", path);
      driver.mkdir(path, options);
    },
    async remove(path) {
      if (transactions.log === undefined || !isRemovable(root, path)) return driver.remove(path);
      noting("delete", path, (log) => log.moveAway(path));
    },
    accelerate: {
      ...accelerate,
      async removeTree(path, options) {
        if (transactions.log === undefined) return accelerate.removeTree(path, options);
        requireNoMounts(root, path);
        noting("delete", path, (log) => log.moveAway(path));
      },
      rename(from, to) {
        noting("move", from, (log) => log.beforeRename(from, to));
        accelerate.rename(from, to);
      },
      async clone(from, to, options) {
        beforePut("copy", to);
        await accelerate.clone(from, to, options);
      },
      async openWrite(path, mode, options) {
        const writer = await accelerate.openWrite(path, mode, options);
        return loggedWriter(writer, () => beforePut("openWrite", path));
      },
    },
  };
}

function loggedWriter(writer: DriverWriter, beforePut: () => void): DriverWriter {
  return {
    write: (bytes) => writer.write(bytes),
    commit() {
      beforePut();
      return writer.commit();
    },
    abort: () => writer.abort(),
  };
}

/** Whether the driver would remove the node. It refuses only a directory that is not empty. */
function isRemovable(root: HostRoot, path: VirtualPath): boolean {
  if (path === "") return false;
  try {
    return root.inParent(path, (parent, leaf) => {
      const stat = parent.stat(leaf);
      if (!stat?.isDirectory()) return stat !== undefined;
      const directory = root.openDirectory(parent, leaf);
      try {
        return visibleEntries(root, directory).length === 0;
      } finally {
        root.leave(directory);
      }
    });
  } catch (error) {
    // If the entry does not exist, the driver refuses the call. After any other error it might remove a file that is
    // not in the log.
    if (isAbsence(error) || errorCode(error) === "ELOOP") return false;
    throw fromNodeError(error, "delete", path);
  }
}

function requireNoMounts(root: HostRoot, path: VirtualPath): void {
  if (!hasMountsBelow(root, path)) return;
  throw new FilesystemError("EACCES", {
    operation: "delete",
    path,
    reason: "another filesystem is mounted there",
  });
}
