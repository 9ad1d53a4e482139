import assert from "node:assert/strict";
import type { StreamName } from "../engine/engine.js";
import { isStoreError, type StoreError } from "../engine/store-error.js";
import type { Head } from "../store/head.js";

export function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

export function text(value: Uint8Array | undefined): string | undefined {
  return value && new TextDecoder().decode(value);
}

/** Bytes that do not compress and are the same in every run. */
export function noise(length: number, seed = 1): Uint8Array {
  const value = new Uint8Array(length);
  let state = seed >>> 0 || 1;
  for (let index = 0; index < length; index++) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    value[index] = state;
  }
  return value;
}

/** Expects a call to reject with `code` and a message that names its subject first. */
export async function expectFailure(
  call: Promise<unknown>,
  code: StoreError["code"],
): Promise<void> {
  const error = await call.then(
    (value) => assert.fail(`expected ${code}, but the call resolved with ${String(value)}`),
    (reason: unknown) => reason,
  );
  assert(isStoreError(error), `expected ${code}, got ${String(error)}`);
  assert.equal(error.code, code, error.message);
  assert(error.message.startsWith(`${error.subject}: ${error.reason}`), error.message);
}

/** All records of a stream as texts. */
export async function recordsOf(
  head: Head | undefined,
  stream: StreamName,
  after = 0,
): Promise<readonly (string | undefined)[]> {
  const records: (string | undefined)[] = [];
  for await (const page of head?.records(stream, { after }) ?? [])
    records.push(...page.map((record) => text(record)));
  return records;
}

/** The entries as texts. */
export async function entriesOf(head: Head | undefined): Promise<Record<string, unknown>> {
  const entries = await head?.entries();
  return Object.fromEntries([...(entries ?? [])].map(([name, value]) => [name, text(value)]));
}
