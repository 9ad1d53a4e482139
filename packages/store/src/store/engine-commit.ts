import type { EngineBlob, EngineCommit, HeadRecord } from "../engine/engine.js";
import { RECENT_COMMITS } from "../engine/engine.js";
import { encodeFrames, toBytes, totalBytes } from "../engine/frames.js";
import { type HeadContext, ownCipher, ownPool } from "./head-context.js";
import type { PendingChanges } from "./pending-changes.js";

/** The commit that stores pending changes on top of a head, with everything sealed. */
export async function buildCommit(
  context: HeadContext,
  head: HeadRecord,
  pending: PendingChanges,
  blobs: readonly EngineBlob[],
  leaseMs: number,
): Promise<EngineCommit> {
  const cipher = ownCipher(context);
  const { version, epoch, counts } = head;
  const { state } = pending;
  const set = new Map<string, Uint8Array>();
  for (const [name, value] of pending.set)
    set.set(
      await cipher.entryKey(name),
      await cipher.seal("entry", encodeFrames([toBytes(name), value])),
    );
  const deleted = await all([...pending.delete].map((name) => cipher.entryKey(name)));
  const hasEntries = pending.clear || set.size > 0 || deleted.length > 0;
  const sealAll = (stream: "events" | "transcript") =>
    all(
      pending[stream].map((bytes, index) =>
        cipher.seal(`${stream} ${counts[stream] + index + 1}`, bytes),
      ),
    );
  return {
    recent: [...head.recent, ...pending.commitIds].slice(-RECENT_COMMITS),
    expected: { version, epoch, pool: ownPool(head) },
    leaseMs,
    state: state && (await cipher.seal("state", state)),
    deltas: await all(pending.deltas.map((delta) => cipher.seal("delta", delta))),
    records: { events: await sealAll("events"), transcript: await sealAll("transcript") },
    counts,
    entries: hasEntries ? { clear: pending.clear, set, delete: deleted } : undefined,
    blobs,
    sizeBytes: sizeAfter(head, pending),
    statements: pending.statements,
  };
}

/** Waits only if there are promises: a plain cipher answers immediately. */
function all<T>(values: readonly (T | Promise<T>)[]): readonly T[] | Promise<readonly T[]> {
  return values.some((value) => value instanceof Promise)
    ? Promise.all(values)
    : // None of them is a promise.
      (values as readonly T[]);
}

/** The head after the changes are committed. */
export function applyChanges(head: HeadRecord, pending: PendingChanges): HeadRecord {
  const { state, deltas, events, transcript } = pending;
  return {
    ...head,
    version: head.version + 1,
    state: state ?? head.state,
    deltas: state === undefined ? [...head.deltas, ...deltas] : deltas,
    counts: {
      events: head.counts.events + events.length,
      transcript: head.counts.transcript + transcript.length,
    },
    recent: [...head.recent, ...pending.commitIds].slice(-RECENT_COMMITS),
    sizeBytes: sizeAfter(head, pending),
  };
}

/** The size of the head after the changes are committed. */
export function sizeAfter(head: HeadRecord, { state, sizeBytes }: PendingChanges): number {
  const dropped = state === undefined ? 0 : (head.state?.length ?? 0) + totalBytes(head.deltas);
  return head.sizeBytes - dropped + (state?.length ?? 0) + sizeBytes;
}
