import { randomBytes } from "node:crypto";
import { Run } from "@wink/adapters/run";
import type { StoredFilesystem } from "@wink/filesystem";
import { VfsToolsSection } from "@wink/tools";
import { type MountedWorkspace, mountHost } from "@wink/workspace";
import type { Io } from "../terminal/io.js";
import { showCopying } from "../view/show-copying.js";
import { mountOf, realDirectory } from "./directory-mount.js";
import { keepChanges } from "./keep-changes.js";
import { newRunDirectory } from "./run-files.js";
import type { OpenRunWorkspaceOptions, RunWorkspace } from "./run-workspace.js";
import { openStoreOf } from "./stored-runs.js";

/** Opens a run whose files, events and conversation are in a store. */
export async function openStoreRunWorkspace(
  io: Io,
  options: OpenRunWorkspaceOptions,
  url: string,
): Promise<RunWorkspace> {
  const { rev, filter, signal } = options;
  const root = await realDirectory(io, options.directory);
  const store = await openStoreOf(io, url);
  const id = newRunId();
  let mounted: MountedWorkspace | undefined;
  const changes = () => {
    if (mounted === undefined) throw new Error("The run has not been opened yet.");
    return mounted.changes();
  };
  const fill = async (filesystem: StoredFilesystem) => {
    const mounts = [rev === undefined ? mountOf(filter) : { hostPath: ".", git: { rev } }];
    const given = { allowedHostRoots: [root], onProgress: showCopying(io.status), signal };
    mounted = await mountHost(filesystem, mounts, given);
  };
  return {
    backend: "store",
    directory: root,
    copied: undefined,
    recording: { createDirectory: () => newRunDirectory(io, root) },
    openRun: (settings) => Run.open({ store, id }, { ...settings, fill }),
    runName: id,
    isKept: false,
    createSection: (session, filesystem) =>
      VfsToolsSection.create({
        ...{ session, key: "workspace", trackChanges: false, signal },
        ...(filesystem && { filesystem }),
      }),
    changes: () => changes().compare(),
    apply: () => changes().apply(),
    keep: async () =>
      rev === undefined ? await keepChanges(io, options, await changes().compare()) : undefined,
    async [Symbol.asyncDispose]() {
      await store.close();
    },
  };
}

/** Sorts by time. */
function newRunId(): string {
  const time = new Date()
    .toISOString()
    .replace(/[-:]|\.\d+Z$/g, "")
    .replace("T", "-");
  return `${time}-${randomBytes(3).toString("hex")}`;
}
