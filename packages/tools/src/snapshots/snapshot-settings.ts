import type { SessionSnapshot } from "@wink/session";
import type { NameTool } from "../reply/answer-error.js";
import { DEFAULT_TOOL_LIMITS, type ToolLimits } from "../reply/limits.js";

/** How many snapshots with a name are kept. The newest one always is. */
export interface SnapshotRetention {
  /** The oldest go when there are more. @default 100 */
  readonly maxCount?: number | undefined;
  /** Older ones go. @default no limit */
  readonly maxAgeMs?: number | undefined;
  /** The oldest go until what the snapshots hold takes no more. @default no limit */
  readonly maxBytes?: number | undefined;
}

/** The session as it was when a snapshot was made, by the snapshot's id. */
export type KeptSessions = Map<string, SessionSnapshot>;

/** What the snapshot tools of one section share. */
export interface SnapshotToolSettings {
  readonly limits: ToolLimits;
  readonly nameTool: NameTool;
  readonly retention: SnapshotRetention;
  /** The workspace section whose files they are. */
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
