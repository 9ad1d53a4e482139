import type { CallOptions, SnapshotableFilesystem } from "@wink/filesystem";
import { HostFilesystem } from "@wink/filesystem/host";
import {
  FilesystemSnapshots,
  MarkdownSection,
  readBeforeWrite,
  type WorkspaceSection,
} from "@wink/prompt";
import type { Session } from "@wink/session";
import {
  type ChangesOptions,
  type MountedWorkspace,
  type MountReport,
  mountHost,
  type WorkspaceChanges,
} from "@wink/workspace";
import {
  checkOptions,
  type OptionKinds,
  requireCreated,
  requireRoots,
} from "../error/check-options.js";
import { NAMING, type SectionNaming } from "../error/section-naming.js";
import { ToolsError } from "../error/tools-error.js";
import { fileTools } from "../files/file-tools.js";
import { type InitialState, saveInitialState } from "../files/initial-state.js";
import { recordMount } from "../files/record-mount.js";
import { VirtualFileSystem } from "../files/virtual-file-system.js";
import { describeWorkspace, previewFiles, withoutFiles } from "../files/workspace-text.js";
import { evaluatePythonTool } from "../python/evaluate-python.js";
import { DEFAULT_PYTHON_LIMITS } from "../python/python-engine.js";
import { resolveToolLimits, type ToolLimits } from "../reply/limits.js";
import { ContainerPython } from "./container-python.js";
import { containerUser } from "./container-user.js";
import { keepForExit, releaseFromExit } from "./exit-cleanup.js";
import { OutputHistory } from "./output-history.js";
import { Overlay } from "./overlay.js";
import type { PodmanConfig } from "./podman-config.js";
import { removeAbandoned } from "./remove-abandoned.js";
import { showRepositories } from "./repository-mounts.js";
import { requireUsable } from "./require-usable.js";
import { type ResolvedConfig, resolveConfig } from "./resolve-config.js";
import { Sandbox } from "./sandbox.js";
import { sandboxFilesystem } from "./sandbox-filesystem.js";
import { describeSandbox } from "./sandbox-text.js";
import { shellExecuteTool } from "./shell-execute.js";
import { shellOutputTool } from "./shell-output.js";
import type { ShellSettings } from "./shell-settings.js";

export interface PodmanSandboxSectionOptions<Key extends string = "sandbox">
  extends CallOptions,
    SectionNaming<Key> {
  /**
   * Receives an event for every change, and the `VirtualFileSystem` slice. Closing it closes the section too, which
   * removes the container and the files.
   */
  readonly session: Session;
  /** @default the defaults of `PodmanConfig` */
  readonly config?: PodmanConfig | undefined;
  /** Limits for the input and the answer of one call. @default the defaults of `ToolLimits` */
  readonly limits?: Partial<ToolLimits> | undefined;
  /** Whether the model must read a file before a file tool may change it. @default true */
  readonly readBeforeWrite?: boolean | undefined;
}

const KINDS: OptionKinds<PodmanSandboxSectionOptions> = {
  session: "session",
  config: "object",
  limits: "object",
  readBeforeWrite: "boolean",
  signal: "signal",
  ...NAMING,
};

interface Parts<Key extends string> {
  readonly key: Key;
  readonly template: string;
  readonly config: ResolvedConfig;
  readonly overlay: Overlay;
  readonly host: HostFilesystem;
  readonly sandbox: Sandbox;
  readonly filesystem: SnapshotableFilesystem;
  readonly mounted: MountedWorkspace | undefined;
  readonly first: InitialState | undefined;
  readonly options: PodmanSandboxSectionOptions<Key>;
}

/** For the shell handlers of this package. */
export let shellSettingsOf: (section: PodmanSandboxSection<string>) => ShellSettings;

/**
 * A workspace for a model, with the ten file tools, Python, and a shell in a container that shares the files.
 *
 * The files are available immediately; the container is created for the first command. Changes by a command are in
 * the same transactions, diffs and snapshots as changes by the tools. You must close the section or its session,
 * which removes the container and the files.
 */
export class PodmanSandboxSection<const Key extends string = "sandbox">
  extends MarkdownSection<Key>
  implements WorkspaceSection, AsyncDisposable
{
  readonly filesystem: SnapshotableFilesystem;
  /** The mounted files, and the skipped ones with the reason; `undefined` without mounts. */
  readonly mountReport: MountReport | undefined;
  readonly #parts: Parts<Key>;
  readonly #shell: ShellSettings;
  readonly #leaveSession: () => void;
  #closing: Promise<void> | undefined;

  /**
   * Creates the workspace and copies the mounts into it. Rejects with a `PodmanError` if the engine or the image is
   * missing, and with a `FilesystemError` if a mount is not allowed.
   */
  static async create<const Key extends string = "sandbox">(
    options: PodmanSandboxSectionOptions<Key>,
  ): Promise<PodmanSandboxSection<Key>> {
    checkOptions("PodmanSandboxSection", options, KINDS, ["session"]);
    const given = options.config ?? {};
    const config = resolveConfig(given);
    requireRoots("PodmanSandboxSection", given);
    const report = await requireUsable(config);
    await removeAbandoned(config.engine, config.overlayRoot);
    const user = containerUser(config.user, report);
    const overlay = Overlay.create(config.overlayRoot, user);
    keepForExit(overlay, config.engine);
    let host: HostFilesystem | undefined;
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
      // Without `key`, `Key` is its default "sandbox".
      const key = options.key ?? ("sandbox" as Key);
      const { session, signal } = options;
      const preview = () => previewFiles(filesystem, mounted?.report, { signal });
      const files = await recordMount(key, filesystem, { session, signal, preview });
      const template = textFor(filesystem, files, config, options);
      return new PodmanSandboxSection({
        ...{ key, template, config, overlay, host, sandbox, filesystem, mounted, first, options },
      });
    } catch (error) {
      await host?.close();
      await overlay.remove();
      releaseFromExit(overlay);
      throw error;
    }
  }

  private constructor(parts: Parts<Key>) {
    requireCreated("PodmanSandboxSection", parts);
    const { key, template, config, sandbox, options } = parts;
    const toolPrefix = options.config?.toolPrefix ?? "";
    const limits = resolveToolLimits(options.limits);
    const nameTool = (name: string) => toolPrefix + name;
    const shell: ShellSettings = {
      ...{ sandbox, config, limits, nameTool },
      workspace: key,
      outputs: new OutputHistory(),
    };
    const python = evaluatePythonTool({
      engine: new ContainerPython(sandbox, config),
      limits: {
        ...DEFAULT_PYTHON_LIMITS,
        timeoutMs: config.timeoutMs,
        maxMemoryBytes: config.memoryLimitBytes,
      },
      ...{ workspace: key, nameTool },
      access: "opaque",
    });
    super({
      key,
      title: options.title ?? "Sandbox",
      template,
      toolPrefix,
      acceptsOverrides: options.acceptsOverrides ?? false,
      tools: [
        ...fileTools({ limits, workspace: key, nameTool }),
        shellExecuteTool(shell),
        shellOutputTool(shell),
        python,
      ],
      slices: [VirtualFileSystem, FilesystemSnapshots],
      policies: (options.readBeforeWrite ?? true) ? [readBeforeWrite()] : [],
    });
    this.filesystem = parts.filesystem;
    this.mountReport = parts.mounted?.report;
    this.#parts = parts;
    this.#shell = shell;
    this.#leaveSession = options.session.onClose(() => this.close());
  }

  override get source(): string {
    return withoutFiles(super.source);
  }

  /**
   * Configured limits that the kernel does not enforce for this container, for example rootless on older systems.
   * `undefined` before the first command.
   */
  get unenforcedLimits(): readonly ("memory" | "pids" | "cpu")[] | undefined {
    return this.#parts.sandbox.facts?.unenforced;
  }

  /** All changes since the files were mounted or last applied, by tools or commands. Lets you write them to the host. */
  changes(options: ChangesOptions = {}): WorkspaceChanges {
    const { mounted, first } = this.#parts;
    if (mounted !== undefined) return mounted.changes(options);
    if (first !== undefined) return first.changes(options.since);
    throw new ToolsError("NO_INITIAL_STATE", {
      subject: "changes",
      reason: "the section has no initial state to compare with",
    });
  }

  /** Kills running commands and removes the container and the files. */
  override close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  static {
    shellSettingsOf = (section) => section.#shell;
  }

  async #close(): Promise<void> {
    const { sandbox, host, overlay } = this.#parts;
    this.#leaveSession();
    try {
      await sandbox.close();
    } finally {
      await host.close();
      await overlay.remove();
      releaseFromExit(overlay);
    }
  }
}

async function mount(
  filesystem: HostFilesystem,
  { config = {}, signal }: PodmanSandboxSectionOptions<string>,
): Promise<MountedWorkspace | undefined> {
  const { mounts = [], allowedHostRoots = [], onProgress } = config;
  if (mounts.length === 0) return undefined;
  return await mountHost(filesystem, mounts, {
    allowedHostRoots,
    signal,
    onProgress: (progress) => onProgress?.({ stage: "mounting", ...progress }),
  });
}

function textFor(
  filesystem: SnapshotableFilesystem,
  preview: string,
  config: ResolvedConfig,
  { config: given, readBeforeWrite: mustRead }: PodmanSandboxSectionOptions<string>,
): string {
  const toolPrefix = given?.toolPrefix ?? "";
  const files = describeWorkspace(filesystem, preview, { toolPrefix, readBeforeWrite: mustRead });
  return `${files}\n\n${describeSandbox(config, toolPrefix)}`;
}
