import { parentPath, ROOT, type VirtualPath } from "../../path/virtual-path.js";
import { SnapshotError } from "../../snapshots/snapshot-error.js";
import type { HostRoot } from "../containment/host-root.js";
import type { ObjectDatabase } from "../git-store/object-database.js";
import { readBlob, readTree } from "../git-store/read-captured.js";
import type { RestoreJournal } from "../journal/restore-journal.js";
import { errorCode } from "../process/from-node-error.js";
import { applySteps, type FailedStep } from "./apply-steps.js";
import { planRestore, type RestorePlan, type RestoreStep } from "./restore-plan.js";
import type { ScannedDirectory } from "./scanned-tree.js";
import type { RegisteredSnapshot } from "./snapshot-registry.js";
import type { WorkspaceScanner } from "./workspace-scanner.js";

/** How often a restore is repeated because another process changes files. */
const MAX_ROUNDS = 3;
/** Blobs up to this total size stay in memory between the check and the write. */
const MAX_HELD_BYTES = 64 * 1024 * 1024;

export interface WorkspaceRestorerOptions {
  readonly root: HostRoot;
  readonly objects: ObjectDatabase;
  readonly scanner: WorkspaceScanner;
  readonly journal: RestoreJournal;
  readonly fsync: boolean;
}

/** Restores the workspace to a captured state. */
export class WorkspaceRestorer {
  readonly #options: WorkspaceRestorerOptions;

  constructor(options: WorkspaceRestorerOptions) {
    this.#options = options;
  }

  /**
   * Either changes nothing, or leaves the journal on disk until the restore is complete.
   *
   * @throws SnapshotError `CORRUPT` before anything is changed, `INCOMPLETE` or `NO_SPACE` with the journal left on
   * disk
   */
  async restore({ commitId, commit }: RegisteredSnapshot): Promise<void> {
    const { journal, scanner } = this.#options;
    let current = await this.#look();
    let plan = this.#plan(current, commit);
    let failed: readonly FailedStep[] = [];
    for (let round = 0; plan.steps.length > 0 && round < MAX_ROUNDS; round++) {
      const blobs = this.#requireBlobs(plan.steps);
      if (round === 0) journal.begin(commitId);
      failed = await this.#apply(plan.steps, blobs);
      const touched = touchedDirectories(plan.steps);
      // Scan only the changed directories, unless a step failed.
      const isKnown = failed.length === 0 && scanner.previous === current;
      const looksAt = isKnown ? (path: VirtualPath) => touched.has(path) : undefined;
      current = (await scanner.scan({ storing: false, looksAt })).tree;
      plan = this.#plan(current, commit);
      if (failed.length > 0) break;
    }
    this.#requireDone(plan, failed);
    journal.end();
  }

  async #look(): Promise<ScannedDirectory> {
    const { scanner, root } = this.#options;
    const scan = await scanner.scan({ storing: false });
    // A directory of this user can be made readable again.
    const opened = scan.unreadable.filter((path) => tryUnlock(root, path));
    return opened.length > 0 ? (await scanner.scan({ storing: false })).tree : scan.tree;
  }

  #plan(
    current: ScannedDirectory,
    { treeId, leftOut = [] }: RegisteredSnapshot["commit"],
  ): RestorePlan {
    const { objects } = this.#options;
    const alone = leftOut.filter(({ reason }) => reason !== "special");
    return planRestore({
      current,
      targetId: treeId,
      readTree: (id) => readTree(objects, id),
      protectedPaths: new Set(alone.map(({ path }) => path)),
    });
  }

  /** Reads every needed blob before the first file is changed. */
  #requireBlobs(steps: readonly RestoreStep[]): ReadonlyMap<string, Buffer> {
    const { objects } = this.#options;
    const held = new Map<string, Buffer>();
    let heldBytes = 0;
    for (const step of steps) {
      if (step.type !== "write" && step.type !== "link") continue;
      const content = readBlob(objects, step.id);
      heldBytes += content.length;
      if (heldBytes < MAX_HELD_BYTES) held.set(step.id, content);
    }
    return held;
  }

  async #apply(
    steps: readonly RestoreStep[],
    blobs: ReadonlyMap<string, Buffer>,
  ): Promise<readonly FailedStep[]> {
    const { root, objects, fsync } = this.#options;
    const find = (id: string) => blobs.get(id) ?? readBlob(objects, id);
    return await applySteps(steps, { root, readBlob: find, fsync });
  }

  #requireDone({ steps, conflicts }: RestorePlan, failed: readonly FailedStep[]): void {
    // Only the owner of a node may set its time.
    const left = steps.filter((step) => step.type !== "set-attributes" || step.mode !== undefined);
    if (left.length === 0 && conflicts.length === 0) return;
    const paths = [...new Set([...left.map(({ path }) => path), ...conflicts])];
    throw new SnapshotError("INCOMPLETE", { paths, cause: failed[0]?.cause });
  }
}

/** Each directory in which something was changed, and its parents. */
function touchedDirectories(steps: readonly RestoreStep[]): ReadonlySet<VirtualPath> {
  const touched = new Set<VirtualPath>([ROOT]);
  for (const { path, type } of steps) {
    let directory = isOfDirectory(type) ? path : parentPath(path);
    for (; !touched.has(directory); directory = parentPath(directory)) touched.add(directory);
  }
  return touched;
}

/** A step that sets attributes may be for a directory, which is then scanned again. */
function isOfDirectory(type: RestoreStep["type"]): boolean {
  return type === "make-directory" || type === "set-attributes";
}

function tryUnlock(root: HostRoot, path: VirtualPath): boolean {
  try {
    return root.inParent(path, (parent, leaf) => root.unlock(parent, leaf));
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return false;
  }
}
