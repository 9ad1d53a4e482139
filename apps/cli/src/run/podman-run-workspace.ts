import { isToolsError } from "@wink/tools";
import { type PodmanConfig, PodmanSandboxSection, type PreparedSandbox } from "@wink/tools/podman";
import { CliError } from "../terminal/cli-error.js";
import { EXIT_CODES } from "../terminal/exit-codes.js";
import type { Io } from "../terminal/io.js";
import { showCopying } from "../view/show-copying.js";
import { mountOf, realDirectory } from "./directory-mount.js";
import { keepChanges } from "./keep-changes.js";
import { newRunDirectory } from "./run-files.js";
import type { OpenRunWorkspaceOptions, RunWorkspace } from "./run-workspace.js";

/**
 * Opens a copy that the agent can also use with a shell in a container. It is deleted when the
 * process ends; its changes are saved in the workspace.
 */
export async function openPodmanRunWorkspace(
  io: Io,
  options: OpenRunWorkspaceOptions,
): Promise<RunWorkspace> {
  const { image, filter, signal } = options;
  const root = await realDirectory(io, options.directory);
  let section: PodmanSandboxSection<"workspace"> | undefined;
  const made = () => {
    if (section === undefined) throw new TypeError("The section has not been created yet.");
    return section;
  };
  const onProgress = showCopying(io.status);
  const config: PodmanConfig = {
    ...(image !== undefined && { image }),
    mounts: [mountOf(filter)],
    allowedHostRoots: [root],
    onProgress: (event) => event.stage === "mounting" && onProgress(event),
  };
  const settings = { key: "workspace", signal, config } as const;
  let prepared: PreparedSandbox<"workspace"> | undefined;
  return {
    backend: "podman",
    directory: root,
    copied: undefined,
    recording: { createDirectory: () => newRunDirectory(io, root) },
    isKept: false,
    async openFilesystem() {
      prepared = await withHint(PodmanSandboxSection.prepare(settings));
      return prepared.filesystem;
    },
    async createSection(session) {
      section = await withHint(
        prepared?.createSection(session) ?? PodmanSandboxSection.create({ ...settings, session }),
      );
      return section;
    },
    changes: () => made().changes().compare(),
    keep: async () => await keepChanges(io, options, await made().changes().compare()),
    apply: (progress) => made().changes().apply(progress),
    async [Symbol.asyncDispose]() {
      await section?.close();
      if (section === undefined) await prepared?.[Symbol.asyncDispose]();
    },
  };
}

async function withHint<T>(opening: Promise<T>): Promise<T> {
  return await opening.catch((error: unknown) => {
    if (!isToolsError(error)) throw error;
    throw new CliError(`No container is available: ${error.message}`, {
      exitCode: EXIT_CODES.unavailable,
      hint: "`wink doctor` shows the problem; --backend host needs no container.",
      cause: error,
    });
  });
}
