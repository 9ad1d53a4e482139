import type { CallOptions, SnapshotableFilesystem } from "@wink/filesystem";
import {
  FilesystemSnapshots,
  MarkdownSection,
  readBeforeWrite,
  type WorkspaceSection,
} from "@wink/prompt";
import type { Session } from "@wink/session";
import type { ChangesOptions, MountReport, WorkspaceChanges } from "@wink/workspace";
import { checkOptions, type OptionKinds, requireCreated } from "../error/check-options.js";
import { NAMING, type SectionNaming } from "../error/section-naming.js";
import { ToolsError } from "../error/tools-error.js";
import { fileTools } from "../files/file-tools.js";
import { recordMount } from "../files/record-mount.js";
import { VirtualFileSystem } from "../files/virtual-file-system.js";
import { describeWorkspace, previewFiles, withoutFiles } from "../files/workspace-text.js";
import { evaluatePythonTool } from "../python/evaluate-python.js";
import { DEFAULT_PYTHON_LIMITS } from "../python/python-engine.js";
import { resolveToolLimits, type ToolLimits } from "../reply/limits.js";
import { ContainerPython } from "./container-python.js";
import { type OpenSandbox, openSandbox } from "./open-sandbox.js";
import { OutputHistory } from "./output-history.js";
import type { PodmanConfig } from "./podman-config.js";
import type { ResolvedConfig } from "./resolve-config.js";
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

const { session: _, ...KINDS_WITHOUT_SESSION } = KINDS;

/** The files of a section that does not exist yet. Dispose of it if you do not create the section. */
export interface PreparedSandbox<Key extends string = "sandbox"> extends AsyncDisposable {
  readonly filesystem: SnapshotableFilesystem;
  /** Creates the section, which owns the files from then on. Call it once. */
  createSection(session: Session): Promise<PodmanSandboxSection<Key>>;
}

interface Parts<Key extends string> {
  readonly key: Key;
  readonly template: string;
  readonly opened: OpenSandbox;
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
    const opened = await openSandbox(options);
    return await PodmanSandboxSection.#create(opened, options).catch(async (error: unknown) => {
      await opened.close();
      throw error;
    });
  }

  /**
   * Copies the mounts without creating the section yet, so that the files can be changed first. A run that continues
   * restores its files there, because the section reads them when it is created.
   */
  static async prepare<const Key extends string = "sandbox">(
    options: Omit<PodmanSandboxSectionOptions<Key>, "session"> = {},
  ): Promise<PreparedSandbox<Key>> {
    checkOptions("PodmanSandboxSection.prepare", options, KINDS_WITHOUT_SESSION);
    const opened = await openSandbox(options);
    return {
      filesystem: opened.filesystem,
      createSection: (session) => PodmanSandboxSection.#create(opened, { ...options, session }),
      [Symbol.asyncDispose]: () => opened.close(),
    };
  }

  static async #create<const Key extends string>(
    opened: OpenSandbox,
    options: PodmanSandboxSectionOptions<Key>,
  ): Promise<PodmanSandboxSection<Key>> {
    const { filesystem, mounted, config } = opened;
    // Without `key`, `Key` is its default "sandbox".
    const key = options.key ?? ("sandbox" as Key);
    const { session, signal } = options;
    const preview = () => previewFiles(filesystem, mounted?.report, { signal });
    const files = await recordMount(key, filesystem, { session, signal, preview });
    const template = textFor(filesystem, files, config, options);
    return new PodmanSandboxSection({ key, template, opened, options });
  }

  private constructor(parts: Parts<Key>) {
    requireCreated("PodmanSandboxSection", parts);
    const { key, template, opened, options } = parts;
    const { config, sandbox, filesystem, mounted } = opened;
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
    this.filesystem = filesystem;
    this.mountReport = mounted?.report;
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
    return this.#parts.opened.sandbox.facts?.unenforced;
  }

  /** All changes since the files were mounted or last applied, by tools or commands. Lets you write them to the host. */
  changes(options: ChangesOptions = {}): WorkspaceChanges {
    const { mounted, first } = this.#parts.opened;
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
    this.#leaveSession();
    await this.#parts.opened.close();
  }
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
