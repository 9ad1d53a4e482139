import { VfsToolsSection } from "@wink/tools";
import { overlayHost } from "@wink/workspace";
import type { Io } from "../terminal/io.js";
import { stateDirectory } from "../workspace/state-directory.js";
import { mountOf, realDirectory } from "./directory-mount.js";
import { keepChanges } from "./keep-changes.js";
import { newRunDirectory } from "./run-files.js";
import type { OpenRunWorkspaceOptions, RunWorkspace } from "./run-workspace.js";

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
  return {
    backend: "overlay",
    directory: root,
    copied: undefined,
    leftOut: () => overlaid.leftOut(),
    recording: { createDirectory: () => newRunDirectory(io, root) },
    isKept: false,
    createSection: (session) =>
      VfsToolsSection.create({
        ...{ session, key: "workspace", filesystem, trackChanges: false, signal },
      }),
    changes: () => overlaid.changes().compare(),
    apply: () => overlaid.changes().apply(),
    // The files of a revision are not those of the directory, so their changes may not fit.
    keep: async () =>
      rev === undefined
        ? await keepChanges(io, options, await overlaid.changes().compare())
        : undefined,
    [Symbol.asyncDispose]: () => overlaid.close(),
  };
}
