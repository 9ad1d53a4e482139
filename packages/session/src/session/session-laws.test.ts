import { expect, it } from "vitest";
import { z } from "zod";
import {
  appendAll,
  defineEvent,
  defineSlice,
  defineState,
  replaceLatestBy,
  Session,
  type SessionSnapshot,
  upsertBy,
} from "../index.js";
import { decodeRecord, encodeRecord, type LogRecord } from "../jsonl/log-record.js";
import { Replayer } from "../jsonl/replayer.js";

const Item = z.object({ key: z.number(), value: z.number() });
const Put = defineEvent("item.put", Item);
const Drop = defineEvent("item.drop", z.object({ key: z.number() }));
const List = defineSlice({
  name: "list",
  schema: Item,
  reducers: (on) => [
    on(Put, appendAll),
    on(Drop, (items, { key }) => items.filter((item) => item.key !== key)),
  ],
});
const Table = defineSlice({
  name: "table",
  schema: Item,
  reducers: (on) => [on(Put, upsertBy("key"))],
});
const Recent = defineSlice({
  name: "recent",
  schema: Item,
  reducers: (on) => [on(Put, replaceLatestBy("key"))],
});
const Sum = defineState({
  name: "sum",
  schema: z.number(),
  initial: 0,
  reducers: (on) => [
    on(Put, (sum, { value }) => {
      if (value === 13) throw new Error("unlucky");
      return sum + value;
    }),
  ],
});
const Log = defineSlice({
  name: "log",
  schema: Item,
  policy: "log",
  reducers: (on) => [on(Put, appendAll)],
});

const slices = [List, Table, Recent, Sum, Log] as const;
const states = [List, Table, Recent, Sum] as const;

/** The state without logs, as text: what a snapshot must restore. */
function stateOf(session: Session): string {
  const [list, table, recent, sum] = states;
  return JSON.stringify([
    session.slice(list).all(),
    session.slice(table).all(),
    session.slice(recent).all(),
    session.slice(sum).all(),
    session.sequence,
  ]);
}

type Random = (below: number) => number;

function createRandom(seed: number): Random {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

function change(session: Session, random: Random): void {
  const item = { key: random(4), value: random(20) };
  switch (random(12)) {
    case 0:
      session.dispatch(Drop({ key: item.key }));
      break;
    case 1:
      session.slice(Table).append(item);
      break;
    case 2:
      session.slice(Recent).clear((each) => each.key === item.key);
      break;
    case 3:
      session.slice(List).seed([item]);
      break;
    case 4:
      if (random(5) === 0) session.reset();
      break;
    default:
      try {
        session.dispatch(Put(item));
      } catch {
        // A reducer throws for 13, and nothing may change.
      }
  }
}

/** Runs one random history and checks every restore in it. */
function checkHistory(random: Random): void {
  const session = new Session({ id: "s", clock: () => 0, slices });
  const taken: { readonly snapshot: SessionSnapshot; readonly state: string }[] = [];
  let logged = 0;
  for (let step = 3 + random(8); step > 0; step--) {
    if (random(4) === 0) taken.push({ snapshot: session.snapshot(), state: stateOf(session) });
    change(session, random);
    const back = random(5) === 0 ? taken[random(taken.length || 1)] : undefined;
    if (!back) continue;
    logged = session.slice(Log).size;
    session.restore(back.snapshot);
    if (stateOf(session) !== back.state) throw new Error("a restore is not exact");
    if (session.slice(Log).size !== logged) throw new Error("a restore lost a log");
  }
  for (const { snapshot, state } of taken) {
    session.restore(snapshot);
    if (stateOf(session) !== state) throw new Error("a restore is not exact");
  }
}

/** The plain test command tries fewer than CI. */
const HISTORIES = process.env["WINK_MORE_ROUNDS"] === undefined ? 20_000 : 100_000;

it(`restore(snapshot(s)) equals s for ${HISTORIES} random histories (E148, SE-16)`, () => {
  for (let seed = 1; seed <= HISTORIES; seed++) {
    try {
      checkHistory(createRandom(seed));
    } catch (cause) {
      throw new Error(`seed ${seed}`, { cause });
    }
  }
}, 300_000);

it("a replay of the log equals the live session, and its state at each event, for random histories (E150, SE-25)", () => {
  for (let seed = 1; seed <= HISTORIES / 50; seed++) {
    const random = createRandom(seed);
    const { live, records, statesAt } = recordHistory(random);
    const replayed = replay(records);
    expect(JSON.stringify(replayed), `seed ${seed}`).toBe(JSON.stringify(live));
    expect(replayed.events.toArray(), `seed ${seed}`).toEqual(live.events.toArray());
    const upTo = 1 + random(Math.max(1, statesAt.size));
    const state = statesAt.get(upTo);
    if (state === undefined) continue;
    const cut = records.findIndex((record) => "event" in record && record.event.sequence === upTo);
    expect(stateOf(replay(records.slice(0, cut + 1))), `seed ${seed} up to ${upTo}`).toBe(state);
  }
}, 120_000);

function recordHistory(random: Random) {
  const live = new Session({ id: "s", clock: () => 5, slices });
  const other = new Session({ id: "other", slices: [List] });
  other.slice(List).append({ key: 1, value: 1 });
  const records: LogRecord[] = [
    { kind: "start", version: 1, lastSequence: 0, state: live.toJSON() },
  ];
  live.attach({
    write(entry) {
      if (entry.kind === "event") records.push(entry);
      else if (entry.kind === "load") {
        const { snapshot, ...rest } = entry;
        records.push({ ...rest, state: snapshot.toJSON() });
      } else {
        const { snapshot: _, ...rest } = entry;
        records.push(rest);
      }
    },
  });
  const statesAt = new Map<number, string>();
  const snapshots = [live.snapshot()];
  for (let step = 3 + random(20); step > 0; step--) {
    if (random(4) === 0) snapshots.push(live.snapshot());
    const last = live.events.lastSequence;
    change(live, random);
    if (random(40) === 0) live.restore(other.snapshot());
    if (live.events.lastSequence === last + 1) statesAt.set(last + 1, stateOf(live));
    const back = random(5) === 0 ? snapshots[random(snapshots.length)] : undefined;
    if (back) live.restore(back, { reason: `step ${step}` });
  }
  return { live, records, statesAt };
}

function replay(records: readonly LogRecord[]): Session {
  const targets = records.flatMap((record) => (record.kind === "restore" ? [record.sequence] : []));
  const replayer = new Replayer({ clock: () => 0, slices }, new Set(targets));
  for (const [index, record] of records.entries())
    replayer.apply(decodeRecord(encodeRecord(record).trimEnd(), index + 1));
  if (!replayer.session) throw new Error("nothing was replayed");
  return replayer.session;
}
