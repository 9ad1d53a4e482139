import type { Filesystem } from "@wink/filesystem";
import { MarkdownSection, type WorkspaceSection } from "@wink/prompt";
import type { ChangesOptions, MountReport, WorkspaceChanges } from "@wink/workspace";
import { invalidOption, requireCreated } from "../error/check-options.js";
import { VfsToolsSection, type VfsToolsSectionOptions } from "./vfs-tools-section.js";
import { withoutFiles } from "./workspace-text.js";

export type HostWorkspaceSectionOptions<Key extends string = "vfs"> = Omit<
  VfsToolsSectionOptions<Key>,
  "filesystem" | "workspace" | "overlay" | "files" | "quotas"
> &
  Pick<VfsToolsSectionOptions<Key>, "mounts" | "allowedHostRoots">;

/** Options of {@link VfsToolsSection} that give it files of another place. */
const OTHER_FILES = ["filesystem", "workspace", "overlay", "files", "quotas"] as const;

interface Parts<Key extends string> {
  readonly files: VfsToolsSection<Key>;
  /** The real path of the temporary directory. */
  readonly directory: string;
  readonly remove: () => Promise<void>;
  readonly template: string;
}

/**
 * A workspace in a temporary directory of this machine, with copies of the mounts, and the file tools.
 *
 * The section owns the directory: prompts and subagents that share the section share the directory, and it is removed
 * when the last of them or the session is closed. If the process is killed, the next process that makes one removes it.
 */
export class HostWorkspaceSection<const Key extends string = "vfs">
  extends MarkdownSection<Key>
  implements WorkspaceSection
{
  readonly filesystem: Filesystem;
  /** The temporary directory, for programs that work on the same files. */
  readonly directory: string;
  /** The mounted files, and the skipped ones with the reason; `undefined` without mounts. */
  readonly mountReport: MountReport | undefined;
  readonly #files: VfsToolsSection<Key>;
  readonly #remove: () => Promise<void>;
  #closing: Promise<void> | undefined;

  /** Makes the directory and copies the mounts into it, all or nothing. */
  static async create<const Key extends string = "vfs">(
    options: HostWorkspaceSectionOptions<Key>,
  ): Promise<HostWorkspaceSection<Key>> {
    if (typeof options !== "object" || options === null)
      throw invalidOption("HostWorkspaceSection", "options must be an object");
    const foreign = OTHER_FILES.find((name) => name in options);
    if (foreign !== undefined)
      throw invalidOption(
        "HostWorkspaceSection",
        `it has its own directory and takes no ${foreign}`,
        "Use mounts, or VfsToolsSection for other files",
      );
    // Imported only if needed, because the other sections also run without `node:fs`.
    const { HostFilesystem, makePrivateDirectory } = await import("@wink/filesystem/host");
    const directory = makePrivateDirectory("workspace");
    let filesystem: Awaited<ReturnType<typeof HostFilesystem.open>> | undefined;
    const remove = async () => {
      try {
        await filesystem?.close();
      } finally {
        await directory.remove();
      }
    };
    try {
      filesystem = await HostFilesystem.open(directory.path, { mountPoint: "/workspace" });
      // The options are those of `VfsToolsSection` without `filesystem`.
      const given = { ...options, filesystem } as VfsToolsSectionOptions<Key>;
      const files = await VfsToolsSection.create<Key>(given);
      const section = new HostWorkspaceSection<Key>({
        files,
        directory: directory.path,
        remove,
        template: files.template.source,
      });
      options.session.onClose(() => section.close());
      return section;
    } catch (error) {
      await remove();
      throw error;
    }
  }

  private constructor(parts: Parts<Key>) {
    requireCreated("HostWorkspaceSection", parts);
    const { files, directory, remove, template } = parts;
    super({
      key: files.key,
      title: files.title,
      template,
      tools: files.tools,
      slices: files.slices,
      policies: files.policies,
    });
    this.filesystem = files.filesystem;
    this.mountReport = files.mountReport;
    this.directory = directory;
    this.#files = files;
    this.#remove = remove;
  }

  override get source(): string {
    return withoutFiles(super.source);
  }

  /** The changes since the files were mounted or last applied. */
  changes(options: ChangesOptions = {}): WorkspaceChanges {
    return this.#files.changes(options);
  }

  /** Removes the directory. Prompts call it when the last one that uses the section is closed. */
  override async close(): Promise<void> {
    this.#closing ??= this.#remove();
    await this.#closing;
  }
}
