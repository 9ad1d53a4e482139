import type { Filesystem } from "@wink/filesystem";
import { VfsToolsSection } from "@wink/tools";
import { overlayHost } from "@wink/workspace";
import type { Io } from "../terminal/io.js";
import { remark } from "../terminal/print.js";
import { stateDirectory } from "../workspace/state-directory.js";
import { mountOf, realDirectory } from "./directory-mount.js";
import { keepChanges } from "./keep-changes.js";
import { newRunDirectory } from "./run-files.js";
import type { OpenRunWorkspaceOptions, RunWorkspace } from "./run-workspace.js";

/** Storing the states of a run's files reads all of them at its start. Above this number the run stores no states. */
const MAX_RECORDED_FILES = 2_000;

/** Shows the directory through an overlay, without a copy. Changes are saved in the workspace when the run ends. */
export async function openOverlayRunWorkspace(
  io: Io,
  options: OpenRunWorkspaceOptions,
): Promise<RunWorkspace> {
  const { rev, filter, signal } = options;
  const root = await realDirectory(io, options.directory);
  const mount = { ...mountOf(filter), ...(rev !== undefined && { git: { rev } }) };
  const overlaid = await overlayHost(mount, {
    ...{ allowedHostRoots: [root], stateDirectory: stateDirectory(io.env), signal },
  });
  const { filesystem } = overlaid;
  const states = await hasAtMost(filesystem, MAX_RECORDED_FILES);
  if (!states)
    remark(
      io,
      `The directory has more than ${MAX_RECORDED_FILES} files, so the run is recorded without their states. Use --backend host to record them.`,
    );
  return {
    backend: "overlay",
    directory: root,
    copied: undefined,
    leftOut: () => overlaid.leftOut(),
    recording: { createDirectory: () => newRunDirectory(io, root), states },
    isKept: false,
    openFilesystem: async () => filesystem,
    createSection: (session) =>
      VfsToolsSection.create({
        ...{ session, key: "workspace", filesystem, trackChanges: false, signal },
      }),
    changes: () => overlaid.changes().compare(),
    apply: (progress) => overlaid.changes().apply(progress),
    // The files of a revision are not those of the directory, so their changes may not fit.
    keep: async () =>
      rev === undefined
        ? await keepChanges(io, options, await overlaid.changes().compare())
        : undefined,
    [Symbol.asyncDispose]: () => overlaid.close(),
  };
}

/** Lists directories until there are more files than `count`. Reads no file. */
async function hasAtMost(filesystem: Filesystem, count: number): Promise<boolean> {
  const directories = ["."];
  let found = 0;
  for (const directory of directories) {
    const entries = await filesystem.list(directory, { limit: count + 1 });
    for (const { path, kind } of entries)
      if (kind === "directory") directories.push(path);
      else found++;
    if (found + directories.length > count) return false;
  }
  return true;
}
