import { InMemoryFilesystem } from "@wink/filesystem";
import { VfsToolsSection } from "@wink/tools";
import { mountHost } from "@wink/workspace";
import type { Io } from "../terminal/io.js";
import { showCopying } from "../view/show-copying.js";
import { mountOf, realDirectory } from "./directory-mount.js";
import { keepChanges } from "./keep-changes.js";
import { newRunDirectory } from "./run-files.js";
import type { OpenRunWorkspaceOptions, RunWorkspace } from "./run-workspace.js";

/** Opens a copy in memory. Its changes are saved in the workspace when the run ends. */
export async function openMemoryRunWorkspace(
  io: Io,
  options: OpenRunWorkspaceOptions,
): Promise<RunWorkspace> {
  const { rev, filter, signal } = options;
  const root = await realDirectory(io, options.directory);
  const filesystem = new InMemoryFilesystem();
  const mounts = [rev === undefined ? mountOf(filter) : { hostPath: ".", git: { rev } }];
  const given = { allowedHostRoots: [root], onProgress: showCopying(io.status), signal };
  const mounted = await mountHost(filesystem, mounts, given);
  return {
    backend: "memory",
    directory: root,
    copied: mounted.report,
    recording: { createDirectory: () => newRunDirectory(io, root) },
    isKept: false,
    openFilesystem: async () => filesystem,
    createSection: (session) =>
      VfsToolsSection.create({
        session,
        key: "workspace",
        filesystem,
        trackChanges: false,
        signal,
      }),
    changes: () => mounted.changes().compare(),
    apply: (progress) => mounted.changes().apply(progress),
    // The files of a revision are not those of the directory, so their changes may not fit.
    keep: async () =>
      rev === undefined
        ? await keepChanges(io, options, await mounted.changes().compare())
        : undefined,
    async [Symbol.asyncDispose]() {},
  };
}
