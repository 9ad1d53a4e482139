import type { Spending } from "@wink/prompt";
import type { Store } from "@wink/store";
import type { LoopState } from "../runtime/loop/loop-state.js";
import { TranscriptRecords } from "../transcript/read-transcript.js";
import { budgetAt } from "./budget-at.js";
import { parseHeader } from "./run-header.js";
import type { RunPlace } from "./run-place.js";
import { readHeaders, readLines } from "./store-head.js";

const COUNTED = ["tokens", "costUsd", "toolCalls"] as const;
type Total = Record<(typeof COUNTED)[number], number>;

/** What the run and its subagents used. A subagent that is continued counts its own usage. */
export async function spentOf(
  place: RunPlace,
  records: TranscriptRecords,
  open: LoopState["open"],
): Promise<Spending> {
  const total = spendingOf(records);
  for (const name of await place.childNames()) {
    const child = place.child(name);
    const header = child.readHeader();
    const toolCallId = header?.parent?.toolCallId ?? "";
    const isOpen = open?.answer.toolCalls.some((call) => call.toolCallId === toolCallId);
    if (isOpen && !open?.answers.has(toolCallId)) continue;
    const used =
      header?.queued === true
        ? await place.spentBy?.(header.id)
        : await spentOf(child, await child.readTranscript(), undefined);
    add(total, used);
  }
  return total;
}

/** What a run in a store and its subagents used. */
export async function spentInStore(store: Store, id: string): Promise<Spending> {
  const total: Total = { tokens: 0, costUsd: 0, toolCalls: 0 };
  const head = await store.read(id);
  if (head === undefined) return total;
  for (const { transcript } of (await readLines(head)).values()) {
    const records = new TranscriptRecords();
    records.add(transcript);
    add(total, spendingOf(records));
  }
  for (const [path, json] of await readHeaders(head)) {
    const header = path === "" ? undefined : parseHeader(json);
    if (header?.queued === true) add(total, await spentInStore(store, header.id));
  }
  return total;
}

function add(total: Total, used: Spending | undefined): void {
  for (const key of COUNTED) total[key] += used?.[key] ?? 0;
}

function spendingOf({ records }: TranscriptRecords): Total {
  const { usage } = budgetAt(records, Number.POSITIVE_INFINITY);
  const { inputTokens, outputTokens, costUsd = 0, toolCalls } = usage;
  return { tokens: inputTokens + outputTokens, costUsd, toolCalls };
}
