import type { Cipher } from "../encryption/cipher.js";
import type { EngineBlob, EngineCommit, HeadRecord } from "../engine/engine.js";
import { RECENT_COMMITS, STREAM_NAMES } from "../engine/engine.js";
import { encodeFrames, toBytes, totalBytes } from "../engine/frames.js";
import type { Head } from "./head.js";
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
  const sealRecords = (stream: "events" | "transcript") =>
    pending[stream].map((bytes, index) =>
      cipher.seal(`${stream} ${counts[stream] + index + 1}`, bytes),
    );
  const sealing = allOf([
    pending.state === undefined ? [] : [cipher.seal("state", pending.state)],
    pending.deltas.map((delta) => cipher.seal("delta", delta)),
    sealRecords("events"),
    sealRecords("transcript"),
  ]);
  const sealed = sealing instanceof Promise ? await sealing : sealing;
  const [[state] = [], deltas = [], events = [], transcript = []] = sealed;
  const hasEntries = pending.clear || pending.set.size + pending.delete.size > 0;
  return {
    recent: [...head.recent, ...pending.commitIds].slice(-RECENT_COMMITS),
    expected: { version, epoch, pool: ownPool(head) },
    leaseMs,
    state,
    deltas,
    records: { events, transcript },
    counts,
    entries: hasEntries ? await sealEntries(cipher, pending) : undefined,
    blobs,
    sizeBytes: sizeAfter(head, pending),
    statements: pending.statements,
  };
}

async function sealEntries(
  cipher: Cipher,
  pending: PendingChanges,
): Promise<NonNullable<EngineCommit["entries"]>> {
  const set = new Map<string, Uint8Array>();
  for (const [name, value] of pending.set)
    set.set(
      await cipher.entryKey(name),
      await cipher.seal("entry", encodeFrames([toBytes(name), value])),
    );
  const deleted = await Promise.all([...pending.delete].map((name) => cipher.entryKey(name)));
  return { clear: pending.clear, set, delete: deleted };
}

/** A promise only if one of the values is: a plain cipher answers immediately, and each promise costs time. */
function allOf<T>(
  groups: readonly (readonly (T | Promise<T>)[])[],
): readonly (readonly T[])[] | Promise<readonly (readonly T[])[]> {
  return groups.some((values) => values.some((value) => value instanceof Promise))
    ? Promise.all(groups.map((values) => Promise.all(values)))
    : // None of them is a promise.
      (groups as readonly (readonly T[])[]);
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

/** The exact bytes of a head without its contents. `sizeAfter` counts entries that were replaced or deleted, too. */
export async function countBytes(
  head: Head,
  entries: ReadonlyMap<string, Uint8Array>,
): Promise<number> {
  let sizeBytes = totalBytes([...(head.state ? [head.state] : []), ...head.deltas]);
  sizeBytes += totalBytes(entries.values());
  for (const stream of STREAM_NAMES)
    for await (const page of head.records(stream)) sizeBytes += totalBytes(page);
  return sizeBytes;
}
