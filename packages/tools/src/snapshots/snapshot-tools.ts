import { DEFAULT_TOOL_LIMITS } from "../reply/limits.js";
import { snapshotCreateTool } from "./snapshot-create.js";
import { snapshotDiffTool } from "./snapshot-diff.js";
import { snapshotListTool } from "./snapshot-list.js";
import { snapshotRestoreTool } from "./snapshot-restore.js";
import type { SnapshotToolSettings } from "./snapshot-settings.js";

/** The four tools, in the order in which a model sees them. */
export function snapshotTools(settings: SnapshotToolSettings) {
  return [
    snapshotCreateTool(settings),
    snapshotListTool(settings),
    snapshotRestoreTool(settings),
    snapshotDiffTool(settings),
  ] as const;
}

const [create, list, restore, diff] = snapshotTools({
  limits: DEFAULT_TOOL_LIMITS,
  nameTool: (name) => name,
  retention: {},
});

/**
 * The handlers of the snapshot tools, with the default limits: for tests and for your own tools. They take parsed
 * input. They do not save the state of the session, so `restore_session` needs a section.
 */
export const snapshotHandlers = Object.freeze({
  create: create.handler,
  list: list.handler,
  restore: restore.handler,
  diff: diff.handler,
});
