import type { ModelAnswered, ModelAsked, TranscriptEntry } from "@wink/adapters/run";
import { fieldsOf, listOf, numberOf, type RunFacts, textOf } from "./run-facts.js";
import type { RetryRow, TurnRow, Usage } from "./run-overview.js";
import { ShortHash } from "./short-hash.js";

export const NO_USAGE: Usage = {
  inputTokens: 0,
  outputTokens: 0,
  cachedInputTokens: 0,
  reasoningTokens: 0,
  costUsd: null,
};

/** A turn, before its calls are known. */
export type FoundTurn = Omit<TurnRow, "firstCall" | "callCount" | "to" | "endedAt" | "totalCalls">;

/** The input of a call as the model sent it, by turn and id. */
export type CallInputs = ReadonlyMap<string, string>;

interface OpenTurn {
  readonly run: number;
  readonly turn: number;
  from: number;
  askedAt: number;
  ask: ModelAsked | undefined;
  answer: ModelAnswered | undefined;
  readonly retries: RetryRow[];
  requestKey: string;
  /** The usage of requests that are not part of the conversation, such as for a summary. */
  extra: Usage;
}

/** The turns of a run, in order, from the transcript and from the events of a log without one. */
export function buildTurns({ events, transcript, part }: RunFacts): {
  readonly turns: readonly FoundTurn[];
  readonly inputs: CallInputs;
} {
  const open = new Map<string, OpenTurn>();
  const turnOf = (run: number, turn: number, from: number, askedAt: number): OpenTurn => {
    const key = `${run}/${turn}`;
    const found = open.get(key) ?? {
      ...{ run, turn, from, askedAt, ask: undefined, answer: undefined },
      ...{ retries: [], requestKey: "", extra: NO_USAGE },
    };
    open.set(key, found);
    return found;
  };
  for (const { type, payload, sequence, timestampMs } of events) {
    if (type !== "run.render-prompt") continue;
    const { run, turn } = fieldsOf(payload);
    turnOf(numberOf(run) ?? 1, numberOf(turn) ?? 0, sequence, timestampMs);
  }
  const keys = new RequestKeys();
  for (const record of transcript) addRecord(record, turnOf, keys);
  const sorted = [...open.values()].sort(
    (a, b) => a.from - b.from || a.run - b.run || a.turn - b.turn,
  );
  const inputs = new Map<string, string>();
  let total = NO_USAGE;
  const turns = sorted.map((each, index): FoundTurn => {
    const { run, turn, from, askedAt, answer, retries, requestKey } = each;
    const message = answer === undefined ? {} : fieldsOf(part(answer.message));
    for (const call of listOf(message["toolCalls"])) {
      const { toolCallId, arguments: text } = fieldsOf(call);
      inputs.set(`${index}/${toolCallId}`, textOf(text) ?? JSON.stringify(text) ?? "");
    }
    const usage = addUsage(usageOf(answer?.usage), each.extra);
    total = addUsage(total, usage);
    return {
      ...{ index, run, turn, from, askedAt, retries, requestKey, usage, total },
      text: (textOf(message["text"]) ?? "").slice(0, 200),
      firstTextAt: answer?.firstTextAt ?? null,
      answeredAt: answer?.at ?? null,
      stopReason: answer?.stopReason ?? null,
    };
  });
  return { turns, inputs };
}

function addRecord(
  record: TranscriptEntry,
  turnOf: (run: number, turn: number, from: number, at: number) => OpenTurn,
  keys: RequestKeys,
): void {
  if (!("turn" in record)) return;
  const { run, turn, sequence, at } = record;
  const found = turnOf(run, turn, sequence + 1, at);
  if (isAside(record)) {
    if (record.kind === "turn") found.extra = addUsage(found.extra, usageOf(record.usage));
    return;
  }
  if (record.kind === "ask") {
    if (found.ask === undefined) found.askedAt = at;
    found.ask = record;
    found.requestKey = keys.of(record);
  }
  if (record.kind === "failed")
    found.retries.push({ at, code: record.code, reason: record.reason });
  if (record.kind === "turn") found.answer = record;
}

/** Whether a request or its answer is not part of the conversation: the loop asked for a summary. */
export function isAside(record: TranscriptEntry): boolean {
  return textOf(fieldsOf(record)["purpose"]) !== null;
}

/** Hashes requests without reading the whole conversation for each of them. */
class RequestKeys {
  /** The hashes of the first one, two, … messages of each evaluation. */
  readonly #prefixes = new Map<number, ShortHash[]>();

  of({ run, keep, add, prompt, tools, output = "" }: ModelAsked): string {
    const prefixes = (this.#prefixes.get(run) ?? [new ShortHash()]).slice(0, keep + 1);
    for (const id of add) prefixes.push(new ShortHash(prefixes.at(-1)).add(id));
    this.#prefixes.set(run, prefixes);
    return new ShortHash(prefixes.at(-1)).add(prompt).add(tools).add(output).value;
  }
}

function usageOf(usage: ModelAnswered["usage"] | undefined): Usage {
  return {
    inputTokens: usage?.inputTokens ?? 0,
    outputTokens: usage?.outputTokens ?? 0,
    cachedInputTokens: usage?.cachedInputTokens ?? 0,
    reasoningTokens: usage?.reasoningTokens ?? 0,
    costUsd: usage?.costUsd ?? null,
  };
}

export function addUsage(a: Usage, b: Usage): Usage {
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    cachedInputTokens: a.cachedInputTokens + b.cachedInputTokens,
    reasoningTokens: a.reasoningTokens + b.reasoningTokens,
    costUsd: a.costUsd === null && b.costUsd === null ? null : (a.costUsd ?? 0) + (b.costUsd ?? 0),
  };
}
