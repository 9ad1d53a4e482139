import type { StandardSchemaV1 } from "@standard-schema/spec";
import { type ChangedFile, ChangeFile } from "@wink/prompt/adapter";
import { defineState, type Session } from "@wink/session";
import { checkValue } from "../error/check-options.js";
import {
  CopyPath,
  DeletePath,
  EditFile,
  MountFiles,
  MovePath,
  RunCommand,
  WriteFile,
} from "../events/file-events.js";
import { RestoreSnapshot } from "../events/snapshot-events.js";
import {
  type FileNode,
  filesAt,
  filesIn,
  findFile,
  NO_FILES,
  putFile,
  removeFile,
  treeOf,
  type VfsFile,
} from "./file-tree.js";

/** Use `vfsFiles` to read it from a session. */
export interface VirtualFileSystem {
  readonly root: FileNode;
}

/** Every file of the session's workspaces, with the prompt, tool and call that last changed it. */
export const VirtualFileSystem = defineState({
  name: "virtual-file-system",
  version: 2,
  migrate: migrateFiles,
  schema: fileTreeSchema(),
  initial: { root: NO_FILES },
  reducers: (on) => [
    on(MountFiles, ({ root }, { workspace, files: mounted }) => {
      const others = [...filesIn(root)].filter((file) => file.workspace !== workspace);
      const author = { lastWriter: "mount", tool: "", toolCallId: "" };
      const first = mounted.map((file) => ({ ...file, ...author, workspace, version: 0 }));
      return { root: treeOf([...others, ...first]) };
    }),
    on(WriteFile, (state, change) => touch(state, [change], change)),
    on(EditFile, (state, change) => touch(state, [change], change)),
    on(ChangeFile, changed),
    on(DeletePath, (state, { workspace, path }) => without(state, workspace, path)),
    on(MovePath, (state, change) => {
      const arrived = arrivals(state, change);
      const left = without(state, change.workspace, change.from);
      return touch(without(left, change.workspace, change.to), arrived, change);
    }),
    on(CopyPath, (state, change) => {
      const arrived = arrivals(state, change);
      return touch(without(state, change.workspace, change.to), arrived, change);
    }),
    on(RestoreSnapshot, replaced),
    on(RunCommand, replaced),
  ],
});

/** The files in the order of workspace and path. Takes time in proportion to their number. */
export function vfsFiles(session: Session): readonly VfsFile[] {
  checkValue("vfsFiles: session", session, "session");
  return [...filesIn(session.state(VirtualFileSystem).root)];
}

interface Author {
  readonly workspace: string;
  readonly writer: string;
  readonly tool: string;
  readonly toolCallId: string;
}

/** Applies a change that the loop recorded. Directories and links are not listed. */
function changed(state: VirtualFileSystem, change: ChangedFile): VirtualFileSystem {
  const { workspace, path, kind, node, sizeBytes = 0, toolCallId } = change;
  if (kind === "delete") return without(state, workspace, path);
  if (node === "directory") return { root: removeFile(state.root, { workspace, path }) };
  const before = findFile(state.root, { workspace, path });
  // The path may have been a directory with files.
  const cleared = without(state, workspace, path);
  if (node !== "file") return cleared;
  // Another event of the same call has counted the change.
  const version = before?.toolCallId === toolCallId ? before.version - 1 : before?.version;
  return touch(cleared, [{ path, sizeBytes, version }], change);
}

/** Applies a change of many files. The `files.change` events of the same call have the sizes. */
function replaced(
  state: VirtualFileSystem,
  { changed: now, removed, ...author }: Replaced,
): VirtualFileSystem {
  const left = removed.reduce((rest, path) => without(rest, author.workspace, path), state);
  return touch(left, now, author);
}

interface Replaced extends Author {
  readonly changed: readonly Touched[];
  readonly removed: readonly string[];
}

interface Touched {
  readonly path: string;
  readonly sizeBytes: number;
  /** The version of the source file, for a move or copy. */
  readonly version?: number | undefined;
}

function touch(
  { root }: VirtualFileSystem,
  touched: readonly Touched[],
  { workspace, writer: lastWriter, tool, toolCallId }: Author,
): VirtualFileSystem {
  const next = touched.reduce((tree, { path, sizeBytes, version }) => {
    const before = version ?? findFile(tree, { workspace, path })?.version ?? 0;
    const author = { lastWriter, tool, toolCallId };
    return putFile(tree, { workspace, path, version: before + 1, sizeBytes, ...author });
  }, root);
  return { root: next };
}

/** The files below `from` with their new paths below `to`. */
function arrivals(
  { root }: VirtualFileSystem,
  {
    workspace,
    from,
    to,
  }: { readonly workspace: string; readonly from: string; readonly to: string },
): readonly Touched[] {
  return filesAt(root, { workspace, path: from }).map(({ path, sizeBytes, version }) => ({
    path: to + path.slice(from.length),
    sizeBytes,
    version,
  }));
}

function without(state: VirtualFileSystem, workspace: string, path: string): VirtualFileSystem {
  const gone = filesAt(state.root, { workspace, path });
  return gone.length === 0 ? state : { root: gone.reduce(removeFile, state.root) };
}

/** Version 1 had all files in one list. */
function migrateFiles(stored: unknown): unknown {
  // The schema checks the result.
  const { files } = stored as { readonly files: readonly VfsFile[] };
  return { root: treeOf(files) };
}

/** Checks each node once: versions share their nodes. */
function fileTreeSchema(): StandardSchemaV1<unknown, VirtualFileSystem> {
  const known = new WeakSet<object>();
  const isNode = (node: unknown): node is FileNode => {
    if (typeof node !== "object" || node === null) return false;
    if (known.has(node)) return true;
    const isValid =
      "files" in node
        ? Array.isArray(node.files) && node.files.every(isFile)
        : "nodes" in node && Array.isArray(node.nodes) && node.nodes.every(isNode);
    // Only frozen nodes can never become invalid.
    if (isValid && Object.isFrozen(node)) known.add(node);
    return isValid;
  };
  const isState = (value: unknown): value is VirtualFileSystem =>
    typeof value === "object" && value !== null && "root" in value && isNode(value.root);
  return {
    "~standard": {
      version: 1,
      vendor: "wink",
      validate: (value) =>
        isState(value)
          ? { value }
          : { issues: [{ message: "a field is missing or has the wrong type" }] },
    },
  };
}

function isFile(value: unknown): value is VfsFile {
  if (typeof value !== "object" || value === null) return false;
  // Each lookup is checked.
  const { workspace, path, version, sizeBytes, lastWriter, tool, toolCallId } = value as Partial<
    Record<keyof VfsFile, unknown>
  >;
  return (
    [workspace, path, lastWriter, tool, toolCallId].every((text) => typeof text === "string") &&
    [version, sizeBytes].every((amount) => typeof amount === "number")
  );
}
