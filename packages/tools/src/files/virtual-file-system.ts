import { defineState } from "@wink/session";
import { z } from "zod";
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

const VfsFileSchema = z.object({
  /** The key of the workspace section it belongs to. */
  workspace: z.string(),
  path: z.string(),
  /** 0 is what was mounted; each change adds one. */
  version: z.number(),
  sizeBytes: z.number(),
  /** The prompt that changed it last, as `ns/key`; `mount` for version 0. */
  lastWriter: z.string(),
  /** The tool it was changed with last; empty for version 0. */
  tool: z.string(),
  /** The call that changed it last; empty for version 0. */
  toolCallId: z.string(),
});

/** What is known of one file. Its content is in the filesystem, not here. */
export type VfsFile = Readonly<z.infer<typeof VfsFileSchema>>;

const VirtualFileSystemSchema = z.object({ files: z.array(VfsFileSchema) });

export type VirtualFileSystem = z.infer<typeof VirtualFileSystemSchema>;

/** Every file of the session's workspaces, with who changed it last and in which call. */
export const VirtualFileSystem = defineState({
  name: "virtual-file-system",
  schema: VirtualFileSystemSchema,
  initial: { files: [] },
  reducers: (on) => [
    on(MountFiles, ({ files }, { workspace, files: mounted }) => ({
      files: [
        ...files.filter((file) => file.workspace !== workspace),
        ...mounted.map((file) => ({
          ...file,
          workspace,
          version: 0,
          lastWriter: "mount",
          tool: "",
          toolCallId: "",
        })),
      ],
    })),
    on(WriteFile, (state, change) => touch(state, [change], change)),
    on(EditFile, (state, change) => touch(state, [change], change)),
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

interface Author {
  readonly workspace: string;
  readonly writer: string;
  readonly tool: string;
  readonly toolCallId: string;
}

/** What many files at once became. */
function replaced(
  state: VirtualFileSystem,
  { changed, removed, ...author }: Replaced,
): VirtualFileSystem {
  const left = removed.reduce((rest, path) => without(rest, author.workspace, path), state);
  return touch(left, changed, author);
}

interface Replaced extends Author {
  readonly changed: readonly Touched[];
  readonly removed: readonly string[];
}

interface Touched {
  readonly path: string;
  readonly sizeBytes: number;
  /** Of the file that it was, when that had another path. */
  readonly version?: number;
}

function touch(state: VirtualFileSystem, touched: readonly Touched[], author: Author) {
  const { workspace, writer: lastWriter, tool, toolCallId } = author;
  const changes = new Map(touched.map((each) => [each.path, each]));
  const next = (change: Touched, before: VfsFile | undefined): VfsFile => ({
    workspace,
    path: change.path,
    version: (change.version ?? before?.version ?? 0) + 1,
    sizeBytes: change.sizeBytes,
    lastWriter,
    tool,
    toolCallId,
  });
  const files = state.files.map((file) => {
    const change = file.workspace === workspace ? changes.get(file.path) : undefined;
    if (change === undefined) return file;
    changes.delete(file.path);
    return next(change, file);
  });
  return { files: [...files, ...[...changes.values()].map((change) => next(change, undefined))] };
}

/** The files below `from` as they are below `to`. */
function arrivals(
  { files }: VirtualFileSystem,
  {
    workspace,
    from,
    to,
  }: { readonly workspace: string; readonly from: string; readonly to: string },
): readonly Touched[] {
  return files
    .filter((file) => file.workspace === workspace && isAtOrBelow(file.path, from))
    .map(({ path, sizeBytes, version }) => ({
      path: to + path.slice(from.length),
      sizeBytes,
      version,
    }));
}

function without(state: VirtualFileSystem, workspace: string, path: string): VirtualFileSystem {
  return {
    files: state.files.filter(
      (file) => file.workspace !== workspace || !isAtOrBelow(file.path, path),
    ),
  };
}

function isAtOrBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}
