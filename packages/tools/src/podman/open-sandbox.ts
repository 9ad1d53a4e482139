import type { SnapshotableFilesystem } from "@wink/filesystem";
import { HostFilesystem } from "@wink/filesystem/host";
import { type MountedWorkspace, mountHost } from "@wink/workspace";
import { requireRoots } from "../error/check-options.js";
import { type InitialState, saveInitialState } from "../files/initial-state.js";
import { containerUser } from "./container-user.js";
import { keepForExit, releaseFromExit } from "./exit-cleanup.js";
import { Overlay } from "./overlay.js";
import type { PodmanSandboxSectionOptions } from "./podman-sandbox-section.js";
import { removeAbandoned } from "./remove-abandoned.js";
import { showRepositories } from "./repository-mounts.js";
import { requireUsable } from "./require-usable.js";
import { type ResolvedConfig, resolveConfig } from "./resolve-config.js";
import { Sandbox } from "./sandbox.js";
import { sandboxFilesystem } from "./sandbox-filesystem.js";

/** The files of a section and its container, which do not depend on a session. */
export interface OpenSandbox {
  readonly config: ResolvedConfig;
  readonly sandbox: Sandbox;
  readonly filesystem: SnapshotableFilesystem;
  readonly mounted: MountedWorkspace | undefined;
  readonly first: InitialState | undefined;
  /** Kills running commands and removes the container and the files. */
  close(): Promise<void>;
}

type Options = Pick<PodmanSandboxSectionOptions<string>, "config" | "signal">;

/** Copies the mounts. Rejects if the engine or the image is missing, or a mount is not allowed. */
export async function openSandbox(options: Options): Promise<OpenSandbox> {
  const given = options.config ?? {};
  const config = resolveConfig(given);
  requireRoots("PodmanSandboxSection", given);
  const report = await requireUsable(config);
  await removeAbandoned(config.engine, config.overlayRoot);
  const user = containerUser(config.user, report);
  const overlay = Overlay.create(config.overlayRoot, user);
  keepForExit(overlay, config.engine);
  let host: HostFilesystem | undefined;
  const closeFiles = async () => {
    await host?.close();
    await overlay.remove();
    releaseFromExit(overlay);
  };
  try {
    host = await HostFilesystem.open(overlay.files, {
      mountPoint: config.workspaceRoot,
      storeDirectory: overlay.store,
      sweep: false,
      // The workspace does not outlive this process, so it need not survive a power failure.
      fsync: false,
    });
    const mounted = await mount(host, options);
    await mounted?.ready();
    const { mounts = [], allowedHostRoots = [], onProgress } = given;
    const repository = { config, mounts, allowedHostRoots, files: overlay.files };
    const shown = mounted ? showRepositories(repository, mounted.report) : [];
    const first = mounted === undefined ? await saveInitialState(host) : undefined;
    const sandbox = new Sandbox({ config, report, overlay, user, mounts: shown, onProgress });
    const filesystem = sandboxFilesystem(host, (change) => sandbox.whileQuiet(change));
    const close = () => sandbox.close().finally(closeFiles);
    return { config, sandbox, filesystem, mounted, first, close };
  } catch (error) {
    await closeFiles();
    throw error;
  }
}

async function mount(
  filesystem: HostFilesystem,
  { config = {}, signal }: Options,
): Promise<MountedWorkspace | undefined> {
  const { mounts = [], allowedHostRoots = [], onProgress } = config;
  if (mounts.length === 0) return undefined;
  return await mountHost(filesystem, mounts, {
    allowedHostRoots,
    signal,
    onProgress: (progress) => onProgress?.({ stage: "mounting", ...progress }),
  });
}
