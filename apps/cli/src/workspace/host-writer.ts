import { readdir } from "node:fs/promises";
import type { FilesystemSnapshot } from "@wink/filesystem";
import {
  ApplyConflictError,
  type ApplyOptions,
  type ApplyReport,
  type HostFilesystem,
  mountHost,
  recoverApply,
  type WorkspaceChanges,
} from "@wink/filesystem/host";
import type { WorkspacePlace } from "./workspace-place.js";

export interface ApplyToHostOptions extends ApplyOptions {
  /** Runs when it is known what will be written, and before anything is. */
  readonly beforeWriting: (planned: ApplyReport) => Promise<void>;
}

/** Brings changes of a workspace to its directory and back, in a process that need not be the one that mounted it. */
export class HostWriter {
  readonly #place: WorkspacePlace;
  readonly #filesystem: HostFilesystem;

  constructor(place: WorkspacePlace, filesystem: HostFilesystem) {
    this.#place = place;
    this.#filesystem = filesystem;
  }

  /** Writes what changed since `base`: all of it or nothing. Rejects with an `ApplyConflictError` that names the files. */
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

  /** Rejects with an `ApplyConflictError` when somebody changed a file since, and with `ENOENT` when it is too long ago. */
  undo(base: FilesystemSnapshot, undoToken: string): Promise<void> {
    return this.#onMount(base, (changes) => changes.undo(undoToken));
  }

  /** Finishes or undoes what a killed process was about, and answers with what can be undone now. */
  async settle(): Promise<readonly string[]> {
    const { directory, applied } = this.#place;
    await recoverApply({ allowedHostRoots: [directory], stateDirectory: applied });
    // The token is part of the name of what is kept for it, and nothing else tells of one that nobody wrote down.
    return (await readdir(applied)).flatMap(
      (name) => /~([0-9a-f]{32})\.done$/.exec(name)?.[1] ?? [],
    );
  }

  /**
   * The library ties changes to a mount of the same process. One that leaves everything out copies nothing and leads
   * to the same places; what to compare with is the state that was kept by whoever copied.
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
      // It keeps states of its own under names that a model would be shown.
      for (const snapshot of await filesystem.snapshots())
        if (snapshot.name?.startsWith("host-state-")) await filesystem.deleteSnapshot(snapshot);
    }
  }
}
