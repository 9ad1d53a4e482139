import { quoted } from "../arguments/quoted.js";
import { checkOptions } from "../engine/check-options.js";
import type { HeadRecord } from "../engine/engine.js";
import { StoreError } from "../engine/store-error.js";
import { sizeAfter } from "./engine-commit.js";
import type { Changes } from "./head.js";
import type { HeadContext } from "./head-context.js";
import { PendingChanges } from "./pending-changes.js";
import type { PlacedBatch } from "./place-contents.js";

/** The largest state, delta, record or entry. All servers store it in one value. */
const MAX_VALUE_BYTES = 64 * 1024 * 1024;
const MAX_NAME_BYTES = 500;
const CHANGES = ["state", "delta", "events", "transcript", "entries", "blobs", "statements"];

/** Refuses changes that no store could hold, before anything is stored. */
export function checkChanges(changes: Changes, { engine, subject }: HeadContext): void {
  if (changes === undefined)
    throw new StoreError("ARGUMENT_INVALID", subject, `changes are missing. Fields: ${CHANGES}`);
  checkOptions(subject, changes, CHANGES);
  for (const name of ["events", "transcript", "blobs", "statements"] as const)
    if (changes[name] !== undefined && !Array.isArray(changes[name]))
      throw new StoreError("ARGUMENT_INVALID", subject, `'${name}' must be an array`);
  checkOptions(subject, changes.entries, ["clear", "delete", "set"]);
  const set = changes.entries?.set;
  if (set !== undefined && (typeof set !== "object" || set === null || Array.isArray(set)))
    throw new StoreError("ARGUMENT_INVALID", subject, "'entries.set' must be an object");
  if (changes.entries?.delete !== undefined && !Array.isArray(changes.entries.delete))
    throw new StoreError("ARGUMENT_INVALID", subject, "'entries.delete' must be an array");
  if ((changes.statements?.length ?? 0) > 0 && !engine.heads.runsStatements)
    throw new StoreError(
      "ARGUMENT_INVALID",
      subject,
      "only a store whose heads are in PostgreSQL runs statements",
    );
  for (const statement of changes.statements ?? [])
    if (typeof statement?.text !== "string" || !Array.isArray(statement.values ?? []))
      throw new StoreError(
        "ARGUMENT_INVALID",
        subject,
        "a statement has a text, and values in an array",
      );
  const { state, delta, events = [], transcript = [], entries = {} } = changes;
  const names = [...Object.keys(entries.set ?? {}), ...(entries.delete ?? [])];
  for (const name of names)
    if (
      typeof name !== "string" ||
      name === "" ||
      !name.isWellFormed() ||
      new TextEncoder().encode(name).length > MAX_NAME_BYTES
    )
      throw new StoreError(
        "ARGUMENT_INVALID",
        subject,
        `the name of an entry must have 1 to ${MAX_NAME_BYTES} bytes, got ${quoted(name)}`,
      );
  for (const value of [
    state,
    delta,
    ...events,
    ...transcript,
    ...Object.values(entries.set ?? {}),
  ]) {
    if (value === undefined) continue;
    if (!(value instanceof Uint8Array))
      throw new StoreError(
        "ARGUMENT_INVALID",
        subject,
        "states, records and entries are Uint8Array",
      );
    if (value.length > MAX_VALUE_BYTES)
      throw new StoreError(
        "TOO_LARGE",
        subject,
        `a value has ${value.length} bytes, at most ${MAX_VALUE_BYTES} are allowed. Store it as a content with place()`,
      );
  }
}

/** Refuses changes that would make the head larger than its quota. */
export function checkQuota(
  head: HeadRecord,
  pending: PendingChanges,
  added: { readonly changes: Changes; readonly batches: readonly PlacedBatch[] },
  maxHeadBytes: number,
  subject: string,
): void {
  const after = new PendingChanges();
  after.add("", added.changes, added.batches);
  checkSize(sizeAfter(head, after) + pending.sizeBytes, maxHeadBytes, subject);
}

export function checkSize(sizeBytes: number, maxHeadBytes: number, subject: string): void {
  if (sizeBytes > maxHeadBytes)
    throw new StoreError(
      "FULL",
      subject,
      `it would have ${sizeBytes} bytes, at most ${maxHeadBytes} are allowed. Call sweep, or raise maxHeadBytes`,
    );
}
