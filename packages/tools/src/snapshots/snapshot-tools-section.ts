import { MarkdownSection, type Tool } from "@wink/prompt";
import { resolveToolLimits, type ToolLimits } from "../reply/limits.js";
import { snapshotCreateTool } from "./snapshot-create.js";
import { snapshotDiffTool } from "./snapshot-diff.js";
import { snapshotListTool } from "./snapshot-list.js";
import { snapshotRestoreTool } from "./snapshot-restore.js";
import type { SnapshotRetention } from "./snapshot-settings.js";

export interface SnapshotToolsSectionOptions<Key extends string = "snapshots"> {
  /** How many snapshots are kept, for how long and how large. @default the newest 100 */
  readonly retention?: SnapshotRetention | undefined;
  /** What one call may answer. @default `DEFAULT_TOOL_LIMITS` */
  readonly limits?: Partial<ToolLimits> | undefined;
  /** What events call the files: the key of the prompt's first workspace section, which owns them. @default "vfs" */
  readonly workspace?: string | undefined;
  /** @default "" */
  readonly toolPrefix?: string | undefined;
  /** @default "snapshots" */
  readonly key?: Key | undefined;
  /** @default "Snapshots" */
  readonly title?: string | undefined;
}

// NoInfer: in a list of sections the key is the one given or the default, not whatever the list would allow.
/** Lets a model name states of the files, look at what has changed since, and go back. */
export class SnapshotToolsSection<const Key extends string = "snapshots"> extends MarkdownSection<
  NoInfer<Key>
> {
  constructor(options: SnapshotToolsSectionOptions<Key> = {}) {
    const {
      retention = {},
      limits,
      workspace = "vfs",
      toolPrefix = "",
      title = "Snapshots",
    } = options;
    const nameTool = (name: string) => toolPrefix + name;
    const settings = {
      limits: resolveToolLimits(limits),
      nameTool,
      retention,
      workspace,
      // As long as the section lives: what a session knew is not written beside the files.
      sessions: new Map(),
    };
    const tools = [
      snapshotCreateTool(settings),
      snapshotListTool(settings),
      snapshotRestoreTool(settings),
      snapshotDiffTool(settings),
    ];
    super({
      // Without a key its type is the default of the parameter.
      key: options.key ?? ("snapshots" as Key),
      title,
      template: textFor(nameTool),
      toolPrefix,
      // A section holds tools of every input and value in one list.
      tools: tools as unknown as readonly Tool[],
    });
  }
}

function textFor(nameTool: (name: string) => string): string {
  return [
    `Before a change that may not work out, keep the files as they are with \`${nameTool("snapshot_create")}\`.`,
    `See what has become of them with \`${nameTool("snapshot_diff")}\`, and go back with \`${nameTool("snapshot_restore")}\` when things have got worse.`,
    "Snapshots are apart from any git history and never change it.",
  ].join("\n");
}
