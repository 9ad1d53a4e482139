import {
  type ChangeSet,
  type Filesystem,
  FilesystemError,
  type FilesystemSnapshot,
  InMemoryFilesystem,
  isSnapshotable,
} from "@wink/filesystem";
import type {
  ApplyOptions,
  ApplyReport,
  ChangesOptions,
  CommitOptions,
  CommitReport,
  Workspace,
  WorkspaceChanges,
} from "@wink/workspace";

/** The initial state of a workspace without mounts. */
export interface InitialState {
  /** The changes since then. They cannot be applied, because nothing was mounted from the host. */
  changes(since?: FilesystemSnapshot): WorkspaceChanges;
}

/** Saves the current state of the files as a snapshot, or as a copy in memory if the filesystem has no snapshots. */
export async function saveInitialState(filesystem: Filesystem): Promise<InitialState> {
  if (isSnapshotable(filesystem) && !filesystem.readOnly) {
    const first = await filesystem.snapshot();
    return { changes: (since = first) => changesOf(() => filesystem.diff(since)) };
  }
  const copy = await copyOf(filesystem);
  const first = await copy.snapshot();
  return {
    changes: () =>
      changesOf(async () => {
        // Only snapshots of the same filesystem can be compared, so import the current state into the copy.
        const now = await copyOf(filesystem);
        const archive = now.exportSnapshot(await now.snapshot());
        return await copy.diff(first, await copy.importSnapshot(archive));
      }),
  };
}

function changesOf(diff: () => Promise<ChangeSet>): WorkspaceChanges {
  return Object.freeze({
    compare: diff,
    files: async () => (await diff()).files,
    toPatch: async () => await (await diff()).toPatch(),
    apply: async (): Promise<ApplyReport> => {
      throw nowhere("apply");
    },
    commit: async (): Promise<CommitReport> => {
      throw nowhere("commit");
    },
    undo: async () => {
      throw nowhere("undo");
    },
  });
}

/** The changes of a persistent workspace. */
export function workspaceChanges(
  workspace: Workspace,
  { since }: ChangesOptions,
): WorkspaceChanges {
  const compare = () =>
    since === undefined ? workspace.changes() : workspace.filesystem.diff(since);
  return Object.freeze({
    compare,
    files: async () => (await compare()).files,
    toPatch: async () => await (await compare()).toPatch(),
    apply: (options?: ApplyOptions) => workspace.apply(options),
    commit: (options: CommitOptions) => workspace.commit(options),
    undo: async (undoToken: string) => void (await workspace.undo({ undoToken })),
  });
}

function nowhere(operation: string): FilesystemError {
  return new FilesystemError("EINVAL", {
    operation,
    path: ".",
    reason: "nothing was mounted from the host, so there is nothing to apply changes to",
  });
}

async function copyOf(filesystem: Filesystem): Promise<InMemoryFilesystem> {
  const copy = new InMemoryFilesystem();
  const visit = async (directory: string): Promise<void> => {
    for (const { path, kind } of await filesystem.list(directory)) {
      if (kind === "directory") {
        await copy.mkdir(path);
        await visit(path);
      } else if (kind === "file") {
        await copyFile(filesystem, copy, path);
      }
    }
  };
  await visit(".");
  return copy;
}

async function copyFile(from: Filesystem, to: Filesystem, path: string): Promise<void> {
  const { mode } = await from.stat(path);
  await using reader = await from.openRead(path);
  await using writer = await to.openWrite(path, { executable: (mode & 0o100) !== 0 });
  for await (const chunk of reader) await writer.write(chunk);
  await writer.close();
}
