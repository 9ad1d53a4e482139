import { Run, readRun } from "@wink/adapters/run";
import type { ChangeSet, StoredFilesystem } from "@wink/filesystem";
import { isStoreError } from "@wink/store";
import { VfsToolsSection } from "@wink/tools";
import { type MountedWorkspace, mountHost } from "@wink/workspace";
import { CliError } from "../terminal/cli-error.js";
import { EXIT_CODES } from "../terminal/exit-codes.js";
import type { Io } from "../terminal/io.js";
import { showCopying } from "../view/show-copying.js";
import { openWorkspace } from "../workspace/open-workspace.js";
import { mountOf, realDirectory } from "./directory-mount.js";
import { newRunId } from "./find-stored-run.js";
import { keepChanges } from "./keep-changes.js";
import type { ResumedInStore } from "./resumed-run.js";
import { newRunDirectory } from "./run-files.js";
import type { OpenRunWorkspaceOptions, RunWorkspace } from "./run-workspace.js";
import { openStoreOf } from "./stored-runs.js";

/** Opens a run whose files, events and conversation are in a store. */
export async function openStoreRunWorkspace(
  io: Io,
  options: OpenRunWorkspaceOptions,
  url: string,
  resumed?: ResumedInStore,
): Promise<RunWorkspace> {
  const { rev, base, filter, signal } = options;
  const root = await realDirectory(io, options.directory);
  const store = await openStoreOf(io, url);
  const id = (await resumed?.open(store)) ?? newRunId();
  let mounted: MountedWorkspace | undefined;
  /** What the whole run has changed, also in earlier processes. */
  const compare = async (): Promise<ChangeSet> => {
    if (mounted !== undefined) return await mounted.changes().compare();
    using run = await readRun({ store, id });
    return await run.diff(0, run.lastSequence);
  };
  const keep = async () =>
    rev === undefined ? await keepChanges(io, options, await compare()) : undefined;
  const fill = async (filesystem: StoredFilesystem) => {
    if (base !== undefined) return;
    const mounts = [rev === undefined ? mountOf(filter) : { hostPath: ".", git: { rev } }];
    const given = { allowedHostRoots: [root], onProgress: showCopying(io.status), signal };
    mounted = await mountHost(filesystem, mounts, given);
  };
  return {
    backend: "store",
    directory: root,
    copied: undefined,
    recording: { createDirectory: () => newRunDirectory(io, root) },
    openRun: (settings) =>
      Run.open(
        { store, id },
        { ...settings, fill, files: { leaseMs: LEASE_MS, from: base } },
      ).catch(explainBusy),
    runName: id,
    isKept: false,
    createSection: (session, filesystem) =>
      VfsToolsSection.create({
        ...{ session, key: "workspace", trackChanges: false, signal },
        ...(filesystem && { filesystem }),
      }),
    changes: compare,
    apply: async (progress) => {
      if (mounted !== undefined) return await mounted.changes().apply(progress);
      // Files that were copied earlier are compared with the directory by its workspace.
      await keep();
      await using workspace = await openWorkspace(root, { ...filter, env: io.env });
      return await workspace.apply(progress);
    },
    keep,
    async [Symbol.asyncDispose]() {
      await store.close();
    },
  };
}

/** How long a run of a killed process cannot be continued. */
const LEASE_MS = 10_000;

function explainBusy(error: unknown): never {
  if (!isStoreError(error, "LEASE_LOST")) throw error;
  throw new CliError("Another process works on the run.", {
    exitCode: EXIT_CODES.refused,
    hint: "If that process was killed, try again after 10 seconds.",
  });
}
