import { buildApprovals } from "./build-approvals.js";
import { buildCalls } from "./build-calls.js";
import { buildColumns } from "./build-columns.js";
import { addUsage, buildTurns, type FoundTurn, NO_USAGE } from "./build-turns.js";
import { fieldsOf, numberOf, type RunFacts, textOf } from "./run-facts.js";
import type {
  CallRow,
  EvaluationRow,
  EventColumns,
  ProcessRow,
  RunOverview,
  RunSummary,
  TurnRow,
} from "./run-overview.js";

/** Computes the overview of a run. */
export function buildOverview(facts: RunFacts): RunOverview {
  const { events, transcript, header } = facts;
  const found = buildTurns(facts);
  const calls = buildCalls(facts, found.turns, found.inputs);
  const columns = buildColumns(events, found.turns, calls);
  const turns = completeTurns(found.turns, calls, columns);
  const evaluations = evaluationsOf(facts);
  const summary = summaryOf(facts, { turns, calls, evaluations });
  const firstSequence = events[0]?.sequence ?? 1;
  const lastSequence = events.at(-1)?.sequence ?? 0;
  const problem = calls.find(({ isFailed, undone }) => isFailed || undone !== null);
  return {
    ...{ summary, header, firstSequence, lastSequence, evaluations, turns, calls, columns },
    epoch: events[0]?.timestampMs ?? 0,
    isActive: summary.status === "active",
    since: { turns: 0, calls: 0 },
    states: statesOf(facts),
    processes: processesOf(facts),
    approvals: buildApprovals(facts),
    children: facts.children.map((name) => ({
      sequence: Number.parseInt(name, 10),
      run: `${facts.key}.${name}`,
    })),
    has: { prompts: transcript.length > 0, files: facts.hasFiles, states: true },
    firstProblem: problem === undefined ? null : (problem.end ?? problem.start),
    position: {
      ...{ events: lastSequence, turns: turns.length, calls: calls.length },
      version: `${events.length}.${transcript.length}`,
    },
  };
}

function completeTurns(
  turns: readonly FoundTurn[],
  calls: readonly CallRow[],
  columns: EventColumns,
): readonly TurnRow[] {
  const last = turns.map(({ from }) => from);
  columns.turn.forEach((turn, at) => {
    if (turn >= 0) last[turn] = Math.max(last[turn] ?? 0, columns.from + at);
  });
  let firstCall = 0;
  return turns.map((turn): TurnRow => {
    // Skip calls that belong to no turn. They keep their position between the turns.
    while (firstCall < calls.length && (calls[firstCall]?.turn ?? -1) < turn.index) firstCall++;
    let callCount = 0;
    let endedAt: number | null = turn.answeredAt;
    let call = calls[firstCall];
    while (call !== undefined && call.turn === turn.index) {
      callCount++;
      endedAt = call.endedAt === null ? endedAt : Math.max(endedAt ?? 0, call.endedAt);
      call = calls[firstCall + callCount];
    }
    const to = last[turn.index] ?? turn.from;
    return { ...turn, to, endedAt, firstCall, callCount, totalCalls: firstCall + callCount };
  });
}

function evaluationsOf({ transcript, events }: RunFacts): readonly EvaluationRow[] {
  const rows = new Map<number, EvaluationRow>();
  for (const record of transcript) {
    const { run, at, sequence } = record;
    if (record.kind === "run") {
      const { maxTurns = null, deadline = null, budget = {} } = record.limits;
      rows.set(run, {
        ...{ run, prompt: record.prompt, adapter: record.adapter, startedAt: at, endedAt: null },
        ...{ from: sequence, to: null, status: "active", error: null, output: null },
        limits: { maxTurns, deadline, budget },
      });
    }
    const row = rows.get(run);
    if (record.kind === "resume" && row !== undefined)
      rows.set(run, { ...row, endedAt: null, to: null, status: "active", error: null });
    if (record.kind !== "end" || row === undefined) continue;
    const { finishReason: status, error = null, output = null } = record;
    rows.set(run, { ...row, endedAt: at, to: sequence, status, error, output });
  }
  if (transcript.length > 0) return [...rows.values()];
  return evaluationsOfLog(events);
}

/** A log without a transcript knows when evaluations ended. */
function evaluationsOfLog(events: RunFacts["events"]): readonly EvaluationRow[] {
  const rows: EvaluationRow[] = [];
  let start: RunFacts["events"][number] | undefined;
  for (const event of events) {
    if (event.type === "run.render-prompt") start ??= event;
    if (event.type !== "run.execute-prompt") continue;
    const { prompt, finishReason, run } = fieldsOf(event.payload);
    rows.push({
      ...{ run: numberOf(run) ?? rows.length + 1, prompt: textOf(prompt) ?? "", adapter: "" },
      ...{ startedAt: start?.timestampMs ?? event.timestampMs, endedAt: event.timestampMs },
      ...{ from: start?.sequence ?? event.sequence, to: event.sequence },
      ...{ status: textOf(finishReason) ?? "ended", error: null, output: null },
      limits: { maxTurns: null, deadline: null, budget: {} },
    });
    start = undefined;
  }
  return rows;
}

function summaryOf(
  { key, place, header, name, events, changedFiles }: RunFacts,
  {
    turns,
    calls,
    evaluations,
  }: {
    readonly turns: readonly TurnRow[];
    readonly calls: readonly CallRow[];
    readonly evaluations: readonly EvaluationRow[];
  },
): RunSummary {
  const { id, agent, model, prompt, startedAt } = header ?? {};
  const last = evaluations.at(-1);
  const parentKey = key.slice(0, Math.max(0, key.lastIndexOf(".")));
  const started = Date.parse(textOf(startedAt) ?? "");
  return {
    ...{ key, place, id: textOf(id) ?? name, agent: textOf(agent), model: textOf(model) },
    prompt: last?.prompt ?? textOf(fieldsOf(prompt)["name"]),
    startedAt: Number.isNaN(started) ? (events[0]?.timestampMs ?? 0) : started,
    endedAt: last === undefined ? (events.at(-1)?.timestampMs ?? null) : last.endedAt,
    status: last?.status ?? (turns.length > 0 ? "active" : "no evaluation"),
    ...{ events: events.length, turns: turns.length, calls: calls.length, changedFiles },
    failedCalls: calls.filter(({ isFailed }) => isFailed).length,
    undoneCalls: calls.filter(({ undone }) => undone !== null).length,
    usage: turns.reduce((sum, { usage }) => addUsage(sum, usage), NO_USAGE),
    parent:
      parentKey === ""
        ? null
        : { run: parentKey, sequence: Number.parseInt(key.slice(parentKey.length + 1), 10) },
  };
}

function statesOf({ events, hasFiles }: RunFacts): RunOverview["states"] {
  if (!hasFiles) return [];
  const states: { sequence: number; id: string }[] = [];
  for (const { type, payload, sequence } of events) {
    if (type !== "run.keep-state" && type !== "run.end-tool-call") continue;
    const id = textOf(fieldsOf(payload)["snapshot"]);
    if (id !== null && states.at(-1)?.id !== id) states.push({ sequence, id });
  }
  return states;
}

/** The process that started the run, and those that took it over. */
function processesOf({ events, header }: RunFacts): readonly ProcessRow[] {
  const [first] = events;
  if (first === undefined || header === null) return [];
  const rowOf = (facts: unknown, event: typeof first, reason: string): ProcessRow => {
    const { process, host, worker } = fieldsOf(facts);
    return {
      ...{ process: 1, from: event.sequence, startedAt: event.timestampMs, reason },
      ...{ pid: numberOf(process), host: textOf(host), worker: textOf(worker) },
    };
  };
  const later = events.filter(({ type }) => type === "run.take-over");
  return [
    rowOf(header["startedBy"], first, "start"),
    ...later.map((event) => rowOf(event.payload, event, "taken over")),
  ].map((row, index) => ({ ...row, process: index + 1 }));
}
