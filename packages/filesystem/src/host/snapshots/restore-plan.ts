import { joinPath, ROOT, type VirtualPath } from "../../path/virtual-path.js";
import { timeOf } from "../containment/node-attributes.js";
import type { NodeAttributes } from "../git-store/tree-attributes.js";
import type { EntryKind, TreeItem } from "../git-store/tree-object.js";
import { hasSpecialMode, type ScannedDirectory, type ScannedEntry } from "./scanned-tree.js";

/** One change on the way to a captured state. */
export type RestoreStep =
  | { readonly type: "remove-tree"; readonly path: VirtualPath }
  | { readonly type: "remove"; readonly path: VirtualPath }
  | { readonly type: "make-directory"; readonly path: VirtualPath }
  | ({ readonly type: "write" } & Content)
  | ({ readonly type: "link" } & Content)
  | AttributesStep;

interface Content extends NodeAttributes {
  readonly path: VirtualPath;
  readonly id: string;
  readonly executable: boolean;
}

/** Sets the attributes that are defined. */
export interface AttributesStep extends NodeAttributes {
  readonly type: "set-attributes";
  readonly kind: EntryKind;
  readonly path: VirtualPath;
}

export interface RestorePlan {
  /** In the order of execution: removals come first, so that there is enough space. */
  readonly steps: readonly RestoreStep[];
  /** Paths that cannot be restored because protected content is in the way. */
  readonly conflicts: readonly VirtualPath[];
}

export interface PlanOptions {
  readonly current: ScannedDirectory;
  readonly targetId: string;
  /** Reads a captured directory. */
  readonly readTree: (id: string) => readonly TreeItem[];
  /** Paths that the snapshot left out on purpose, so they must not be changed. */
  readonly protectedPaths: ReadonlySet<string>;
}

interface Pair {
  readonly path: VirtualPath;
  readonly current: ScannedDirectory | undefined;
  /** `undefined` if the directory must be removed. */
  readonly targetId: string | undefined;
  /** The directory in its parent, now and in the snapshot. `undefined` for the root. */
  readonly entry?: ScannedEntry | undefined;
  readonly item?: TreeItem | undefined;
}

/** Compares the workspace with a captured state. Equal directories are skipped. */
export function planRestore(options: PlanOptions): RestorePlan {
  const planning = new Planning(options);
  planning.run();
  return planning.plan;
}

class Planning {
  readonly #options: PlanOptions;
  readonly #protectedParents: ReadonlySet<string>;
  readonly #removals: RestoreStep[] = [];
  readonly #additions: RestoreStep[] = [];
  /** Last, because a change in a directory changes its time. */
  readonly #directories: AttributesStep[] = [];
  readonly #conflicts: VirtualPath[] = [];
  readonly #pairs: Pair[] = [];

  constructor(options: PlanOptions) {
    this.#options = options;
    this.#protectedParents = parentsOf(options.protectedPaths);
  }

  get plan(): RestorePlan {
    const steps = [...this.#removals, ...this.#additions, ...this.#directories.toReversed()];
    return { steps, conflicts: this.#conflicts };
  }

  run(): void {
    const { current, targetId } = this.#options;
    this.#pairs.push({ path: ROOT, current, targetId });
    for (let pair = this.#pairs.pop(); pair !== undefined; pair = this.#pairs.pop())
      this.#compare(pair);
  }

  #compare({ path, current, targetId, entry, item }: Pair): void {
    const stepCount = this.#removals.length + this.#additions.length;
    const here = new Map(current?.entries.map((entry) => [entry.name, entry]));
    const wanted = targetId === undefined ? [] : this.#options.readTree(targetId);
    for (const item of wanted) {
      this.#bringBack(joinPath(path, item.name), item, here.get(item.name));
      here.delete(item.name);
    }
    for (const other of here.values()) this.#clear(joinPath(path, other.name), other);
    const isTouched = stepCount < this.#removals.length + this.#additions.length;
    if (item !== undefined) this.#setDirectory(path, item, isTouched ? undefined : entry);
  }

  /** @param entry the directory as it will be when its content is restored; `undefined` if that is not known */
  #setDirectory(path: VirtualPath, item: TreeItem, entry: ScannedEntry | undefined): void {
    const step = attributesStep(path, item, entry);
    if (step !== undefined) this.#directories.push(step);
  }

  #bringBack(path: VirtualPath, item: TreeItem, entry: ScannedEntry | undefined): void {
    if (this.#options.protectedPaths.has(path) || entry?.kind === "excluded") return;
    if (item.kind === "directory") this.#bringBackDirectory(path, item, entry);
    else this.#bringBackFile(path, item, entry);
  }

  #bringBackDirectory(path: VirtualPath, item: TreeItem, entry: ScannedEntry | undefined): void {
    const current = entry?.kind === "directory" ? entry.directory : undefined;
    if (current !== undefined) {
      const same = current.treeId === item.id && !current.hasFaults;
      if (same) this.#setDirectory(path, item, entry);
      else this.#pairs.push({ path, current, targetId: item.id, entry, item });
      return;
    }
    // A directory without `directory` could not be read.
    if (entry?.kind === "directory") this.#removals.push({ type: "remove-tree", path });
    else if (entry !== undefined) this.#removals.push({ type: "remove", path });
    this.#additions.push({ type: "make-directory", path });
    this.#pairs.push({ path, current: undefined, targetId: item.id, item });
  }

  #bringBackFile(path: VirtualPath, item: TreeItem, entry: ScannedEntry | undefined): void {
    const { id, mode, modifiedAtMs } = item;
    const executable = item.kind === "executable";
    if (entry !== undefined && entry.id === id && isSameClass(entry.kind, item.kind)) {
      const step = attributesStep(path, item, entry);
      if (step !== undefined) this.#additions.push(step);
      return;
    }
    if (entry?.kind === "directory" && !this.#clearDirectory(path, entry)) {
      this.#conflicts.push(path);
      return;
    }
    this.#additions.push({
      type: item.kind === "symlink" ? "link" : "write",
      path,
      id,
      executable,
      mode,
      modifiedAtMs,
    });
  }

  /** Removes a node that was created after the snapshot, unless it is protected. */
  #clear(path: VirtualPath, entry: ScannedEntry): void {
    if (this.#options.protectedPaths.has(path)) return;
    if (entry.kind === "directory") this.#clearDirectory(path, entry);
    else if (entry.kind !== "excluded" && entry.kind !== "too-large")
      this.#removals.push({ type: "remove", path });
  }

  /** Returns whether the whole directory is removed. */
  #clearDirectory(path: VirtualPath, { directory }: ScannedEntry): boolean {
    if (!directory?.hasKept && !this.#protectedParents.has(path)) {
      this.#removals.push({ type: "remove-tree", path });
      return true;
    }
    this.#pairs.push({ path, current: directory, targetId: undefined });
    return false;
  }
}

/** The attributes of an item that the entry does not have; `undefined` if it has them all. */
function attributesStep(
  path: VirtualPath,
  item: TreeItem,
  entry: ScannedEntry | undefined,
): AttributesStep | undefined {
  const { kind, modifiedAtMs } = item;
  const isFile = kind === "file" || kind === "executable";
  // A snapshot without the permission bits knows only whether a file is executable.
  const isPlain = entry?.kind === kind && !hasSpecialMode(entry.kind, entry.mode);
  const wanted = item.mode ?? (isFile && !isPlain ? plainMode(kind, entry) : undefined);
  const hasMode = entry !== undefined && (entry.mode & (isFile ? 0o7777 : 0o777)) === wanted;
  const hasTime = entry !== undefined && timeOf(entry) === modifiedAtMs;
  const step = {
    ...(wanted !== undefined && kind !== "symlink" && !hasMode && { mode: wanted }),
    ...(modifiedAtMs !== undefined && !hasTime && { modifiedAtMs }),
  };
  if (Object.keys(step).length === 0) return undefined;
  return { type: "set-attributes", kind, path, ...step };
}

function plainMode(kind: EntryKind, entry: ScannedEntry | undefined): number {
  const plain = (entry?.mode ?? 0o644) & 0o666;
  return kind === "executable" ? plain | 0o100 | ((plain & 0o444) >> 2) : plain;
}

/** A file and an executable file belong to the same class. */
function isSameClass(kind: ScannedEntry["kind"], wanted: EntryKind): boolean {
  const isFile = (one: string) => one === "file" || one === "executable";
  return kind === wanted || (isFile(kind) && isFile(wanted));
}

function parentsOf(paths: ReadonlySet<string>): ReadonlySet<string> {
  const parents = new Set<string>();
  for (const path of paths)
    for (let slash = path.indexOf("/"); slash >= 0; slash = path.indexOf("/", slash + 1))
      parents.add(path.slice(0, slash));
  return parents;
}
