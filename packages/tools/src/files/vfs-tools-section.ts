import {
  type CallOptions,
  type Filesystem,
  type FilesystemQuotas,
  InMemoryFilesystem,
  type InMemoryFilesystemOptions,
} from "@wink/filesystem";
import {
  FilesystemSnapshots,
  MarkdownSection,
  readBeforeWrite,
  type WorkspaceSection,
} from "@wink/prompt";
import type { Session } from "@wink/session";
import type {
  ChangesOptions,
  HostMount,
  MountedWorkspace,
  MountHostOptions,
  MountReport,
  OverlaidHost,
  OverlayMount,
  Workspace,
  WorkspaceChanges,
} from "@wink/workspace";
import {
  checkOptions,
  checkValue,
  invalidOption,
  type OptionKinds,
  requireCreated,
  requireRoots,
} from "../error/check-options.js";
import { TOOL_NAMING, type ToolSectionNaming } from "../error/section-naming.js";
import { ToolsError } from "../error/tools-error.js";
import { readOnce } from "../events/read-once.js";
import { resolveToolLimits, type ToolLimits } from "../reply/limits.js";
import { fileTools } from "./file-tools.js";
import { type InitialState, saveInitialState, workspaceChanges } from "./initial-state.js";
import { recordMount } from "./record-mount.js";
import { VirtualFileSystem } from "./virtual-file-system.js";
import { describeWorkspace, previewFiles, withoutFiles } from "./workspace-text.js";

export type VfsToolsSectionOptions<Key extends string = "vfs"> = CallOptions &
  ToolSectionNaming<Key> &
  Pick<Partial<MountHostOptions>, "onProgress" | "stateDirectory"> & {
    /** Receives an event for every change, and the `VirtualFileSystem` slice. */
    readonly session: Session;
    /** Initial files, by path. @default none */
    readonly files?: InMemoryFilesystemOptions["files"] | undefined;
    /** Limits for the size of the workspace. @default no quota */
    readonly quotas?: FilesystemQuotas | undefined;
    /**
     * A host directory to show without copying it. Changes stay in memory until `changes().apply()`. The same files are
     * left out as in a mount. Closing the session closes the directory. Cannot be combined with `files`, `filesystem`,
     * `mounts` or `workspace`. @default none
     */
    readonly overlay?: string | OverlayMount | undefined;
    /** An existing filesystem to work on. Cannot be combined with `files` or `quotas`. @default a new filesystem in memory */
    readonly filesystem?: Filesystem | undefined;
    /**
     * A persistent workspace to work on, as `Workspace.open` returns it. Cannot be combined with `filesystem`, `files`,
     * `quotas` or `mounts`. The caller closes it. @default none
     */
    readonly workspace?: Workspace | undefined;
    /** Limits for the input and the answer of one call. @default the defaults of `ToolLimits` */
    readonly limits?: Partial<ToolLimits> | undefined;
    /** Whether the model must read a file before it may change it. @default true */
    readonly readBeforeWrite?: boolean | undefined;
    /** Whether to save the initial state for `changes()`. On a host filesystem this costs a snapshot. @default true */
    readonly trackChanges?: boolean | undefined;
  } & (
    | {
        readonly mounts?: undefined;
        readonly allowedHostRoots?: readonly string[] | undefined;
      }
    | {
        /** Host files to copy into the workspace. @default none */
        readonly mounts?: readonly HostMount[] | undefined;
        /** Host directories that mounts may read from and changes may be applied to. Mounts need it. */
        readonly allowedHostRoots: readonly string[];
      }
  );

const KINDS: OptionKinds<VfsToolsSectionOptions> = {
  session: "session",
  mounts: "objects",
  allowedHostRoots: "strings",
  files: "object",
  quotas: "object",
  filesystem: "filesystem",
  workspace: "object",
  overlay: "any",
  limits: "object",
  readBeforeWrite: "boolean",
  trackChanges: "boolean",
  onProgress: "function",
  stateDirectory: "string",
  signal: "signal",
  ...TOOL_NAMING,
};

interface Parts<Key extends string> {
  readonly key: Key;
  readonly template: string;
  readonly filesystem: Filesystem;
  readonly mounted: Pick<MountedWorkspace, "changes"> | undefined;
  readonly report: MountReport | undefined;
  readonly first: InitialState | undefined;
  readonly options: VfsToolsSectionOptions<Key>;
}

/** A workspace for a model, with files from the host or any other filesystem, and the ten file tools. */
export class VfsToolsSection<const Key extends string = "vfs">
  extends MarkdownSection<Key>
  implements WorkspaceSection
{
  readonly filesystem: Filesystem;
  /** The mounted files, and the skipped ones with the reason; `undefined` without mounts. */
  readonly mountReport: MountReport | undefined;
  readonly #mounted: Pick<MountedWorkspace, "changes"> | undefined;
  readonly #first: InitialState | undefined;
  readonly #workspace: Workspace | undefined;

  /**
   * Creates the workspace and copies the mounts into it, all or nothing. Rejects with a
   * `FilesystemError` if a mount is not allowed.
   */
  static async create<const Key extends string = "vfs">(
    options: VfsToolsSectionOptions<Key>,
  ): Promise<VfsToolsSection<Key>> {
    checkOptions("VfsToolsSection", options, KINDS, ["session"]);
    requireRoots("VfsToolsSection", options);
    // Without `key`, `Key` is its default "vfs".
    const key = options.key ?? ("vfs" as Key);
    const overlaid = await openOverlay(options);
    const filesystem = overlaid?.filesystem ?? openFilesystem(options);
    const mounted = overlaid ?? (await mount(filesystem, options));
    const tracks =
      mounted === undefined && options.workspace === undefined && (options.trackChanges ?? true);
    const first = tracks ? await saveInitialState(filesystem) : undefined;
    const isOverlay = "flatten" in filesystem;
    const { session, signal } = options;
    const report = mounted && "report" in mounted ? mounted.report : undefined;
    const preview = () => previewFiles(filesystem, report, { signal, countsFiles: !isOverlay });
    // To list the files of an overlay would read the whole directory.
    if (isOverlay) session.install(VirtualFileSystem);
    const shown = isOverlay
      ? await readOnce(session, { section: key, read: preview })
      : await recordMount(key, filesystem, { session, signal, preview });
    const template = describeWorkspace(filesystem, shown, options);
    return new VfsToolsSection({ key, template, filesystem, mounted, report, first, options });
  }

  private constructor(parts: Parts<Key>) {
    requireCreated("VfsToolsSection", parts);
    const { key, template, filesystem, mounted, report, first, options } = parts;
    const { limits, toolPrefix = "", title = "Workspace", acceptsOverrides = false } = options;
    super({
      key,
      title,
      template,
      toolPrefix,
      acceptsOverrides,
      tools: fileTools({
        limits: resolveToolLimits(limits),
        workspace: key,
        nameTool: (name) => toolPrefix + name,
      }),
      slices: [VirtualFileSystem, FilesystemSnapshots],
      policies: (options.readBeforeWrite ?? true) ? [readBeforeWrite()] : [],
    });
    this.filesystem = filesystem;
    this.mountReport = report;
    this.#mounted = mounted;
    this.#first = first;
    this.#workspace = options.workspace;
  }

  override get source(): string {
    return withoutFiles(super.source);
  }

  /**
   * The changes since the files were mounted or last applied. You can get them as a patch or write them to the host.
   * Without mounts, the changes since the section was created, which cannot be applied.
   */
  changes(options: ChangesOptions = {}): WorkspaceChanges {
    checkOptions("changes", options, { since: "object" });
    if (this.#workspace !== undefined) return workspaceChanges(this.#workspace, options);
    if (this.#mounted !== undefined) return this.#mounted.changes(options);
    if (this.#first !== undefined) return this.#first.changes(options.since);
    throw new ToolsError("NO_INITIAL_STATE", {
      subject: "changes",
      reason: "the section was created with trackChanges: false, so it has no initial state",
    });
  }
}

async function openOverlay(
  options: VfsToolsSectionOptions<string>,
): Promise<OverlaidHost | undefined> {
  const { overlay, session, stateDirectory, signal } = options;
  if (overlay === undefined) return undefined;
  if (typeof overlay !== "string")
    checkValue("VfsToolsSection: option 'overlay'", overlay, "object");
  for (const other of ["files", "filesystem", "quotas", "mounts", "workspace"] as const)
    if (options[other] !== undefined)
      throw invalidOption(
        "VfsToolsSection",
        `overlay cannot be combined with ${other}`,
        "Pass one of them",
      );
  // Imported only if needed, so that an in-memory workspace also runs in environments without `node:fs`.
  const { overlayHost } = await import("@wink/workspace");
  const given = typeof overlay === "string" ? { hostPath: overlay } : overlay;
  // Without allowed roots, only the directory itself is allowed.
  const allowedHostRoots = options.allowedHostRoots ?? [given.hostPath];
  const mount = options.allowedHostRoots ? given : { ...given, hostPath: "." };
  const overlaid = await overlayHost(mount, { allowedHostRoots, stateDirectory, signal });
  session.onClose(() => overlaid.close());
  return overlaid;
}

function openFilesystem(options: VfsToolsSectionOptions<string>): Filesystem {
  const { files, quotas, workspace, mounts = [] } = options;
  if (workspace !== undefined && (options.filesystem !== undefined || mounts.length > 0))
    throw invalidOption(
      "VfsToolsSection",
      "workspace cannot be combined with filesystem or mounts",
      "Choose the files with the options of Workspace.open",
    );
  const filesystem = workspace?.filesystem ?? options.filesystem;
  if (filesystem === undefined)
    return new InMemoryFilesystem({ ...(files && { files }), ...(quotas && { quotas }) });
  if (files !== undefined || quotas !== undefined)
    throw invalidOption(
      "VfsToolsSection",
      "filesystem and workspace cannot be combined with files or quotas",
      "Pass a filesystem that already has them",
    );
  return filesystem;
}

async function mount(
  filesystem: Filesystem,
  {
    mounts = [],
    allowedHostRoots = [],
    signal,
    onProgress,
    stateDirectory,
  }: VfsToolsSectionOptions<string>,
): Promise<MountedWorkspace | undefined> {
  if (mounts.length === 0) return undefined;
  // Imported only if needed, so that an in-memory workspace also runs in environments without `node:fs`.
  const { mountHost } = await import("@wink/workspace");
  return await mountHost(filesystem, mounts, {
    allowedHostRoots,
    signal,
    onProgress,
    stateDirectory,
  });
}
