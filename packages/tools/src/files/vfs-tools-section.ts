import {
  type CallOptions,
  type Filesystem,
  type FilesystemQuotas,
  InMemoryFilesystem,
  type InMemoryFilesystemOptions,
} from "@wink/filesystem";
import type {
  ChangesOptions,
  HostMount,
  MountedWorkspace,
  MountHostOptions,
  MountReport,
  WorkspaceChanges,
} from "@wink/filesystem/host";
import { MarkdownSection, readBeforeWrite, type WorkspaceSection } from "@wink/prompt";
import type { Session } from "@wink/session";
import { resolveToolLimits, type ToolLimits } from "../reply/limits.js";
import { announceFiles } from "./announce-files.js";
import { fileTools } from "./file-tools.js";
import { type FirstState, keepFirstState } from "./first-state.js";
import { VirtualFileSystem } from "./virtual-file-system.js";
import { describeWorkspace } from "./workspace-text.js";

export interface VfsToolsSectionOptions<Key extends string = "vfs">
  extends CallOptions,
    Pick<Partial<MountHostOptions>, "allowedHostRoots" | "onProgress" | "stateDirectory"> {
  /** Gets the events of every change, and the `VirtualFileSystem` slice. */
  readonly session: Session;
  /** Files of this machine to copy in. @default none */
  readonly mounts?: readonly HostMount[] | undefined;
  /** Files to begin with, by path. @default none */
  readonly files?: InMemoryFilesystemOptions["files"] | undefined;
  /** What the workspace may hold. @default no quota */
  readonly quotas?: FilesystemQuotas | undefined;
  /** Files that are somewhere else. Goes with neither `files` nor `quotas`. @default a new one in memory */
  readonly filesystem?: Filesystem | undefined;
  /** What one call may take and answer. @default `DEFAULT_TOOL_LIMITS` */
  readonly limits?: Partial<ToolLimits> | undefined;
  /** Whether a file must have been read before it is changed. @default true */
  readonly readBeforeWrite?: boolean | undefined;
  /** Whether the first state is kept for `changes()`. On a disk that costs a snapshot. @default true */
  readonly trackChanges?: boolean | undefined;
  /** @default "" */
  readonly toolPrefix?: string | undefined;
  /** @default "vfs" */
  readonly key?: Key | undefined;
  /** @default "Workspace" */
  readonly title?: string | undefined;
}

interface Parts<Key extends string> {
  readonly key: Key;
  readonly template: string;
  readonly filesystem: Filesystem;
  readonly mounted: MountedWorkspace | undefined;
  readonly first: FirstState | undefined;
  readonly options: VfsToolsSectionOptions<Key>;
}

/** Files for a model, copied from the host or anywhere else, and the ten tools to work on them. */
export class VfsToolsSection<const Key extends string = "vfs">
  extends MarkdownSection<Key>
  implements WorkspaceSection
{
  readonly filesystem: Filesystem;
  /** What was mounted, and what was left out and why; `undefined` without mounts. */
  readonly mountReport: MountReport | undefined;
  readonly #mounted: MountedWorkspace | undefined;
  readonly #first: FirstState | undefined;

  /**
   * Makes the workspace and copies the mounts into it, all or nothing. Rejects with a
   * `FilesystemError` when something may not be mounted.
   */
  static async create<const Key extends string = "vfs">(
    options: VfsToolsSectionOptions<Key>,
  ): Promise<VfsToolsSection<Key>> {
    // Without a key its type is the default of the parameter.
    const key = options.key ?? ("vfs" as Key);
    const filesystem = openFilesystem(options);
    const mounted = await mount(filesystem, options);
    const tracks = mounted === undefined && (options.trackChanges ?? true);
    const first = tracks ? await keepFirstState(filesystem) : undefined;
    await announceFiles(key, filesystem, options);
    const template = await describeWorkspace(filesystem, mounted?.report, options);
    return new VfsToolsSection({ key, template, filesystem, mounted, first, options });
  }

  private constructor({ key, template, filesystem, mounted, first, options }: Parts<Key>) {
    const { limits, toolPrefix = "", title = "Workspace" } = options;
    super({
      key,
      title,
      template,
      toolPrefix,
      tools: fileTools({
        limits: resolveToolLimits(limits),
        workspace: key,
        nameTool: (name) => toolPrefix + name,
      }),
      slices: [VirtualFileSystem],
      policies: (options.readBeforeWrite ?? true) ? [readBeforeWrite()] : [],
    });
    this.filesystem = filesystem;
    this.mountReport = mounted?.report;
    this.#mounted = mounted;
    this.#first = first;
  }

  /**
   * What has become of the files since they were mounted or last applied, as a patch,
   * and the way to write it to the host. Without mounts it is what has changed since
   * the section was made, and there is nothing to apply it to.
   */
  changes(options: ChangesOptions = {}): WorkspaceChanges {
    if (this.#mounted !== undefined) return this.#mounted.changes(options);
    if (this.#first !== undefined) return this.#first.changes(options.since);
    throw new TypeError(
      "The section was made with trackChanges: false, so it knows no first state.",
    );
  }
}

function openFilesystem(options: VfsToolsSectionOptions<string>): Filesystem {
  const { filesystem, files, quotas } = options;
  if (filesystem === undefined)
    return new InMemoryFilesystem({ ...(files && { files }), ...(quotas && { quotas }) });
  if (files !== undefined || quotas !== undefined)
    throw new TypeError("files and quotas go with a filesystem that the section makes itself.");
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
  // Loaded when it is needed: what is only in memory runs where there is no disk.
  const { mountHost } = await import("@wink/filesystem/host");
  return await mountHost(filesystem, mounts, {
    allowedHostRoots,
    signal,
    onProgress,
    stateDirectory,
  });
}
