import { MarkdownSection, type Tool } from "@wink/prompt";
import { resolveToolLimits, type ToolLimits } from "../reply/limits.js";
import { snapshotCreateTool } from "./snapshot-create.js";
import { snapshotDiffTool } from "./snapshot-diff.js";
import { snapshotListTool } from "./snapshot-list.js";
import { snapshotRestoreTool } from "./snapshot-restore.js";
import type { SnapshotRetention } from "./snapshot-settings.js";

export interface SnapshotToolsSectionOptions<Key extends string = "snapshots"> {
  /** Limits for the number, age and size of the snapshots. @default the newest 100 */
  readonly retention?: SnapshotRetention | undefined;
  /** Limits for the answer of one call. @default `DEFAULT_TOOL_LIMITS` */
  readonly limits?: Partial<ToolLimits> | undefined;
  /** The key of the workspace section that owns the files, for events. It is the first one of the prompt. @default "vfs" */
  readonly workspace?: string | undefined;
  /** @default "" */
  readonly toolPrefix?: string | undefined;
  /** @default "snapshots" */
  readonly key?: Key | undefined;
  /** @default "Snapshots" */
  readonly title?: string | undefined;
}

// NoInfer: without it, TypeScript would infer the key from the type of the list that the section is in.
/** Lets a model create named snapshots of the files, see the changes since then, and restore them. */
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
      // Only in memory, as long as the section: session states are not stored with the files.
      sessions: new Map(),
    };
    const tools = [
      snapshotCreateTool(settings),
      snapshotListTool(settings),
      snapshotRestoreTool(settings),
      snapshotDiffTool(settings),
    ];
    super({
      // Without `key`, `Key` is its default "snapshots".
      key: options.key ?? ("snapshots" as Key),
      title,
      template: textFor(nameTool),
      toolPrefix,
      // The list mixes tools with different input and value types.
      tools: tools as unknown as readonly Tool[],
    });
  }
}

function textFor(nameTool: (name: string) => string): string {
  return [
    `Before a risky change, save the files with \`${nameTool("snapshot_create")}\`.`,
    `See the changes since then with \`${nameTool("snapshot_diff")}\`, and restore the files with \`${nameTool("snapshot_restore")}\` if the result is worse.`,
    "Snapshots are independent of git and never change its history.",
  ].join("\n");
}
