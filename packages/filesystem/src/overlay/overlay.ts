import { findOptionProblem } from "@wink/store/internal";
import { DriverFilesystem, type FilesystemOptions } from "../backend/driver-filesystem.js";
import { InMemoryFilesystem } from "../backend/in-memory-filesystem.js";
import type { SnapshottingDriver } from "../driver/driver-snapshots.js";
import { compareTrees } from "../patch/compare-trees.js";
import { ROOT } from "../path/virtual-path.js";
import type { CallOptions, Filesystem } from "../protocol/filesystem.js";
import { FilesystemError, invalidArgument } from "../protocol/filesystem-error.js";
import { checkOptionNames } from "../protocol/filesystem-options.js";
import type { ChangeSet } from "../snapshots/change-set.js";
import { baseNode } from "./overlay-node.js";
import { overlaySnapshots } from "./overlay-snapshots.js";
import { OverlayTree } from "./overlay-tree.js";
import { OverlayView } from "./overlay-view.js";
import { PinnedBase } from "./pinned-base.js";

/** A copy-on-write view of another filesystem. See {@link overlay}. */
export interface OverlayFilesystem extends DriverFilesystem {
  /** What the overlay changes in its base. Reads only what differs. */
  changes(options?: CallOptions): Promise<ChangeSet>;
  /** Copies all files of the base and the overlay into a filesystem in memory. The copy needs neither of them. */
  flatten(options?: CallOptions): Promise<InMemoryFilesystem>;
}

/**
 * A filesystem that shows the files of `base` and stores every change itself, so that `base` never changes.
 *
 * It is made without reading anything, and unchanged files are read from `base` each time. A file or directory is pinned
 * when it is first seen: if `base` changes it later, the overlay does not show that, and reading its content fails with
 * `ESTALE`. Copies, moves, snapshots and forks copy no content. Written contents are in memory.
 *
 * @param options of the overlay. Limits and the mount point are those of `base` by default.
 */
export function overlay(base: Filesystem, options: OverlayOptions = {}): OverlayFilesystem {
  if (typeof base?.stat !== "function")
    throw invalidArgument("overlay", "the first argument must be a filesystem");
  checkOptionNames(options, ["clock"]);
  const { clock = Date.now, ...rest } = options;
  if (typeof clock !== "function") throw invalidArgument("overlay", "clock must be a function");
  const { limits, mountPoint } = base;
  const settings = { mountPoint, ...rest, limits: { ...limits, ...rest.limits } };
  const tree = new OverlayTree(new PinnedBase(base), clock);
  return new Overlay(tree, settings, clock);
}

export interface OverlayOptions extends Omit<FilesystemOptions, "root"> {
  /** Returns the current time in milliseconds since 1970. @default Date.now */
  readonly clock?: (() => number) | undefined;
}

class Overlay extends DriverFilesystem implements OverlayFilesystem {
  readonly #tree: OverlayTree;
  readonly #settings: FilesystemOptions;

  constructor(tree: OverlayTree, settings: FilesystemOptions, clock: () => number) {
    super(overlayDriver(tree, settings.mountPoint ?? "/", clock), settings);
    this.#tree = tree;
    this.#settings = settings;
  }

  async changes(options: CallOptions = {}): Promise<ChangeSet> {
    signalOf("changes", options)?.throwIfAborted();
    const before = new OverlayView(this.#tree, baseNode(ROOT, "directory"));
    return await compareTrees(before, new OverlayView(this.#tree, this.#tree.root));
  }

  async flatten(options: CallOptions = {}): Promise<InMemoryFilesystem> {
    const signal = signalOf("flatten", options);
    const { mountPoint, limits } = this.#settings;
    const copy = new InMemoryFilesystem({ mountPoint, limits, allowGit: true });
    const view = new OverlayView(this.#tree, this.#tree.root);
    await copy.restore(await copy.importSnapshot(view, { signal }), { signal });
    for (const snapshot of await copy.snapshots()) await copy.deleteSnapshot(snapshot);
    return copy;
  }
}

function overlayDriver(
  tree: OverlayTree,
  rootPath: string,
  clock: () => number,
): SnapshottingDriver {
  const require = async (path: Parameters<OverlayTree["find"]>[0], options: CallOptions) => {
    const node = await tree.find(path, options);
    if (node === undefined) throw new FilesystemError("ENOENT", { operation: "read", path });
    return node;
  };
  return {
    name: "overlay",
    stores: ["links", "modes", "times"],
    async stat(path, options) {
      const node = await tree.find(path, options);
      return node && (await tree.describe(node, options));
    },
    async list(path, options) {
      const children = await tree.childrenOf(await require(path, options), options);
      return [...children].map(([name, { kind }]) => ({ name, kind }));
    },
    async read(path, offset, length, options) {
      return await tree.read(await require(path, options), offset, length, options);
    },
    write: (path, bytes, mode, options) => tree.write(path, bytes, mode, options),
    mkdir: (path, options) => tree.makeDirectory(path, options),
    remove: (path, options) => tree.put(path, undefined, options),
    accelerate: {
      async *walk(base, enter, options) {
        yield* tree.walk(base, await require(base, options), enter, options);
      },
      async clone(from, to, options) {
        await tree.put(to, await require(from, options), options);
      },
      async rename(from, to, options) {
        const node = await require(from, options);
        await tree.put(from, undefined, options);
        await tree.put(to, node, options);
      },
      removeTree: (path, options) => tree.put(path, undefined, options),
    },
    snapshots: overlaySnapshots(tree, {
      ...{ rootPath, clock },
      driverOf: (fork) => overlayDriver(fork, rootPath, clock),
    }),
  };
}

function signalOf(operation: string, options: CallOptions): AbortSignal | undefined {
  const problem = findOptionProblem(options, ["signal"]);
  if (problem !== undefined) throw invalidArgument(operation, problem);
  return options.signal;
}
