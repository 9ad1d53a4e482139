import { joinPath, ROOT, type VirtualPath } from "../../path/virtual-path.js";
import type { EntryKind, TreeItem } from "../git-store/tree-object.js";
import { hasSpecialMode, type ScannedDirectory, type ScannedEntry } from "./scanned-tree.js";

/** One change on the way to a captured state. */
export type RestoreStep =
  | { readonly type: "remove-tree"; readonly path: VirtualPath }
  | { readonly type: "remove"; readonly path: VirtualPath }
  | { readonly type: "make-directory"; readonly path: VirtualPath }
  | ({ readonly type: "write" } & Content)
  | ({ readonly type: "link" } & Content)
  | { readonly type: "set-mode"; readonly path: VirtualPath; readonly executable: boolean };

interface Content {
  readonly path: VirtualPath;
  readonly id: string;
  readonly executable: boolean;
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
  readonly #conflicts: VirtualPath[] = [];
  readonly #pairs: Pair[] = [];

  constructor(options: PlanOptions) {
    this.#options = options;
    this.#protectedParents = parentsOf(options.protectedPaths);
  }

  get plan(): RestorePlan {
    return { steps: [...this.#removals, ...this.#additions], conflicts: this.#conflicts };
  }

  run(): void {
    const { current, targetId } = this.#options;
    this.#pairs.push({ path: ROOT, current, targetId });
    for (let pair = this.#pairs.pop(); pair !== undefined; pair = this.#pairs.pop())
      this.#compare(pair);
  }

  #compare({ path, current, targetId }: Pair): void {
    const here = new Map(current?.entries.map((entry) => [entry.name, entry]));
    const wanted = targetId === undefined ? [] : this.#options.readTree(targetId);
    for (const item of wanted) {
      this.#bringBack(joinPath(path, item.name), item, here.get(item.name));
      here.delete(item.name);
    }
    for (const entry of here.values()) this.#clear(joinPath(path, entry.name), entry);
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
      if (!same) this.#pairs.push({ path, current, targetId: item.id });
      return;
    }
    // A directory without `directory` could not be read.
    if (entry?.kind === "directory") this.#removals.push({ type: "remove-tree", path });
    else if (entry !== undefined) this.#removals.push({ type: "remove", path });
    this.#additions.push({ type: "make-directory", path });
    this.#pairs.push({ path, current: undefined, targetId: item.id });
  }

  #bringBackFile(path: VirtualPath, item: TreeItem, entry: ScannedEntry | undefined): void {
    const { id } = item;
    const executable = item.kind === "executable";
    if (entry !== undefined && entry.id === id && isSameClass(entry.kind, item.kind)) {
      if (entry.kind !== item.kind || hasSpecialMode(entry.kind, entry.mode))
        this.#additions.push({ type: "set-mode", path, executable });
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
