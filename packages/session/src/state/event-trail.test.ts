import { expect, it } from "vitest";
import { z } from "zod";
import { appendAll, defineEvent, defineSlice, Session } from "../index.js";

const Tick = defineEvent("tick", z.object({ n: z.number() }));
const Ticks = defineSlice({
  name: "ticks",
  schema: Tick.schema,
  reducers: (on) => [on(Tick, appendAll)],
});

it.each([0, 1, 2, 5, 100])(
  "the trail keeps at most the newest %i events when maxEvents is set (E138, SE-14)",
  (maxEvents) => {
    const session = new Session({ maxEvents, slices: [Ticks] });
    for (let n = 1; n <= 50; n++) session.dispatch(Tick({ n }));
    const held = Math.min(50, maxEvents);
    expect(session.events.map((event) => event.sequence)).toEqual(
      Array.from({ length: held }, (_, index) => 50 - held + 1 + index),
    );
    expect(session.events.length).toBe(held);
    expect(session.events.dropped).toBe(50 - held);
    expect(session.events.lastSequence).toBe(50);
    expect(session.slice(Ticks).size).toBe(50);
  },
);

it("the trail marks its remaining events when more than those are rolled back (E138, E150, SE-14)", () => {
  const session = new Session({ maxEvents: 3, slices: [Ticks] });
  session.dispatch(Tick({ n: 0 }));
  const snapshot = session.snapshot();
  for (let n = 1; n <= 10; n++) session.dispatch(Tick({ n }));
  session.restore(snapshot, { reason: "too many" });
  expect(session.events.map((event) => [event.sequence, event.rolledBack?.reason])).toEqual([
    [9, "too many"],
    [10, "too many"],
    [11, "too many"],
  ]);
  expect(session.slice(Ticks).all()).toEqual([{ n: 0 }]);
});

it("the trail accepts a million events in one turn and stays within its limit (E138, SE-14)", () => {
  const session = new Session({ maxEvents: 1000, slices: [Ticks] });
  for (let n = 1; n <= 1_000_000; n++) {
    session.dispatch(Tick({ n }));
    if (session.slice(Ticks).latest()?.n !== n) throw new Error(`latest is not ${n}`);
  }
  expect([session.slice(Ticks).size, session.events.length]).toEqual([1_000_000, 1000]);
  const snapshot = session.snapshot();
  session.dispatch(Tick({ n: 0 }));
  session.restore(snapshot);
  expect(session.slice(Ticks).latest()).toEqual({ n: 1_000_000 });
});

it("the trail has at, of, filter, map and iteration (SE-6)", () => {
  const Other = defineEvent("other", z.string());
  const session = new Session();
  session.dispatch(Tick({ n: 1 }));
  session.dispatch(Other("x"));
  session.dispatch(Tick({ n: 2 }));
  const { events } = session;
  expect([events.at(0)?.type, events.at(-1)?.sequence, events.at(3)]).toEqual([
    "tick",
    3,
    undefined,
  ]);
  expect(events.of(Tick).map((event) => event.payload.n)).toEqual([1, 2]);
  expect(events.filter(Other.is).length).toBe(1);
  expect([...events].map((event) => event.sequence)).toEqual([1, 2, 3]);
  expect(events.toArray().every((event) => Object.isFrozen(event))).toBe(true);
});
