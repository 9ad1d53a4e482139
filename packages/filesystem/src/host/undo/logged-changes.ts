import { closeSync, fstatSync, readlinkSync } from "node:fs";
import { withoutFullDirectories } from "../../patch/path-changes.js";
import { parentPath, type VirtualPath } from "../../path/virtual-path.js";
import { FilesystemError } from "../../protocol/filesystem-error.js";
import type { PathChange } from "../../snapshots/path-change.js";
import type { HostRoot } from "../containment/host-root.js";
import type { HostDriver } from "../driver/host-driver.js";
import { pieces } from "../git-store/blob-reader.js";
import type { UndoRecord } from "../journal/undo-record.js";

type Node = NonNullable<PathChange["after"]>;

/** The driver and the root of one workspace. */
export interface LoggedFiles {
  readonly driver: Pick<HostDriver, "stat" | "accelerate">;
  readonly root: HostRoot;
}

/** The paths that a transaction touched, each with everything below it, and whether it existed before. */
export class TouchedRoots {
  readonly #existed = new Map<VirtualPath, boolean>();
  /** Directories whose permissions or times changed. */
  readonly #attributes = new Set<VirtualPath>();

  addRecords(records: readonly UndoRecord[]): void {
    for (const record of records) {
      if (record.type === "renamed") this.add(record.from, true);
      else if (record.type === "attributes") this.#attributes.add(record.path);
      else this.add(record.path, record.type === "kept");
    }
  }

  /** The first call for a path decides, because later calls see the changes of the transaction. */
  add(path: VirtualPath, existed: boolean): void {
    if (!this.#isTouched(path)) this.#existed.set(path, existed);
  }

  changes(files: LoggedFiles): readonly PathChange[] {
    const deleted: PathChange[] = [];
    const added: PathChange[] = [];
    for (const [path, existed] of this.#existed) {
      if (this.#isBelowAnother(path)) continue;
      const entries = entriesAt(path, files);
      const [first] = entries;
      // If a directory was replaced, its deletion is reported before its new contents.
      if (existed && (first === undefined || first.kind === "directory"))
        deleted.push({ kind: "delete", path, after: undefined });
      const kind = existed && first?.kind !== "directory" ? "modify" : "create";
      for (const after of entries) added.push({ kind, path: after.path, after });
    }
    for (const path of this.#attributes) {
      const after = this.#isTouched(path) ? undefined : entryAt(path, files);
      if (after !== undefined) added.push({ kind: "modify", path, after });
    }
    return [...deleted, ...withoutFullDirectories(added)];
  }

  /** Whether the parent directory was touched after the path was. */
  #isBelowAnother(path: VirtualPath): boolean {
    return this.#isTouched(parentPath(path));
  }

  #isTouched(path: VirtualPath): boolean {
    for (let each = path; each !== ""; each = parentPath(each))
      if (this.#existed.has(each)) return true;
    return false;
  }
}

/** The node at `path` and everything below it, each directory before its contents. */
function entriesAt(path: VirtualPath, files: LoggedFiles): readonly Node[] {
  const first = entryAt(path, files);
  if (first === undefined) return [];
  const entries = [first];
  if (first.kind === "directory")
    for (const found of files.driver.accelerate.walk(path, () => true)) {
      const entry = entryAt(found.path, files);
      if (entry !== undefined) entries.push(entry);
    }
  return entries;
}

function entryAt(path: VirtualPath, { driver, root }: LoggedFiles): Node | undefined {
  const stat = driver.stat(path);
  if (stat === undefined || stat.kind === "special") return undefined;
  const { kind, sizeBytes, modifiedAtMs } = stat;
  const mode = kind === "symlink" ? undefined : stat.mode;
  const executable = kind === "file" && ((mode ?? 0) & 0o100) !== 0;
  const read = async () => {
    if (kind === "directory") return new Uint8Array();
    if (kind === "symlink") return targetOf(path, root);
    const content = await driver.accelerate.load(path, Number.MAX_SAFE_INTEGER);
    if (content === undefined) throw new FilesystemError("ESTALE", { operation: "read", path });
    return content.bytes();
  };
  const parts = () => piecesOf(path, root);
  return { path, kind, executable, mode, modifiedAtMs, sizeBytes, read, parts };
}

function* piecesOf(path: VirtualPath, root: HostRoot): Generator<Uint8Array, void, void> {
  const fd = root.inParent(path, (parent, leaf) => root.openLeaf(parent, leaf));
  try {
    yield* pieces(fd, fstatSync(fd).size);
  } finally {
    closeSync(fd);
  }
}

function targetOf(path: VirtualPath, root: HostRoot): Uint8Array {
  return root.inParent(path, (parent, leaf) =>
    readlinkSync(parent.pathOf(leaf), { encoding: "buffer" }),
  );
}
