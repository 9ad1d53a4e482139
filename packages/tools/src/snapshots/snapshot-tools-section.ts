import { FilesystemSnapshots, MarkdownSection } from "@wink/prompt";
import { checkOptions, type OptionKinds } from "../error/check-options.js";
import { nameSection, TOOL_NAMING } from "../error/section-naming.js";
import { resolveToolLimits } from "../reply/limits.js";
import type { SnapshotRetention, SnapshotToolsSectionOptions } from "./snapshot-settings.js";
import { snapshotTools } from "./snapshot-tools.js";

const KINDS: OptionKinds<SnapshotToolsSectionOptions> = {
  retention: "object",
  repository: "string",
  limits: "object",
  ...TOOL_NAMING,
};

const RETENTION: OptionKinds<SnapshotRetention> = {
  maxCount: "number",
  maxAgeMs: "number",
  maxBytes: "number",
};

// NoInfer: without it, TypeScript would infer the key from the type of the list that the section is in.
/** Lets a model create named snapshots of the files, see the changes since then, and restore them. */
export class SnapshotToolsSection<const Key extends string = "snapshots"> extends MarkdownSection<
  NoInfer<Key>
> {
  constructor(options: SnapshotToolsSectionOptions<Key> = {}) {
    checkOptions("SnapshotToolsSection", options, KINDS);
    const { retention = {}, repository, limits, toolPrefix = "" } = options;
    checkOptions("retention", retention, RETENTION);
    const nameTool = (name: string) => toolPrefix + name;
    super({
      ...nameSection(options, "snapshots", "Snapshots"),
      template: textFor(nameTool),
      // Session states are only in memory, as long as the section: they are not stored with the files.
      tools: snapshotTools({
        ...{ limits: resolveToolLimits(limits), nameTool, retention, repository },
        sessions: new Map(),
      }),
      slices: [FilesystemSnapshots],
    });
  }
}

function textFor(nameTool: (name: string) => string): string {
  return [
    `Before a risky change, save the files with \`${nameTool("snapshot_create")}\`.`,
    `See the changes since then with \`${nameTool("snapshot_diff")}\`, and restore the files with \`${nameTool("snapshot_restore")}\` if the result is worse.`,
    "Snapshots never change branches, tags or the history of git.",
  ].join("\n");
}
