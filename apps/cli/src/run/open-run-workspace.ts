import { CliError } from "../cli-error.js";
import { EXIT_CODES } from "../exit-codes.js";
import type { Io } from "../io.js";
import type { Backend, OpenRunWorkspaceOptions, RunWorkspace } from "./run-workspace.js";

/** Copies a directory to where `--backend` says that an agent works on it. */
export async function openRunWorkspace(
  io: Io,
  backend: Backend,
  options: OpenRunWorkspaceOptions,
): Promise<RunWorkspace> {
  switch (backend) {
    case "host": {
      const { openHostRunWorkspace } = await import("./host-run-workspace.js");
      return await openHostRunWorkspace(io, options);
    }
    case "memory": {
      const { openMemoryRunWorkspace } = await import("./memory-run-workspace.js");
      return await openMemoryRunWorkspace(io, options);
    }
    case "podman":
      throw new CliError("The Podman backend is not there yet.", {
        exitCode: EXIT_CODES.unavailable,
        hint: "Use --backend host or --backend memory.",
      });
  }
}
