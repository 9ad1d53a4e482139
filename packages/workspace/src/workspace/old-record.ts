import { existsSync, readFileSync } from "node:fs";
import type { WorkspacePlace } from "./workspace-place.js";
import { unreadable, VERSION, type WorkspaceRecord } from "./workspace-record.js";

interface OldEvent {
  readonly type?: string;
  readonly payload?: Readonly<Record<string, unknown>>;
}

/**
 * Converts the event log that the first version of the command line wrote. Refuses a log with an unfinished step: only
 * the version that started the step can finish it.
 */
export function readOldRecord({
  oldRecord,
  directory,
}: WorkspacePlace): WorkspaceRecord | undefined {
  if (!existsSync(oldRecord)) return undefined;
  const [first = "", ...lines] = readFileSync(oldRecord, "utf8").split("\n").slice(0, -1);
  // Nothing ever shortened these logs, so the first line has no state.
  if (!first.includes('"kind":"start","version":1,'))
    throw unreadable("its record has a format that this version does not know");
  let base: WorkspaceRecord["base"] = null;
  let copied: WorkspaceRecord["copied"] = { fileCount: 0, totalBytes: 0 };
  let applied: WorkspaceRecord["applied"] = [];
  let open: string | undefined;
  let applying: Record<string, unknown> = {};
  for (const line of lines) {
    const { type = "", payload = {} } = parse(line);
    if (type === "workspace.start-mount") open = "copy";
    else if (type === "workspace.finish-mount") {
      base = payload["base"] as typeof base;
      copied = payload["mounted"] as typeof copied;
      open = undefined;
    } else if (type === "workspace.start-apply") {
      applying = payload;
      open = "apply";
    } else if (type === "workspace.finish-apply") {
      const { next, ...paths } = applying;
      const { undoToken, appliedAt } = payload;
      if (undoToken !== null)
        applied = [...applied, { ...paths, undoToken, appliedAt, base } as never];
      base = next as typeof base;
      open = undefined;
    } else if (type === "workspace.start-undo") open = "undo";
    else if (type === "workspace.finish-undo") {
      const undone = applied.find(({ undoToken }) => undoToken === payload["undoToken"]);
      applied = applied.filter((each) => each !== undone);
      base = undone?.base ?? base;
      open = undefined;
    } else if (/^workspace\.(?:give-up|finish)-/.test(type)) open = undefined;
    else if (type === "workspace.start-in-place") open = "in-place call";
  }
  if (base === null) return undefined;
  if (open !== undefined)
    throw unreadable(`an earlier version of wink was killed during an unfinished ${open}`);
  const { fileCount, totalBytes } = copied;
  return {
    version: VERSION,
    directory,
    phase: "ready",
    base,
    copied: { fileCount, totalBytes },
    filter: {},
    applied: applied.slice(-20),
    pending: null,
    inPlace: false,
    committed: "",
  };
}

/** Each line is `{ kind: "event", event }`. */
function parse(line: string): OldEvent {
  try {
    return JSON.parse(line).event ?? {};
  } catch (cause) {
    throw unreadable("the record of an earlier version is damaged", cause);
  }
}
