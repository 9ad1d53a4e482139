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
  /** The key of its workspace section. */
  workspace: z.string(),
  path: z.string(),
  /** 0 when mounted. Each change adds 1. */
  version: z.number(),
  sizeBytes: z.number(),
  /** The prompt that last changed it, as `ns/key`; `mount` for version 0. */
  lastWriter: z.string(),
  /** The tool that last changed it; empty for version 0. */
  tool: z.string(),
  /** The call that last changed it; empty for version 0. */
  toolCallId: z.string(),
});

/** The metadata of one file. Its content is in the filesystem. */
export type VfsFile = Readonly<z.infer<typeof VfsFileSchema>>;

const VirtualFileSystemSchema = z.object({ files: z.array(VfsFileSchema) });

export type VirtualFileSystem = z.infer<typeof VirtualFileSystemSchema>;

/** Every file of the session's workspaces, with the prompt, tool and call that last changed it. */
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

/** Applies a change of many files. */
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
  /** The version of the source file, for a move or copy. */
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

/** The files below `from` with their new paths below `to`. */
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
