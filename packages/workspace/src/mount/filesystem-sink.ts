import {
  DriverFilesystem,
  type Filesystem,
  isFilesystemError,
  isSnapshotable,
  type VirtualPath,
} from "@wink/filesystem";
import type { StagedAttributes, StagedFiles } from "@wink/filesystem/host";
import { mountError } from "./mount-error.js";

interface Held {
  readonly path: VirtualPath;
  readonly bytes: Uint8Array;
  readonly kind: "file" | "symlink";
  readonly permissions?: number | undefined;
  readonly modifiedAtMs?: number | undefined;
}

/** Collects the files in memory and then writes them, in one transaction if the filesystem supports transactions. */
export function filesystemSink(filesystem: Filesystem): StagedFiles {
  let files: Held[] = [];
  let directories = new Map<VirtualPath, StagedAttributes>();
  return {
    directory(path, attributes = {}) {
      directories.set(path, attributes);
    },
    file(path, bytes, { mode: permissions, modifiedAtMs }) {
      files.push({ path, bytes, kind: "file", permissions, modifiedAtMs });
    },
    link(path, bytes, { modifiedAtMs }) {
      files.push({ path, bytes, kind: "symlink", modifiedAtMs });
    },
    async commit(signal) {
      await requireFree(filesystem, files, directories);
      const undo = await startUndo(filesystem);
      try {
        if (filesystem instanceof DriverFilesystem)
          await filesystem.importFiles([...[...directories].map(importedDirectory), ...files], {
            signal,
          });
        else await putOneByOne(filesystem, directories, files, undo, signal);
      } catch (error) {
        await undo.rollback([...directories.keys()]);
        throw error;
      }
      await undo.commit();
    },
    async discard() {
      files = [];
      directories = new Map();
    },
  };
}

async function putOneByOne(
  filesystem: Filesystem,
  directories: ReadonlyMap<VirtualPath, StagedAttributes>,
  files: readonly Held[],
  undo: Undo,
  signal: AbortSignal | undefined,
): Promise<void> {
  for (const path of directories.keys()) await filesystem.mkdir(path, { parents: false });
  for (const file of files) {
    signal?.throwIfAborted();
    await put(filesystem, file);
    undo.wrote(file.path);
  }
}

function importedDirectory([path, { mode, modifiedAtMs }]: [VirtualPath, StagedAttributes]) {
  return { path, permissions: mode === undefined ? undefined : mode | 0o700, modifiedAtMs };
}

async function put(filesystem: Filesystem, file: Held): Promise<void> {
  const { path, bytes, kind, permissions = 0o644 } = file;
  if (kind === "symlink") {
    await filesystem.symlink(new TextDecoder().decode(bytes), path, { createParents: false });
    return;
  }
  const executable = (permissions & 0o100) !== 0;
  const options = { mode: "create", createParents: false, executable } as const;
  if (bytes.length <= filesystem.limits.maxWriteBytes) {
    await filesystem.writeBytes(path, bytes, options);
    return;
  }
  const writer = await filesystem.openWrite(path, options);
  try {
    await writer.write(bytes);
    await writer.close();
  } catch (error) {
    await writer.abort();
    throw error;
  }
}

/** Throws `EEXIST` if a file would replace something. Existing directories are accepted. */
async function requireFree(
  filesystem: Filesystem,
  files: readonly Held[],
  directories: Map<VirtualPath, StagedAttributes>,
): Promise<void> {
  const { nodeCount } = await filesystem.usage();
  if (nodeCount === 0) return;
  for (const path of directories.keys()) {
    const kind = await kindAt(filesystem, path);
    if (kind === "directory") directories.delete(path);
    else if (kind !== undefined)
      throw mountError("EEXIST", path, "it already exists in the workspace");
  }
  for (const { path } of files)
    if ((await kindAt(filesystem, path)) !== undefined)
      throw mountError("EEXIST", path, "it already exists in the workspace");
}

async function kindAt(filesystem: Filesystem, path: string): Promise<string | undefined> {
  try {
    return (await filesystem.stat(path, { followLinks: false })).kind;
  } catch (error) {
    if (isFilesystemError(error, "ENOENT") || isFilesystemError(error, "ENOTDIR")) return undefined;
    throw error;
  }
}

interface Undo {
  wrote(path: VirtualPath): void;
  commit(): Promise<void>;
  rollback(directories: readonly VirtualPath[]): Promise<void>;
}

async function startUndo(filesystem: Filesystem): Promise<Undo> {
  if (isSnapshotable(filesystem)) {
    const transaction = await filesystem.begin();
    return {
      wrote() {},
      commit: () => transaction.commit(),
      rollback: () => transaction.rollback(),
    };
  }
  const written: VirtualPath[] = [];
  return {
    wrote(path) {
      written.push(path);
    },
    async commit() {},
    async rollback(directories) {
      for (const path of [...directories, ...written].reverse())
        await filesystem.delete(path).catch(() => {});
    },
  };
}
