import { describe, expect, it } from "vitest";
import { z } from "zod";
import {
  appendAll,
  defineEvent,
  defineSlice,
  defineState,
  Session,
  SessionSnapshot,
  upsertBy,
} from "../index.js";

const Step = z.object({ id: z.number(), title: z.string() });
const AddStep = defineEvent("step.add", Step);
const Plan = defineSlice({
  name: "plan",
  schema: Step,
  reducers: (on) => [on(AddStep, upsertBy("id"))],
});
const Audit = defineSlice({
  name: "audit",
  schema: Step,
  policy: "log",
  reducers: (on) => [on(AddStep, appendAll)],
});
const Last = defineState({
  name: "last",
  schema: z.object({ id: z.number() }),
  initial: { id: 0 },
  reducers: (on) => [on(AddStep, (_, { id }) => ({ id }))],
});

function setup() {
  const session = new Session({ id: "s", clock: () => 0, slices: [Plan, Audit, Last] });
  const add = (...ids: readonly number[]) => {
    for (const id of ids) session.dispatch(AddStep({ id, title: `step ${id}` }));
  };
  const ids = () =>
    session
      .slice(Plan)
      .all()
      .map((step) => step.id);
  const undone = () =>
    session.events.filter((event) => event.rolledBack !== undefined).map((event) => event.sequence);
  return { session, add, ids, undone };
}

describe("restore", () => {
  it("restores exactly what was captured, by identity (SE-16)", () => {
    const { session, add } = setup();
    add(1, 2);
    const snapshot = session.snapshot();
    const json = JSON.stringify(snapshot);
    const plan = session.slice(Plan).all();
    add(2, 3);
    session.slice(Last).clear();
    session.restore(snapshot);
    expect(session.slice(Plan).all()).toBe(plan);
    expect(session.state(Last)).toEqual({ id: 2 });
    expect(JSON.stringify(snapshot)).toBe(json);
  });

  it("keeps logs, and marks rolled back events with the reason instead of deleting them (E150, SE-17)", () => {
    const { session, add } = setup();
    add(1);
    const snapshot = session.snapshot();
    add(2, 3);
    session.restore(snapshot, { reason: "tool failed" });
    add(4);
    expect(
      session
        .slice(Plan)
        .all()
        .map((step) => step.id),
    ).toEqual([1, 4]);
    expect(
      session
        .slice(Audit)
        .all()
        .map((step) => step.id),
    ).toEqual([1, 2, 3, 4]);
    expect(session.events.map((event) => [event.sequence, event.rolledBack])).toEqual([
      [1, undefined],
      [2, { reason: "tool failed" }],
      [3, { reason: "tool failed" }],
      [4, undefined],
    ]);
    expect(session.sequence).toBe(4);
  });

  it("works twice, from a restored state, and forward again (E148, SE-17)", () => {
    const { session, add, ids, undone } = setup();
    add(1);
    const one = session.snapshot();
    add(2);
    const two = session.snapshot();
    session.restore(one);
    session.restore(one);
    const oneAgain = session.snapshot();
    expect([ids(), undone(), session.sequence]).toEqual([[1], [2], 1]);
    add(3);
    const three = session.snapshot();
    session.restore(two);
    expect([ids(), undone(), session.sequence]).toEqual([[1, 2], [3], 2]);
    session.restore(three);
    expect([ids(), undone(), session.sequence]).toEqual([[1, 3], [2], 3]);
    session.restore(oneAgain);
    expect([ids(), undone(), session.sequence]).toEqual([[1], [2, 3], 1]);
    add(4);
    expect([ids(), undone(), session.sequence]).toEqual([[1, 4], [2, 3], 4]);
    expect(oneAgain.toJSON().sequence).toBe(one.toJSON().sequence);
  });

  it("gives the same JSON as before, any number of times (E148, SE-16)", () => {
    const { session, add } = setup();
    const Bare = new Session({ id: "bare", slices: [Plan] });
    add(1);
    Bare.dispatch(AddStep({ id: 1, title: "x" }));
    const snapshot = Bare.snapshot();
    for (let round = 0; round < 3; round++) {
      Bare.dispatch(AddStep({ id: round, title: "y" }));
      Bare.restore(snapshot);
      expect(Bare.toJSON()).toEqual(snapshot.toJSON());
    }
    expect(session.slice(Plan).size).toBe(1);
  });

  it("does not show later items in older snapshots (SE-16)", () => {
    const session = new Session({ slices: [Audit] });
    const log = session.slice(Audit);
    const Plain = defineSlice({ name: "plain", schema: z.number() });
    const plain = session.slice(Plain);
    plain.append(1);
    const one = session.snapshot();
    plain.append(2);
    const two = session.snapshot();
    session.restore(one);
    plain.append(3);
    const three = session.snapshot();
    session.restore(two);
    plain.append(4);
    expect(plain.all()).toEqual([1, 2, 4]);
    const stored = [one, two, three].map((each) => each.toJSON().slices["plain"]?.items);
    expect(stored).toEqual([[1], [1, 2], [1, 3]]);
    expect(log.size).toBe(0);
  });

  it("also accepts JSON, keeps logs then too, and records it as an event (SE-16, SE-17)", () => {
    const { session, add, ids } = setup();
    add(1);
    const text = JSON.stringify(session);
    add(2);
    session.restore(text);
    expect(ids()).toEqual([1]);
    expect(session.slice(Audit).size).toBe(2);
    expect(session.events.at(-1)).toMatchObject({ sequence: 3, type: "wink.load-snapshot" });
  });

  it.each(["not a snapshot", null, 7, {}, undefined, []])("rejects %j (E145, SE-23)", (source) => {
    const { session, add } = setup();
    add(1);
    const before = JSON.stringify(session);
    expect(() => session.restore(source)).toThrow(
      expect.objectContaining({ code: "SNAPSHOT_INVALID" }),
    );
    expect(JSON.stringify(session)).toBe(before);
  });

  it("changes nothing when one of many slices does not match its schema (E146, SE-16)", async () => {
    const { session, add } = setup();
    add(1);
    await Promise.resolve();
    const other = new Session({ id: "other" });
    other.slice(Plan).append({ id: 9, title: "nine" });
    const Wrong = defineState({
      name: "last",
      schema: z.object({ name: z.string() }),
      initial: { name: "" },
    });
    other.slice(Wrong).seed({ name: "x" });
    const before = JSON.stringify(session);
    for (const source of [other.snapshot(), JSON.stringify(other)])
      expect(() => session.restore(source)).toThrow(
        expect.objectContaining({ code: "SNAPSHOT_INVALID", subject: "slice 'last'" }),
      );
    expect(JSON.stringify(session)).toBe(before);
    expect(session.events.length).toBe(1);
  });

  it("adds slices that only the other session has (SE-16)", () => {
    const session = new Session();
    const other = new Session({ slices: [Plan] });
    other.dispatch(AddStep({ id: 1, title: "x" }));
    session.restore(other.snapshot());
    expect(session.slice(Plan).all()).toEqual([{ id: 1, title: "x" }]);
    session.dispatch(AddStep({ id: 2, title: "y" }));
    expect(session.slice(Plan).size).toBe(2);
  });
});

describe("a snapshot", () => {
  it("is JSON with its versions (SE-20)", () => {
    const { session, add } = setup();
    add(1);
    expect(session.snapshot().toJSON()).toEqual({
      format: "wink.session-snapshot",
      version: 1,
      id: "s",
      tags: {},
      sequence: 1,
      slices: {
        audit: { version: 1, items: [{ id: 1, title: "step 1" }] },
        last: { version: 1, items: [{ id: 1 }] },
        plan: { version: 1, items: [{ id: 1, title: "step 1" }] },
      },
      checksum: expect.stringMatching(/^[0-9a-f]{8}$/),
    });
    expect(JSON.stringify(session)).toBe(JSON.stringify(session.snapshot()));
  });

  it("starts a session with its id, tags, slices and logs (SE-20)", () => {
    const original = new Session({ id: "s", tags: { kind: "x" }, slices: [Plan, Audit, Last] });
    original.dispatch(AddStep({ id: 1, title: "a" }));
    for (const source of [
      original.snapshot(),
      original,
      original.toJSON(),
      JSON.stringify(original),
    ]) {
      const copy = Session.fromSnapshot(source, { slices: [Plan, Audit, Last] });
      expect(copy.toJSON()).toEqual(original.toJSON());
      expect(copy.events.length).toBe(0);
      expect(copy.dispatch(AddStep({ id: 2, title: "b" })).sequence).toBe(2);
      expect(copy.slice(Audit).size).toBe(2);
    }
    expect(Session.fromSnapshot(original.snapshot(), { id: "t", tags: {} })).toMatchObject({
      id: "t",
      tags: {},
    });
    expect(original.slice(Plan).size).toBe(1);
  });

  it("keeps slices that are not installed until they are (E146, SE-22)", () => {
    const { session, add } = setup();
    add(1);
    const copy = Session.fromSnapshot(JSON.stringify(session));
    expect(copy.toJSON()).toEqual(session.toJSON());
    copy.dispatch(AddStep({ id: 2, title: "step 2" }));
    const point = copy.snapshot();
    expect(
      copy
        .slice(Plan)
        .all()
        .map((step) => step.id),
    ).toEqual([1, 2]);
    copy.dispatch(AddStep({ id: 3, title: "step 3" }));
    copy.restore(point);
    expect(
      copy
        .slice(Plan)
        .all()
        .map((step) => step.id),
    ).toEqual([1, 2]);
    expect(Object.keys(copy.toJSON().slices)).toEqual(["audit", "last", "plan"]);
  });

  it("that is rejected leaves no child behind (E145, SE-23)", () => {
    const parent = new Session();
    const { session } = setup();
    session.slice(Plan).append({ id: 1, title: "x" });
    const text = JSON.stringify(session).replace('"step', '"Step');
    const Other = defineSlice({ name: "plan", schema: z.string(), version: 1 });
    expect(() => Session.fromSnapshot(text, { parent, slices: [Other] })).toThrow(
      expect.objectContaining({ name: "SessionError" }),
    );
    expect(parent.children).toEqual([]);
  });
});

describe("a snapshot", () => {
  it("returns a slice as it was, with the methods that read a slice (SE-32)", () => {
    const { session, add } = setup();
    add(1, 2);
    const snapshot = session.snapshot();
    add(3);
    const plan = snapshot.slice(Plan);
    expect(plan.all().map(({ id }) => id)).toEqual([1, 2]);
    expect([plan.size, plan.latest()?.id, plan.at(0)?.id]).toEqual([2, 2, 1]);
    expect(plan.where(({ id }) => id > 1)).toHaveLength(1);
    expect([...plan]).toEqual(plan.all());
    expect([snapshot.state(Last), session.state(Last)]).toEqual([{ id: 2 }, { id: 3 }]);
    expect(plan).not.toHaveProperty("append");
  });

  it("from JSON reads a slice with its migration and schema, and one that it does not contain as empty (SE-32)", () => {
    const { session, add } = setup();
    add(1);
    const parsed = SessionSnapshot.parse(JSON.stringify(session.snapshot()));
    expect(parsed.slice(Plan).latest()).toEqual({ id: 1, title: "step 1" });
    const Renamed = defineSlice({
      name: "plan",
      version: 2,
      schema: z.object({ id: z.number(), name: z.string() }),
      migrate: (item) => {
        const { id, title } = Step.parse(item);
        return { id, name: title };
      },
    });
    expect(parsed.slice(Renamed).all()).toEqual([{ id: 1, name: "step 1" }]);
    expect(session.snapshot().slice(Renamed).all()).toEqual([{ id: 1, name: "step 1" }]);
    const Other = defineState({ name: "other", schema: z.number(), initial: 7 });
    expect([parsed.slice(Other).size, parsed.state(Other)]).toEqual([0, 7]);
    const Strict = defineSlice({ name: "plan", schema: z.object({ due: z.string() }) });
    expect(() => parsed.slice(Strict)).toThrow(
      expect.objectContaining({ code: "SNAPSHOT_INVALID" }),
    );
    expect(() => parsed.slice("plan" as never)).toThrow(
      expect.objectContaining({ code: "ARGUMENT_INVALID" }),
    );
  });
});
