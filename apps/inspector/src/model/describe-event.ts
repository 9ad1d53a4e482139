import type { RecordedEvent } from "@wink/session";
import { count, number, size } from "./amounts.js";
import { fieldsOf, listOf } from "./run-facts.js";

/** An event, described for people. */
export interface EventDescription {
  readonly what: string;
  readonly detail: string;
  /** The paths in `detail`, so that a narrow view can shorten them. */
  readonly paths: readonly string[];
  /** Whether a short timeline leaves it out because another line has the same information. */
  readonly isMinor: boolean;
}

type Payload = Readonly<Record<string, unknown>>;
type Describe = (payload: Payload) => readonly [what: string, detail: string];

/** By event type. Types are stable names, so this table also reads logs of other versions. */
const DESCRIPTIONS: Readonly<Record<string, Describe>> = {
  "section.read": ({ section }) => ["section", `${section}: read its files`],
  "files.mount": ({ files }) => ["files", `${count(listOf(files).length, "file")} to work on`],
  "files.write": ({ path, mode, sizeBytes }) => [
    mode === "create" ? "created" : mode === "append" ? "added to" : "replaced",
    `${path} (${size(Number(sizeBytes))})`,
  ],
  "files.edit": ({ path, edits }) => [
    "edited",
    `${path} (${count(listOf(edits).length, "place")})`,
  ],
  "files.delete": ({ path }) => ["deleted", String(path)],
  "files.move": ({ from, to }) => ["moved", `${from} → ${to}`],
  "files.change": ({ kind, path }) => [
    kind === "create" ? "created" : kind === "delete" ? "deleted" : "changed",
    String(path),
  ],
  "files.copy": ({ from, to }) => ["copied", `${from} → ${to}`],
  "plan.setup": ({ objective, steps }) => [
    "plan",
    `${objective || "made"} (${count(listOf(steps).length, "step")})`,
  ],
  "plan.add-step": ({ title }) => ["plan", `new step: ${title}`],
  "plan.update-step": ({ stepId, status, title }) => ["plan", `${stepId} ${status ?? title ?? ""}`],
  "snapshots.create": ({ name }) => ["snapshot", `${name} created`],
  "snapshots.restore": ({ name }) => ["snapshot", `${name} restored`],
  "run.render-prompt": ({ turn, characters, tools }) => [
    `turn ${Number(turn) + 1}`,
    `${count(Number(characters), "character")}, ${count(Number(tools), "tool")}`,
  ],
  "run.keep-state": ({ reason }) => ["files", String(reason)],
  "run.start-tool-call": ({ tool }) => [String(tool), "not finished: running, or rolled back"],
  "run.end-tool-call": describeEnd,
  // Only in logs of versions before 0.1.
  "run.invoke-tool": describeEnd,
  "run.roll-back-tool": ({ tool, paths }) => [
    "rolled back",
    listOf(paths).length === 0 ? String(tool) : `${tool}: ${listOf(paths).join(", ")}`,
  ],
  "run.retry-model": ({ reason, delayMs }) => ["retry", `${reason}, after ${delayMs} ms`],
  "run.exhaust-budget": ({ what }) => ["budget", `${what} used up`],
  "run.execute-prompt": ({ finishReason, turns, toolCalls }) => [
    "end",
    `${finishReason}, ${count(Number(turns), "turn")}, ${count(Number(toolCalls), "call")}`,
  ],
};

/** The first is the start of the session. The others are only in logs of versions before 0.1. */
const MINOR: ReadonlySet<string> = new Set([
  "wink.seed-slice",
  "run.keep-state",
  "prompt.call-tool",
  "prompt.see-file",
  "prompt.change-file",
]);

function describeEnd({ tool, success, status, durationMs, undone, files, errors }: Payload) {
  const rolledBack = isRecord(undone) ? listOf(undone["paths"]) : undefined;
  const [error] = listOf(errors).filter(isRecord);
  const parts = [
    `${success ? "✓" : `✗ ${status}`} ${number(Math.round(Number(durationMs)))} ms`,
    [...new Set(listOf(files).map((file) => (isRecord(file) ? String(file["path"]) : "")))].join(
      ", ",
    ),
    rolledBack && `rolled back${rolledBack.length === 0 ? "" : `: ${rolledBack.join(", ")}`}`,
    error === undefined ? "" : `${error["name"]}: ${error["message"]}`,
  ];
  return [String(tool), parts.filter(Boolean).join(", ")] as const;
}

/** `isOver` returns whether the call with this id has ended. */
export function describeEvent(
  { type, payload }: RecordedEvent,
  isOver: (toolCallId: unknown) => boolean,
): EventDescription {
  const fields = fieldsOf(payload);
  const describe = DESCRIPTIONS[type];
  // The end of a call implies its start.
  if (type === "run.start-tool-call" && isOver(fields["toolCallId"]))
    return { what: String(fields["tool"]), detail: "started", paths: [], isMinor: true };
  const isMinor = MINOR.has(type);
  if (describe === undefined) return { what: type, detail: summarize(fields), paths: [], isMinor };
  const [what, detail] = describe(fields);
  return { what, detail, paths: pathsIn(fields), isMinor };
}

function pathsIn({ path, from, to, paths, files, undone }: Payload): readonly string[] {
  const filePaths = listOf(files).map((file) => isRecord(file) && file["path"]);
  const undonePaths = isRecord(undone) ? listOf(undone["paths"]) : [];
  const all = [path, from, to, ...listOf(paths), ...filePaths, ...undonePaths];
  return [...new Set(all.filter((each) => typeof each === "string"))];
}

/** Shows the fields of an event that has no own description, such as an event of an agent. */
function summarize(fields: Payload): string {
  return Object.entries(fields)
    .map(([name, value]) => `${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`)
    .join(", ");
}

function isRecord(value: unknown): value is Payload {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
