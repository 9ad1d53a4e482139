import { describe, expect, it } from "vitest";
import { z } from "zod";
import { appendAll, defineEvent, defineSlice, defineState, Session } from "../index.js";

const Note = z.object({ id: z.number(), text: z.string() });
const AddNote = defineEvent("note.add", Note);
const Fail = defineEvent("note.fail", z.object({ in: z.string() }));
const Notes = defineSlice({
  name: "notes",
  schema: Note,
  reducers: (on) => [
    on(AddNote, appendAll),
    on(Fail, (items) => [...items, { id: -1, text: "half done" }]),
  ],
});
const Total = defineState({
  name: "total",
  schema: z.object({ count: z.number() }),
  initial: { count: 0 },
  reducers: (on) => [
    on(AddNote, ({ count }) => ({ count: count + 1 })),
    on(Fail, (total, payload) => {
      if (payload.in === "total") throw new Error("as told");
      return total;
    }),
  ],
});

function setup() {
  let now = 1000;
  const session = new Session({ id: "s", clock: () => now++, slices: [Notes, Total] });
  return { session, add: (id: number) => session.dispatch(AddNote({ id, text: `n${id}` })) };
}

describe("dispatch", () => {
  it("changes every slice and returns the recorded event (SE-6)", () => {
    const { session } = setup();
    const recorded = session.dispatch(AddNote({ id: 1, text: "a" }), {
      meta: { toolCallId: "c1" },
    });
    expect(recorded).toStrictEqual({
      sequence: 1,
      timestampMs: 1000,
      type: "note.add",
      payload: { id: 1, text: "a" },
      meta: { toolCallId: "c1" },
    });
    expect(session.events.toArray()).toEqual([recorded]);
    expect(session.slice(Notes).all()).toEqual([{ id: 1, text: "a" }]);
    expect(session.state(Total)).toEqual({ count: 1 });
  });

  it("changes nothing when a reducer throws, reports it to the caller, and works afterwards (E136, SE-6)", () => {
    const { session, add } = setup();
    add(1);
    const before = JSON.stringify(session);
    expect(() => session.dispatch(Fail({ in: "total" }))).toThrow(
      expect.objectContaining({
        code: "REDUCER_FAILED",
        message: expect.stringContaining("slice 'total' on 'note.fail'"),
        cause: expect.objectContaining({ message: "as told" }),
      }),
    );
    expect(JSON.stringify(session)).toBe(before);
    expect(session.events.length).toBe(1);
    expect(add(2).sequence).toBe(2);
    expect(session.slice(Notes).all()).toEqual([
      { id: 1, text: "n1" },
      { id: 2, text: "n2" },
    ]);
  });

  it("rejects a reducer's result that does not match the schema (SE-6)", () => {
    const Bad = defineState({
      name: "bad",
      schema: z.object({ count: z.number() }),
      initial: { count: 0 },
      // @ts-expect-error a count is a number
      reducers: (on) => [on(AddNote, () => ({ count: "one" }))],
    });
    const session = new Session({ slices: [Notes, Bad] });
    expect(() => session.dispatch(AddNote({ id: 1, text: "" }))).toThrow(
      expect.objectContaining({ code: "VALUE_INVALID", path: "value.count" }),
    );
    expect(session.slice(Notes).size).toBe(0);
  });

  it.each(["dispatch", "seed", "reset", "snapshot", "restore", "clone"] as const)(
    "is not affected by a reducer that calls %s (E137, E147, SE-13, SE-18)",
    (call) => {
      const session = new Session();
      const snapshot = session.snapshot();
      const calls = {
        dispatch: () => session.dispatch(AddNote({ id: 2, text: "inner" })),
        seed: () => session.slice(Notes).seed([]),
        reset: () => session.reset(),
        snapshot: () => session.snapshot(),
        restore: () => session.restore(snapshot),
        clone: () => session.clone(),
      };
      const Meddler = defineState({
        name: "meddler",
        schema: z.number(),
        initial: 0,
        reducers: (on) => [
          on(AddNote, (value) => {
            calls[call]();
            return value + 1;
          }),
        ],
      });
      session.install(Notes, Meddler);
      expect(() => session.dispatch(AddNote({ id: 1, text: "outer" }))).toThrow(
        expect.objectContaining({
          code: expect.stringMatching(/^(DISPATCH_IN_REDUCER|SESSION_BUSY)$/),
        }),
      );
      expect([session.events.length, session.slice(Notes).size]).toEqual([0, 0]);
    },
  );

  it("checks a plain data event with the schema of its type (SE-11)", () => {
    const { session } = setup();
    session.dispatch({ type: "note.add", payload: { id: 1, text: "a", extra: true } });
    expect(session.slice(Notes).latest()).toEqual({ id: 1, text: "a" });
    expect(() => session.dispatch({ type: "note.add", payload: { id: "1" } })).toThrow(
      expect.objectContaining({ code: "EVENT_INVALID", path: "payload.id" }),
    );
  });

  it("records an event that no slice has a reducer for (SE-6)", () => {
    const session = new Session();
    session.dispatch(AddNote({ id: 1, text: "a" }));
    expect(session.events.of(AddNote).map((event) => event.payload.text)).toEqual(["a"]);
  });

  it("takes the time from the clock and the order from the dispatches (SE-6)", () => {
    const times = [5, 3, 3, 9];
    const session = new Session({ clock: () => times.shift() ?? Number.NaN });
    for (const id of [1, 2, 3, 4]) session.dispatch(AddNote({ id, text: "" }));
    expect(session.events.map((event) => [event.sequence, event.timestampMs])).toEqual([
      [1, 5],
      [2, 3],
      [3, 3],
      [4, 9],
    ]);
    expect(() => session.dispatch(AddNote({ id: 5, text: "" }))).toThrow("the clock must return");
    expect(session.events.length).toBe(4);
  });
});

describe("a slice", () => {
  it("has latest, all, where, at, size and iteration (SE-7)", () => {
    const { session, add } = setup();
    const notes = session.slice(Notes);
    expect([notes.size, notes.latest(), notes.all(), notes.at(0)]).toEqual([
      0,
      undefined,
      [],
      undefined,
    ]);
    for (const id of [1, 2, 3]) add(id);
    expect(notes.size).toBe(3);
    expect(notes.latest()?.id).toBe(3);
    expect(notes.all().map((note) => note.id)).toEqual([1, 2, 3]);
    expect(notes.where((note) => note.id > 1).map((note) => note.id)).toEqual([2, 3]);
    expect([notes.at(0)?.id, notes.at(-1)?.id, notes.at(3), notes.at(-4), notes.at(0.5)]).toEqual([
      1,
      3,
      undefined,
      undefined,
      undefined,
    ]);
    expect([...notes].map((note) => note.id)).toEqual([1, 2, 3]);
    expect(notes.all()).toBe(notes.all());
  });

  it("records seed, append, clear and reset as events (SE-8)", () => {
    const { session } = setup();
    const notes = session.slice(Notes);
    notes.seed([
      { id: 1, text: "a" },
      { id: 2, text: "b" },
    ]);
    notes.append({ id: 3, text: "c" }, { id: 4, text: "d" });
    notes.clear((note) => note.id % 2 === 0);
    expect(notes.all().map((note) => note.id)).toEqual([1, 3]);
    notes.seed({ id: 9, text: "only" });
    expect(notes.all()).toEqual([{ id: 9, text: "only" }]);
    notes.clear();
    session.slice(Total).seed({ count: 7 });
    session.reset();
    expect([notes.size, session.slice(Total).size, session.state(Total)]).toEqual([
      0,
      0,
      { count: 0 },
    ]);
    expect(session.events.map((event) => event.type)).toEqual([
      "wink.seed-slice",
      "wink.append-slice",
      "wink.clear-slice",
      "wink.seed-slice",
      "wink.clear-slice",
      "wink.seed-slice",
      "wink.reset-session",
    ]);
    expect(session.events.at(2)?.payload).toEqual({ slice: "notes", removed: [1, 3] });
  });

  it("does not record a change without effect (SE-8)", () => {
    const { session } = setup();
    session.slice(Notes).append();
    session.slice(Notes).clear(() => true);
    expect(session.events.length).toBe(0);
  });

  it("rejects seeded and appended items that do not match the schema (SE-8)", () => {
    const { session } = setup();
    // @ts-expect-error an id is a number
    expect(() => session.slice(Notes).append({ id: "x", text: "" })).toThrow(
      expect.objectContaining({ code: "VALUE_INVALID", path: "items[0].id" }),
    );
    expect(session.events.length).toBe(0);
  });

  it("that is a state has no value at first and can lose its value again (SE-7)", () => {
    const { session, add } = setup();
    const total = session.slice(Total);
    expect([total.size, total.latest(), session.state(Total)]).toEqual([
      0,
      undefined,
      { count: 0 },
    ]);
    add(1);
    expect([total.size, total.latest(), session.state(Total)]).toEqual([
      1,
      { count: 1 },
      { count: 1 },
    ]);
    total.append({ count: 5 });
    expect(total.all()).toEqual([{ count: 5 }]);
    total.clear((value) => value.count === 4);
    expect(total.size).toBe(1);
    total.clear();
    expect([total.size, session.state(Total)]).toEqual([0, { count: 0 }]);
  });

  it("accepts additional reducers in one session, for later events (SE-7)", () => {
    const { session, add } = setup();
    const Shout = defineEvent("note.shout", z.object({ word: z.string() }));
    add(1);
    session
      .slice(Notes)
      .register(Shout, (items, { word }) => [...items, { id: items.length + 1, text: word }]);
    session.slice(Total).register(Shout, (_, { word }) => ({ count: word.length }));
    session.dispatch(Shout({ word: "hey" }));
    expect(
      session
        .slice(Notes)
        .all()
        .map((note) => note.text),
    ).toEqual(["n1", "hey"]);
    expect(session.state(Total)).toEqual({ count: 3 });
    expect(new Session({ slices: [Notes] }).slice(Notes).size).toBe(0);
  });

  it("keeps the items that a custom reducer returns unchanged, in any order (SE-7)", () => {
    const Sort = defineEvent("note.sort", z.null());
    const { session, add } = setup();
    session.slice(Notes).register(Sort, (items) => items.toSorted((a, b) => b.id - a.id));
    for (const id of [1, 2, 3]) add(id);
    const [first] = session.slice(Notes).all();
    session.dispatch(Sort(null));
    expect(
      session
        .slice(Notes)
        .all()
        .map((note) => note.id),
    ).toEqual([3, 2, 1]);
    expect(session.slice(Notes).latest()).toBe(first);
  });

  it("rejects a reducer that does not return an array (SE-6)", () => {
    const { session } = setup();
    // @ts-expect-error a list's reducer returns a list
    session.slice(Notes).register(defineEvent("note.lose", z.null()), () => undefined);
    expect(() => session.dispatch({ type: "note.lose", payload: null })).toThrow(
      "slice 'notes': the reducer of a list must return an array.",
    );
  });
});

describe("installing", () => {
  it("late gives the same content as installing early (SE-10)", () => {
    const early = new Session({ slices: [Notes, Total] });
    const late = new Session();
    for (const session of [early, late]) {
      session.dispatch(AddNote({ id: 1, text: "a" }));
      const snapshot = session.snapshot();
      session.dispatch(AddNote({ id: 2, text: "b" }));
      session.restore(snapshot);
      session.dispatch(AddNote({ id: 3, text: "c" }));
    }
    expect(late.slice(Notes).all()).toEqual(early.slice(Notes).all());
    expect(late.state(Total)).toEqual({ count: 2 });
  });

  it("late, followed by a restore to an earlier state, gives the content at that time (SE-10, SE-16)", () => {
    const session = new Session();
    session.dispatch(AddNote({ id: 1, text: "a" }));
    const snapshot = session.snapshot();
    session.dispatch(AddNote({ id: 2, text: "b" }));
    expect(session.slice(Notes).size).toBe(2);
    session.restore(snapshot);
    expect(session.slice(Notes).all()).toEqual([{ id: 1, text: "a" }]);
  });

  it("late does not prevent a restore to an earlier state when its events were dropped (SE-10, SE-14)", () => {
    const session = new Session({ maxEvents: 2 });
    const snapshot = session.snapshot();
    session.install(Notes);
    for (const id of [1, 2, 3, 4, 5]) session.dispatch(AddNote({ id, text: "" }));
    session.restore(snapshot);
    expect(session.slice(Notes).size).toBe(0);
  });

  it("late is rejected when events that it needs were dropped (SE-10, SE-14)", () => {
    const session = new Session({ maxEvents: 2 });
    const Other = defineEvent("other.happen", z.null());
    session.dispatch(AddNote({ id: 1, text: "a" }));
    for (let i = 0; i < 3; i++) session.dispatch(Other(null));
    expect(() => session.install(Notes)).toThrow(
      expect.objectContaining({ code: "EVENTS_DROPPED" }),
    );
    const Others = defineSlice({ name: "others", schema: z.null() });
    expect(session.slice(Others).size).toBe(0);
  });
});

describe("options", () => {
  it.each([
    ["id", { id: "" }],
    ["maxEvents", { maxEvents: -1 }],
    ["maxEvents", { maxEvents: 1.5 }],
    ["maxChainedEvents", { maxChainedEvents: -1 }],
    ["Session", { maxChainedEvents: Number.NaN }],
    ["tags", { tags: { a: 1 as unknown as string } }],
  ])("are rejected when %s is invalid (SE-4)", (subject, options) => {
    expect(() => new Session(options)).toThrow(
      expect.objectContaining({ code: "ARGUMENT_INVALID", subject }),
    );
  });

  it("are optional, and each session gets a different id (SE-6)", () => {
    expect(new Session().id).not.toBe(new Session().id);
  });
});
