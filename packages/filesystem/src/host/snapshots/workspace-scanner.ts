import { randomBytes } from "node:crypto";
import type { VirtualPath } from "../../path/virtual-path.js";
import type { HostRoot } from "../containment/host-root.js";
import type { ObjectDatabase } from "../git-store/object-database.js";
import { sliced } from "../git-store/sliced.js";
import { readIfThere, replaceFile } from "../process/store-io.js";
import type { CapturePolicy } from "./capture-policy.js";
import { type Scan, scanWorkspace } from "./scan-workspace.js";
import type { ScannedDirectory } from "./scanned-tree.js";
import type { StatCacheFile } from "./stat-cache.js";

export interface WorkspaceScannerOptions {
  readonly root: HostRoot;
  readonly rootKey: string;
  readonly objects: ObjectDatabase;
  readonly policy: CapturePolicy;
  readonly cache: StatCacheFile | undefined;
  /** How long after its last change a file may change again without a change of its stat. */
  readonly unseenMs: number;
  /** The file that changes whenever objects are removed from the store. */
  readonly generationPath: string;
}

/** After this many new objects, the scan is saved for the next process. */
const WORTH_SAVING = 1_000;

/** Scans the workspace incrementally: reads only what may have changed since the last scan. */
export class WorkspaceScanner {
  readonly #options: WorkspaceScannerOptions;
  #previous: ScannedDirectory | undefined;
  #generation: string | undefined;
  #unsaved = 0;

  constructor(options: WorkspaceScannerOptions) {
    this.#options = options;
  }

  /** The result of the last scan. */
  get previous(): ScannedDirectory | undefined {
    return this.#previous;
  }

  /**
   * Scans the current files. With `storing`, new objects are added to the database but not yet settled, and no
   * garbage collection may run.
   */
  async scan(options: {
    readonly storing: boolean;
    readonly signal?: AbortSignal | undefined;
    readonly looksAt?: ((path: VirtualPath) => boolean) | undefined;
  }): Promise<Scan> {
    const { root, objects, policy, unseenMs } = this.#options;
    const generation = readGeneration(this.#options.generationPath);
    if (this.#generation !== generation) objects.refresh();
    if (this.#previous === undefined) this.#load(generation);
    const doubtful = this.#generation !== generation;
    const previous = this.#previous;
    const { storing, looksAt } = options;
    const given = { root, objects, policy, unseenMs, previous, doubtful, storing, looksAt };
    const steps = scanWorkspace(given);
    const scan = await sliced(steps, { root, signal: options.signal });
    if (scan.unreadable.length > 0) return scan;
    this.#previous = scan.tree;
    this.#unsaved += objects.takePutCount();
    // Only a scan that stores has checked that the objects exist.
    if (storing) this.#generation = generation;
    return scan;
  }

  /** Drops the cached scan, for example after new objects were discarded. */
  forget(): void {
    this.#previous = undefined;
    this.#generation = undefined;
  }

  /** Saves the last scan for the next process if enough has changed. */
  save(options: { readonly always: boolean }): void {
    const { cache } = this.#options;
    if (cache === undefined || this.#previous === undefined || this.#generation === undefined)
      return;
    if (this.#unsaved === 0 || (!options.always && this.#unsaved < WORTH_SAVING)) return;
    cache.save(this.#key(this.#generation), this.#previous);
    this.#unsaved = 0;
  }

  #load(generation: string): void {
    this.#previous = this.#options.cache?.load(this.#key(generation));
    // The objects still exist: none were removed since the scan was saved.
    if (this.#previous !== undefined) this.#generation = generation;
  }

  #key(generation: string) {
    const { rootKey, policy } = this.#options;
    return { rootKey, policyKey: policy.key, generation };
  }
}

/**
 * Changes whenever objects were removed. A process with another value must check whether its objects still exist.
 */
function readGeneration(path: string): string {
  return readIfThere(path)?.toString("latin1") ?? "";
}

export function changeGeneration(path: string, fsync: boolean): void {
  replaceFile(path, [Buffer.from(randomBytes(16).toString("hex"))], { fsync });
}
