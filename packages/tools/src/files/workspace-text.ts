import type { CallOptions, Filesystem } from "@wink/filesystem";
import type { MountReport } from "@wink/workspace";
import { type PreviewedMount, previewMounts } from "./workspace-preview.js";

export interface WorkspaceTextOptions {
  readonly toolPrefix?: string | undefined;
  readonly readBeforeWrite?: boolean | undefined;
}

/** Describes the workspace to the model: a few rules, and the preview of the files. */
export function describeWorkspace(
  filesystem: Filesystem,
  preview: string,
  options: WorkspaceTextOptions,
): string {
  const { toolPrefix = "", readBeforeWrite = true } = options;
  const name = (tool: string) => `\`${toolPrefix}${tool}\``;
  const root = filesystem.mountPoint ?? "/";
  const rules = [
    `You have a workspace of files. Paths are relative to the root of the workspace, \`${root}\`.`,
    filesystem.readOnly
      ? "They can be read and searched, but not changed."
      : "Your changes stay in the workspace until they are reviewed and applied.",
    `Find files with ${name("glob")}, search them with ${name("grep")}, and read them in pages with ${name("read_file")}.`,
    ...(filesystem.readOnly
      ? []
      : [
          `Change them with ${name("edit_file")}: include enough surrounding text to make old_string unique.${readBeforeWrite ? " Read a file before you change it." : ""}`,
        ]),
  ];
  // Escape dollars, because a file name must not be read as a placeholder.
  return `${rules.join("\n")}${FILES}${preview}`.replaceAll("$", "$$$$");
}

export interface PreviewOptions extends CallOptions {
  /** Whether the number of files is shown, which reads every directory. @default true */
  readonly countsFiles?: boolean | undefined;
}

/** Describes the files as they are now: one line for each mount, or one for the whole workspace. */
export async function previewFiles(
  filesystem: Filesystem,
  report: MountReport | undefined,
  { countsFiles = true, signal }: PreviewOptions,
): Promise<string> {
  const mounts = report?.mounts.map(toPreview) ?? [
    {
      path: "/",
      fileCount: countsFiles ? (await filesystem.usage({ signal })).fileCount : undefined,
    },
  ];
  return await previewMounts(filesystem, mounts);
}

const FILES = "\n\nFiles:\n\n";

/**
 * The text without the list of files. The hash of a section is made from it, because a continued run may have changed
 * the files.
 */
export function withoutFiles(text: string): string {
  const [rules = ""] = text.split(FILES);
  return rules;
}

function toPreview({ mountPath, fileCount }: MountReport["mounts"][number]): PreviewedMount {
  return { path: mountPath, fileCount };
}
