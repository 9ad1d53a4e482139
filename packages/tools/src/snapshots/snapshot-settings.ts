import type { SessionSnapshot } from "@wink/session";
import type { NameTool } from "../reply/answer-error.js";
import { DEFAULT_TOOL_LIMITS, type ToolLimits } from "../reply/limits.js";

/** Limits for named snapshots. The newest one is never deleted. */
export interface SnapshotRetention {
  /** If there are more, the oldest are deleted. @default 100 */
  readonly maxCount?: number | undefined;
  /** Older snapshots are deleted. @default no limit */
  readonly maxAgeMs?: number | undefined;
  /** The oldest are deleted until all snapshots together use at most this many bytes. @default no limit */
  readonly maxBytes?: number | undefined;
}

/** The session's state at the time of each snapshot, by snapshot id. */
export type KeptSessions = Map<string, SessionSnapshot>;

/** Shared by the snapshot tools of one section. */
export interface SnapshotToolSettings {
  readonly limits: ToolLimits;
  readonly nameTool: NameTool;
  readonly retention: SnapshotRetention;
  /** The key of the workspace section that owns the files. */
  readonly workspace: string;
  readonly sessions: KeptSessions;
}

export const DEFAULT_MAX_SNAPSHOTS = 100;

export function defaultSnapshotSettings(): SnapshotToolSettings {
  return {
    limits: DEFAULT_TOOL_LIMITS,
    nameTool: (name) => name,
    retention: {},
    workspace: "vfs",
    sessions: new Map(),
  };
}
