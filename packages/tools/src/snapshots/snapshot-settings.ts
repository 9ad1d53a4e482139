import { isSnapshotable, type SnapshotableFilesystem } from "@wink/filesystem";
import { fail, type ToolContext, type ToolResult } from "@wink/prompt";
import type { SessionSnapshot } from "@wink/session";
import type { ToolSectionNaming } from "../error/section-naming.js";
import type { NameTool } from "../reply/answer-error.js";
import { answering } from "../reply/answering.js";
import type { ToolLimits } from "../reply/limits.js";

export interface SnapshotToolsSectionOptions<Key extends string = "snapshots">
  extends ToolSectionNaming<Key> {
  /** Limits for the named snapshots. The newest one is never deleted. @default the newest 100 */
  readonly retention?:
    | {
        /** If there are more, the oldest are deleted. @default 100 */
        readonly maxCount?: number | undefined;
        /** Older snapshots are deleted. @default no limit */
        readonly maxAgeMs?: number | undefined;
        /** The oldest are deleted until all snapshots together use at most this many bytes. @default no limit */
        readonly maxBytes?: number | undefined;
      }
    | undefined;
  /**
   * A directory of your git repository. Snapshots are then commits under `refs/sandbox/snapshots/<name>` there, which
   * branches and the log do not show. Needs git, and a repository whose `.git` the agent cannot write to.
   * @default the store of the workspace
   */
  readonly repository?: string | undefined;
  /** Limits for the answer of one call. @default the defaults of `ToolLimits` */
  readonly limits?: Partial<ToolLimits> | undefined;
}

export type SnapshotRetention = NonNullable<SnapshotToolsSectionOptions["retention"]>;

/** Shared by the snapshot tools of one section. */
export interface SnapshotToolSettings {
  readonly limits: ToolLimits;
  readonly nameTool: NameTool;
  readonly retention: SnapshotRetention;
  /** @default the store of the workspace */
  readonly repository?: string | undefined;
  /** The session's state at the time of each snapshot, by snapshot id. @default not saved */
  readonly sessions?: Map<string, SessionSnapshot> | undefined;
}

/** Makes a handler for a filesystem with snapshots. On another one the answer says that it has none. */
export function withSnapshots<Input, Value>(
  { nameTool, repository }: SnapshotToolSettings,
  run: (
    input: Input,
    filesystem: SnapshotableFilesystem,
    context: ToolContext,
  ) => Promise<ToolResult<Value>>,
) {
  return answering<Input, Value>(nameTool, async (input, context) => {
    const { filesystem } = context;
    if (!isSnapshotable(filesystem)) return fail("These files do not support snapshots.");
    if (repository === undefined) return await run(input, filesystem, context);
    // Imported only if needed, because it needs Node and git.
    const { withRepositorySnapshots } = await import("@wink/workspace/git");
    return await run(input, await withRepositorySnapshots(filesystem, repository), context);
  });
}
