import { readdir } from "node:fs/promises";
import type { FilesystemSnapshot } from "@wink/filesystem";
import type { HostFilesystem } from "@wink/filesystem/host";
import {
  ApplyConflictError,
  type ApplyOptions,
  type ApplyReport,
  type CommitOptions,
  type CommitReport,
  mountHost,
  recoverApply,
  type WorkspaceChanges,
} from "@wink/workspace";
import type { WorkspacePlace } from "./workspace-place.js";

export interface ApplyToHostOptions extends ApplyOptions {
  /** Called when the changes are planned, before anything is written. */
  readonly beforeWriting: (planned: ApplyReport) => Promise<void>;
}

/**
 * Applies changes of a workspace to its directory and undoes them. This also works in a process
 * that did not mount the directory.
 */
export class HostWriter {
  readonly #place: WorkspacePlace;
  readonly #filesystem: HostFilesystem;

  constructor(place: WorkspacePlace, filesystem: HostFilesystem) {
    this.#place = place;
    this.#filesystem = filesystem;
  }

  /**
   * Writes all changes since `base`, or none. Rejects with an `ApplyConflictError` that names the
   * files.
   */
  apply(
    base: FilesystemSnapshot,
    { beforeWriting, ...options }: ApplyToHostOptions,
  ): Promise<ApplyReport> {
    return this.#onMount(base, async (changes) => {
      const planned = await changes.apply({ ...options, dryRun: true });
      if (options.dryRun) return planned;
      if (planned.conflicts.length > 0) throw new ApplyConflictError(planned.conflicts);
      await beforeWriting(planned);
      return await changes.apply(options);
    });
  }

  /** Commits all changes since `base` to a branch of the directory's repository. */
  commit(base: FilesystemSnapshot, options: CommitOptions): Promise<CommitReport> {
    return this.#onMount(base, (changes) => changes.commit(options));
  }

  /**
   * Rejects with an `ApplyConflictError` if another program changed a file since, and with `ENOENT`
   * if the undo data was deleted.
   */
  undo(base: FilesystemSnapshot, undoToken: string): Promise<void> {
    return this.#onMount(base, (changes) => changes.undo(undoToken));
  }

  /**
   * Finishes or rolls back the apply of a killed process. Returns the tokens of everything that can
   * be undone now.
   */
  async settle(): Promise<readonly string[]> {
    const { directory, applied } = this.#place;
    await recoverApply({ allowedHostRoots: [directory], stateDirectory: applied });
    // The token is part of the file name. A token that the killed process did not record is found
    // only here.
    return (await readdir(applied)).flatMap(
      (name) => /~([0-9a-f]{32})\.done$/.exec(name)?.[1] ?? [],
    );
  }

  /**
   * The library ties changes to a mount in the same process. This mount excludes every file, so it
   * copies nothing; the comparison uses the `base` snapshot of the process that copied.
   */
  async #onMount<T>(
    base: FilesystemSnapshot,
    work: (changes: WorkspaceChanges) => Promise<T>,
  ): Promise<T> {
    const filesystem = this.#filesystem;
    const mounted = await mountHost(filesystem, [{ hostPath: ".", excludeGlob: ["**"] }], {
      allowedHostRoots: [this.#place.directory],
      stateDirectory: this.#place.applied,
    });
    try {
      await mounted.ready();
      return await work(mounted.changes({ since: base }));
    } finally {
      // The mount creates named snapshots, which a model would see.
      for (const snapshot of await filesystem.snapshots())
        if (snapshot.name?.startsWith("host-state-")) await filesystem.deleteSnapshot(snapshot);
    }
  }
}
