import type { PromptResponse } from "@wink/prompt";
import type { JsonValue } from "@wink/session";
import { type ForkChanges, readStateChanges } from "../runtime/subagent/fork-changes.js";
import type { StoredRun } from "../runtime/transaction/call-resource.js";
import type { ModelAnswered, RunEnded } from "../transcript/transcript-record.js";
import { nodeOf } from "./node-of.js";
import { isAnswerable } from "./parking.js";
import { readRun } from "./read-run.js";
import { createHeader, parseHeader, type RunParent } from "./run-header.js";
import type { RunReader } from "./run-reader.js";
import { readHeaders, StoreHead } from "./store-head.js";
import { thisProcess } from "./this-process.js";

/** The run of a queued subagent: a worker takes it from a queue. */
export interface QueuedRun {
  readonly id: string;
  /** The name of the tool. */
  readonly agent: string;
  readonly params: JsonValue;
  readonly parent: RunParent;
}

/** What is known about a queued subagent. */
export type QueuedRunState =
  | {
      readonly isOver: false;
      /** Whether it waits for an answer, so that a worker could do nothing. */
      readonly isParked: boolean;
    }
  | {
      readonly isOver: true;
      readonly response: PromptResponse<unknown>;
      readonly changes: ForkChanges;
    };

/**
 * Creates the run of a queued subagent, with the files that the calling run has now. A run that exists stays as it is,
 * because a worker may have it.
 */
export async function createQueuedRun(
  { store, id: from, refer }: StoredRun,
  { id, agent, params, parent }: QueuedRun,
): Promise<void> {
  const existing = await store.read(id);
  const known = existing && (await readHeaders(existing)).get("");
  if (known !== undefined) return refer(parent.toolCallId, parseHeader(known));
  // No worker knows the run before its request is added, so only a killed process can have it.
  const head = await StoreHead.open({ store, id }, { files: { from, takeOver: "always" } });
  try {
    const startedBy = thisProcess(undefined);
    const header = createHeader({ id, agent, params, parent, startedBy, store: "." });
    head.writeHeader("", JSON.stringify(header));
    await head.flush();
    refer(parent.toolCallId, header);
  } finally {
    await head.close();
  }
}

/** Reads what a queued subagent has done so far. */
export async function readQueuedRun({ store }: StoredRun, id: string): Promise<QueuedRunState> {
  const head = await store.read(id);
  if (head === undefined || head.counts.events === 0) return { isOver: false, isParked: false };
  using run = await readRun({ store, id });
  const { transcript } = run;
  const { run: last } = transcript.findLast(({ kind }) => kind === "run") ?? {};
  const end = transcript.findLast((record) => record.run === last);
  if (end?.kind !== "end" || end.finishReason !== "completed")
    return { isOver: false, isParked: run.parks.some(isAnswerable) };
  return { isOver: true, response: responseOf(run, end), changes: await changesOf(run) };
}

function responseOf(run: RunReader, end: RunEnded): PromptResponse<unknown> {
  const answer = run.transcript.findLast(
    (record): record is ModelAnswered =>
      record.kind === "turn" && record.run === end.run && record.purpose === undefined,
  );
  // The recorder wrote these parts.
  const { text = "" } = (answer ? run.part(answer.message) : {}) as { readonly text?: string };
  const usage = end.usage ?? run.budgetAt(run.lastSequence).usage;
  const output = end.output === undefined ? undefined : run.part(end.output);
  return { text, output, usage, finishReason: "completed" };
}

/** What the subagent changed since its start. */
async function changesOf(run: RunReader): Promise<ForkChanges> {
  const { files } = await run.diff(0, run.lastSequence);
  return await readStateChanges(files, {
    base: (path) => nodeOf(run.filesBelow(0, path)),
    theirs: (path) => nodeOf(run.filesBelow(run.lastSequence, path)),
  });
}
