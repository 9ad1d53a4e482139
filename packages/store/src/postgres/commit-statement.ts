import { type EngineCommit, STREAM_NAMES } from "../engine/engine.js";
import { toBytes } from "../engine/frames.js";
import { JoinedBytes } from "./joined-bytes.js";
import type { PostgresTables } from "./postgres-schema.js";

export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}

const COMMITTED = "EXISTS (SELECT 1 FROM h)";

/** A commit as one statement: the head is swapped, and everything else depends on that. */
export function commitStatement(t: PostgresTables, key: string, commit: EngineCommit): Statement {
  const { expected, counts, records, state, deltas, entries, blobs } = commit;
  const data = new JoinedBytes();
  const values: unknown[] = [];
  const value = (given: unknown, type: string) => `$${values.push(given)}::${type}`;
  const bytes = value(undefined, "bytea");
  const keyValue = value(key, "text");
  const slices = (parts: Iterable<Uint8Array>) => {
    const { offsets, lengths } = data.addAll(parts);
    return `${value(offsets, "int[]")}, ${value(lengths, "int[]")}`;
  };
  const slice = `substring(${bytes} FROM s.o FOR s.l)`;
  const steps: string[] = [];

  const set = [
    "version = version + 1",
    `events = ${value(counts.events + records.events.length, "bigint")}`,
    `transcript = ${value(counts.transcript + records.transcript.length, "bigint")}`,
    `recent = ${value(commit.recent, "text[]")}`,
    `size = ${value(commit.sizeBytes, "bigint")}`,
    "updated = clock_timestamp()",
    `lease_until = clock_timestamp() + ${value(commit.leaseMs, "float8")} * interval '1 millisecond'`,
  ];
  const version = value(expected.version, "bigint");
  if (state !== undefined) {
    const { offset, length } = data.add(state);
    set.push(
      `state = substring(${bytes} FROM ${value(offset, "int")} FOR ${value(length, "int")})`,
    );
    steps.push(`d AS (DELETE FROM ${t.delta} WHERE key = ${keyValue} AND ${COMMITTED})`);
  }
  if (deltas.length > 0)
    steps.push(`i AS (INSERT INTO ${t.delta} (key, version, n, bytes)
      SELECT ${keyValue}, ${version} + 1, s.n, ${slice}
      FROM unnest(${slices(deltas)}) WITH ORDINALITY s(o, l, n) WHERE ${COMMITTED})`);
  for (const stream of STREAM_NAMES)
    if (records[stream].length > 0)
      steps.push(`r_${stream} AS (INSERT INTO ${t.record} (key, stream, n, bytes)
        SELECT ${keyValue}, '${stream}', ${value(counts[stream], "bigint")} + s.n, ${slice}
        FROM unnest(${slices(records[stream])}) WITH ORDINALITY s(o, l, n) WHERE ${COMMITTED})`);
  if (entries !== undefined) {
    const names = [...entries.set.keys()].map(toBytes);
    const setNames = slices(names);
    // A row that is set must not be deleted by the same statement.
    steps.push(`x AS (DELETE FROM ${t.entry} WHERE key = ${keyValue} AND ${COMMITTED}
      AND (${value(entries.clear, "boolean")}
        OR name IN (SELECT ${slice} FROM unnest(${slices(entries.delete.map(toBytes))}) s(o, l)))
      AND name NOT IN (SELECT ${slice} FROM unnest(${setNames}) s(o, l)))`);
    steps.push(`y AS (INSERT INTO ${t.entry} (key, name, value)
      SELECT ${keyValue}, substring(${bytes} FROM s.no FOR s.nl), substring(${bytes} FROM s.o FOR s.l)
      FROM unnest(${setNames}, ${slices(entries.set.values())}) s(no, nl, o, l) WHERE ${COMMITTED}
      ON CONFLICT (key, name) DO UPDATE SET value = excluded.value)`);
  }
  const pool = value(expected.pool, "text");
  if (blobs.length > 0) {
    const ids = data.addAll(blobs.map(({ id }) => Buffer.from(id, "hex")));
    steps.push(`b AS (INSERT INTO ${t.blob} (pool, id, data)
      SELECT ${pool}, substring(${bytes} FROM s.i FOR 32), ${slice}
      FROM unnest(${value(ids.offsets, "int[]")}, ${slices(blobs.map((blob) => blob.bytes))}) s(i, o, l)
      WHERE ${COMMITTED} ON CONFLICT DO NOTHING)`);
  }
  const head = `h AS (UPDATE ${t.head} SET ${set.join(", ")} WHERE key = ${keyValue} AND version = ${version}
    AND epoch = ${value(expected.epoch, "bigint")} AND pool = ${pool} RETURNING version)`;
  values[0] = data.join();
  return {
    text: `WITH ${[head, ...steps].join(",\n")}\nSELECT version, ${bytes} IS NULL AS unused FROM h`,
    values,
  };
}
