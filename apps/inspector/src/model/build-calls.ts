import type { CallInputs, FoundTurn } from "./build-turns.js";
import { fieldsOf, listOf, numberOf, type RunFacts, textOf } from "./run-facts.js";
import type { CallRow, RunKey } from "./run-overview.js";
import { ShortHash } from "./short-hash.js";

type Growing = { -readonly [Key in keyof CallRow]: CallRow[Key] };

/** The tool calls of a log, in the order of their start. */
export function buildCalls(
  { key, events, children }: RunFacts,
  turns: readonly FoundTurn[],
  inputs: CallInputs,
): readonly CallRow[] {
  const calls: Growing[] = [];
  /** The last call with an id. A model may use an id again in a later turn. */
  const last = new Map<string, Growing>();
  const turnIndex = new Map(turns.map(({ run, turn, index }) => [`${run}/${turn}`, index]));
  const childOf = childKeys(key, children);
  let current: number | null = null;
  for (const { type, payload, sequence, timestampMs } of events) {
    const fields = fieldsOf(payload);
    const place = () =>
      turnIndex.get(`${numberOf(fields["run"]) ?? 1}/${numberOf(fields["turn"])}`) ?? null;
    if (type === "run.render-prompt") current = place();
    if (type === "run.execute-prompt") current = null;
    if (type === "run.start-tool-call") {
      const turn = fields["turn"] === undefined ? current : place();
      const toolCallId = String(fields["toolCallId"]);
      const input = inputs.get(`${turn}/${toolCallId}`) ?? "";
      const tool = String(fields["tool"]);
      const call: Growing = {
        ...{ index: calls.length, toolCallId, tool, turn, access: textOf(fields["access"]) ?? "" },
        ...{ start: sequence, end: null, startedAt: timestampMs, endedAt: null },
        ...{ status: "active", isFailed: false, queuedMs: 0, ranMs: 0, undone: null, changes: 0 },
        ...{ path: null, input: input.slice(0, 100), child: childOf.get(sequence) ?? null },
        inputKey: new ShortHash().add(tool).add(input).value,
      };
      calls.push(call);
      last.set(toolCallId, call);
    } else if (type === "run.end-tool-call") {
      const call = last.get(String(fields["toolCallId"]));
      if (call === undefined || call.end !== null) continue;
      call.end = sequence;
      call.endedAt = timestampMs;
      end(call, fields);
    }
  }
  return calls;
}

function end(call: Growing, fields: Readonly<Record<string, unknown>>): void {
  call.status = textOf(fields["status"]) ?? "ended";
  // A parked call is made again when its answer has arrived.
  call.isFailed = fields["success"] !== true && call.status !== "parked";
  call.queuedMs = numberOf(fields["queuedMs"]) ?? 0;
  call.ranMs = numberOf(fields["durationMs"]) ?? 0;
  call.changes = numberOf(fields["changes"]) ?? 0;
  const [file] = listOf(fields["files"]);
  call.path = textOf(fieldsOf(file)["path"]);
  if (fields["undone"] === undefined) return;
  const { paths, events, complete } = fieldsOf(fields["undone"]);
  call.undone = {
    paths: listOf(paths).length,
    events: numberOf(events) ?? 0,
    complete: complete !== false,
  };
  call.path ??= textOf(listOf(paths)[0]);
}

/** The run of the first subagent that each start event started. */
function childKeys(key: RunKey, children: readonly string[]): ReadonlyMap<number, RunKey> {
  const found = new Map<number, RunKey>();
  for (const name of children) {
    const sequence = Number.parseInt(name, 10);
    if (!found.has(sequence)) found.set(sequence, `${key}.${name}`);
  }
  return found;
}
