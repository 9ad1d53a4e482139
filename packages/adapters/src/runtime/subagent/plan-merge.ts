import type { Filesystem } from "@wink/filesystem";
import { decideFile } from "./decide-file.js";
import { type FileState, type NodeState, readState } from "./file-state.js";
import { ancestorsOf, type ChangedFile, type ForkChanges } from "./fork-changes.js";
import type { MergeConflict } from "./merge-conflict.js";

export interface MergePlan {
  readonly deletes: ReadonlySet<string>;
  readonly writes: ReadonlyMap<string, FileState>;
  readonly directories: readonly string[];
  readonly combined: readonly string[];
  readonly conflicts: readonly PlannedConflict[];
}

/** A conflict, with the subagent's version of the file. */
export interface PlannedConflict extends MergeConflict {
  readonly file: FileState | undefined;
}

/** Plans the merge. Changes nothing. */
export async function planMerge(changes: ForkChanges, workspace: Filesystem): Promise<MergePlan> {
  const deletes = new Set<string>();
  const writes = new Map<string, FileState>();
  const combined: string[] = [];
  const conflicts: PlannedConflict[] = changes.notCarried.map((each) => ({
    ...each,
    file: undefined,
  }));
  const undecided: ChangedFile[] = [];
  const ours = new Map<string, NodeState>();
  const refuse = (file: ChangedFile, reason: MergeConflict["reason"]) =>
    conflicts.push(conflictOf(file, ours.get(file.path), reason));

  for (const file of changes.files) {
    const state = await readState(workspace, file.path);
    ours.set(file.path, state);
    const decision = await decideFile(file, state);
    if (decision.kind === "delete") deletes.add(file.path);
    if (decision.kind === "conflict") refuse(file, decision.reason);
    if (decision.kind !== "write") continue;
    writes.set(file.path, decision.file);
    if (decision.combined) combined.push(file.path);
    undecided.push(file);
  }
  // Checked after all deletions are known, because they decide which paths are blocked.
  const way = new WayThrough(workspace, deletes, new Set(changes.removed));
  for (const file of undecided) {
    if (await way.isFree(file.path)) continue;
    writes.delete(file.path);
    refuse(file, "kind");
  }
  const directories: string[] = [];
  for (const path of changes.made) {
    if (await way.isFree(`${path}/`)) directories.push(path);
    else refuse({ path, base: undefined, theirs: undefined }, "kind");
  }
  return { deletes, writes, directories, combined, conflicts };
}

/** Checks whether the path of a new file is blocked. */
class WayThrough {
  readonly #workspace: Filesystem;
  readonly #deletes: ReadonlySet<string>;
  readonly #removed: ReadonlySet<string>;

  constructor(workspace: Filesystem, deletes: ReadonlySet<string>, removed: ReadonlySet<string>) {
    this.#workspace = workspace;
    this.#deletes = deletes;
    this.#removed = removed;
  }

  /** Whether a file can be written to `path`. A path with a trailing `/` is a directory. */
  async isFree(path: string): Promise<boolean> {
    for (const above of ancestorsOf(path)) {
      const { kind } = await readState(this.#workspace, above);
      if (kind !== "directory" && kind !== "absent" && !this.#deletes.has(above)) return false;
    }
    if (path.endsWith("/")) return true;
    const { kind } = await readState(this.#workspace, path);
    return kind !== "directory" || (await this.#goes(path));
  }

  /** Whether a directory will be empty after all deletions. */
  async #goes(directory: string): Promise<boolean> {
    if (!this.#removed.has(directory)) return false;
    for (const { path, isDirectory } of await this.#workspace.list(directory)) {
      const goes = isDirectory ? await this.#goes(path) : this.#deletes.has(path);
      if (!goes) return false;
    }
    return true;
  }
}

function conflictOf(
  { path, base, theirs }: ChangedFile,
  ours: NodeState | undefined,
  reason: MergeConflict["reason"],
): PlannedConflict {
  const mine = ours?.kind === "file" ? ours.bytes : undefined;
  const sides = { base: base?.bytes, ours: mine, theirs: theirs?.bytes };
  return { path, reason, ...sides, keptAt: undefined, file: theirs };
}
