import { randomUUID } from "node:crypto";
import {
  type CallOptions,
  type ChangeSet,
  type Filesystem,
  type FilesystemSnapshot,
  InMemoryFilesystem,
  isSnapshotable,
  paths,
  type SnapshotableFilesystem,
} from "@wink/filesystem";

/** The states of a workspace. A filesystem without snapshots is copied into memory for each state. */
export class WorkspaceStates {
  readonly #filesystem: Filesystem;
  readonly #copy: InMemoryFilesystem | undefined;

  constructor(filesystem: Filesystem) {
    this.#filesystem = filesystem;
    if (isSnapshotable(filesystem)) return;
    this.#copy = new InMemoryFilesystem({ limits: filesystem.limits, allowGit: true });
  }

  /** Stores the state of now. */
  async capture(options: CallOptions): Promise<FilesystemSnapshot> {
    await this.#update(options);
    // By default `prune` does not delete a named snapshot.
    const label = { name: `host-state-${randomUUID()}`, tag: "what the host has" };
    return await this.#snapshots.snapshot({ ...options, ...label });
  }

  /** The changes from one state to another, or to the files as they are now. Without changes inside a `.git`. */
  async compare(
    from: FilesystemSnapshot,
    to: FilesystemSnapshot | undefined,
    options: CallOptions,
  ): Promise<ChangeSet> {
    if (to === undefined) await this.#update(options);
    return await this.#snapshots.diff(from, to, options);
  }

  async release(state: FilesystemSnapshot): Promise<void> {
    await this.#snapshots.deleteSnapshot(state);
  }

  get #snapshots(): SnapshotableFilesystem {
    // If there is no copy, the filesystem has snapshots. The constructor ensures that.
    return this.#copy ?? (this.#filesystem as SnapshotableFilesystem);
  }

  async #update(options: CallOptions): Promise<void> {
    const copy = this.#copy;
    if (copy === undefined) return;
    for (const { path } of await copy.list(".")) await copy.delete(path, { recursive: true });
    await copy.importFiles(await this.#nodesBelow(".", options));
  }

  async #nodesBelow(
    directory: string,
    options: CallOptions,
  ): Promise<Parameters<InMemoryFilesystem["importFiles"]>[0]> {
    const nodes: Parameters<InMemoryFilesystem["importFiles"]>[0][number][] = [];
    for (const entry of await this.#filesystem.list(directory, options)) {
      const path = paths.normalizePath(entry.path, { operation: "changes" }).path;
      if (entry.kind === "directory")
        nodes.push({ path }, ...(await this.#nodesBelow(entry.path, options)));
      else if (entry.kind === "file") {
        const { mode } = await this.#filesystem.stat(entry.path, options);
        const bytes = await readAll(this.#filesystem, entry.path, options);
        nodes.push({ path, bytes, permissions: mode });
      }
    }
    return nodes;
  }
}

async function readAll(
  filesystem: Filesystem,
  path: string,
  options: CallOptions,
): Promise<Uint8Array> {
  await using reader = await filesystem.openRead(path, options);
  const bytes = new Uint8Array(reader.sizeBytes);
  let offset = 0;
  for await (const chunk of reader) {
    bytes.set(chunk, offset);
    offset += chunk.length;
  }
  return bytes;
}
