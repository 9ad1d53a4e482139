import { fstatSync, readlinkSync } from "node:fs";
import type { FileContent } from "../../content/file-content.js";
import type { DriverEntry, DriverStat } from "../../driver/driver.js";
import type { WalkOptions } from "../../driver/driver-accelerators.js";
import { ROOT, type VirtualPath } from "../../path/virtual-path.js";
import type { Usage } from "../../protocol/filesystem.js";
import { isPromise, type MaybePromise } from "../../protocol/maybe-promise.js";
import type { HostDoor } from "../containment/host-door.js";
import { requireRegular } from "../containment/host-root.js";
import { driverStat } from "../containment/host-stat.js";
import { isBelowOwnTemporary } from "../containment/temporary-claims.js";
import { visibleEntries } from "../containment/visible-entries.js";
import { errorCode, fromNodeError, isAbsence } from "../process/from-node-error.js";
import { type HostWalkEntry, walkHost } from "./host-walk.js";
import { loadFile } from "./load-file.js";
import { measureUsage } from "./measure-usage.js";
import { readUpTo, revisionOfLeaf, withLeaf } from "./read-file.js";
import type { RevisionCache } from "./revision-cache.js";

/** Whether a node could not be opened because it is a link. */
function isLinkError(error: unknown): boolean {
  return ["ELOOP", "EMLINK"].includes(errorCode(error) ?? "");
}

/** The methods of the driver that only read. */
export function hostReading(door: HostDoor, cache: RevisionCache, crossMounts: boolean) {
  const { root } = door;

  function* walk(
    base: VirtualPath,
    enter: (path: VirtualPath) => boolean,
    { onClosed }: WalkOptions = {},
  ): Generator<HostWalkEntry, void, void> {
    door.requireReachable("walk", base);
    try {
      const options = { enter, onClosed, crossMounts };
      yield* walkHost(root, cache, base, options);
    } catch (error) {
      // Errors that `enter` throws, such as an abort reason, are passed on unchanged.
      throw errorCode(error) === undefined ? error : fromNodeError(error, "walk", base);
    }
  }

  return {
    walk,

    stat(path: VirtualPath): DriverStat | undefined {
      if (isBelowOwnTemporary(path)) return undefined;
      try {
        root.requireOpen();
        if (path === "") return driverStat(fstatSync(root.directory.fd));
        return root.inParent(path, (parent, leaf) => {
          const stat = parent.stat(leaf);
          return stat && driverStat(stat);
        });
      } catch (error) {
        // A path below a link, or with a name that cannot exist on disk, does not exist.
        if (isAbsence(error) || ["ELOOP", "EINVAL"].includes(errorCode(error) ?? ""))
          return undefined;
        throw fromNodeError(error, "stat", path);
      }
    },

    list(path: VirtualPath): readonly DriverEntry[] {
      return door.inDirectory("list", path, (directory) => visibleEntries(root, directory));
    },

    read(path: VirtualPath, offset: number, length: number): Uint8Array {
      return door.inParent("read", path, (parent, leaf) => {
        try {
          return withLeaf(root, parent, leaf, (fd) => {
            const stat = fstatSync(fd);
            requireRegular(stat);
            return readUpTo(fd, offset, Math.max(0, Math.min(length, stat.size - offset)));
          });
        } catch (error) {
          if (!isLinkError(error)) throw error;
          const target = readlinkSync(parent.pathOf(leaf), { encoding: "buffer" });
          return Uint8Array.from(target.subarray(offset, offset + length));
        }
      });
    },

    /** Returns synchronously unless the file is large. */
    load(path: VirtualPath, maxBytes: number): MaybePromise<FileContent | undefined> {
      if (path === "" || isBelowOwnTemporary(path)) return undefined;
      try {
        const loaded = root.inParent(path, (parent, leaf) =>
          loadFile(root, cache, parent, leaf, maxBytes),
        );
        if (!isPromise(loaded)) return loaded;
        return loaded.catch((error: unknown) => {
          throw fromNodeError(error, "read", path);
        });
      } catch (error) {
        if (isAbsence(error) || isLinkError(error)) return undefined;
        throw fromNodeError(error, "read", path);
      }
    },

    revision(path: VirtualPath): string {
      return door.inParent("stat", path, (parent, leaf) =>
        revisionOfLeaf(root, cache, parent, leaf),
      );
    },

    async usage({ signal }: { readonly signal?: AbortSignal | undefined } = {}): Promise<Usage> {
      return await measureUsage(
        walk(ROOT, () => true),
        signal,
      );
    },
  };
}
