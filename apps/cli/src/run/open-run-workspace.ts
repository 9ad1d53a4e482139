import { CliError } from "../terminal/cli-error.js";
import { EXIT_CODES } from "../terminal/exit-codes.js";
import type { Io } from "../terminal/io.js";
import type { ResumedInStore } from "./resumed-run.js";
import type { Backend, OpenRunWorkspaceOptions, RunWorkspace } from "./run-workspace.js";

/** Copies a directory into the workspace of the given `--backend`. */
export async function openRunWorkspace(
  io: Io,
  backend: Backend,
  options: OpenRunWorkspaceOptions,
  storeUrl = "",
  resumed?: ResumedInStore,
): Promise<RunWorkspace> {
  if (backend === "store") {
    const { openStoreRunWorkspace } = await import("./store-run-workspace.js");
    return await openStoreRunWorkspace(io, options, storeUrl, resumed);
  }
  if (options.base !== undefined)
    throw new CliError("--base needs --store.", { exitCode: EXIT_CODES.usage });
  // A revision is not the directory, so its copy is not kept for the next run.
  switch (options.rev === undefined || backend === "overlay" ? backend : "memory") {
    case "host": {
      const { openHostRunWorkspace } = await import("./host-run-workspace.js");
      return await openHostRunWorkspace(io, options);
    }
    case "memory": {
      const { openMemoryRunWorkspace } = await import("./memory-run-workspace.js");
      return await openMemoryRunWorkspace(io, options);
    }
    case "overlay": {
      const { openOverlayRunWorkspace } = await import("./overlay-run-workspace.js");
      return await openOverlayRunWorkspace(io, options);
    }
    case "podman": {
      const { openPodmanRunWorkspace } = await import("./podman-run-workspace.js");
      return await openPodmanRunWorkspace(io, options);
    }
  }
}
