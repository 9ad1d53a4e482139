import { describe, expect, it } from "vitest";
import { z } from "zod";
import {
  appendAll,
  defineEvent,
  defineSlice,
  InProcessDispatcher,
  iterSessions,
  Session,
} from "../index.js";

const Tick = defineEvent("tick", z.object({ n: z.number() }));
const Ticks = defineSlice({
  name: "ticks",
  schema: Tick.schema,
  reducers: (on) => [on(Tick, appendAll)],
});

describe("children", () => {
  it("are listed with their parent, each parent first (SE-15)", () => {
    const root = new Session({ id: "root", tags: { role: "reviewer" } });
    const a = new Session({ id: "a", parent: root });
    new Session({ id: "a1", parent: a });
    new Session({ id: "b", parent: root });
    expect([...iterSessions(root)].map((session) => session.id)).toEqual(["root", "a", "a1", "b"]);
    expect(a.parent).toBe(root);
    expect(root.tags).toEqual({ role: "reviewer" });
    a.close();
    expect([...iterSessions(root)].map((session) => session.id)).toEqual(["root", "b"]);
  });

  it("that are closed reject changes but can be read (SE-15)", () => {
    const session = new Session({ slices: [Ticks] });
    session.dispatch(Tick({ n: 1 }));
    session.close();
    expect(() => session.dispatch(Tick({ n: 2 }))).toThrow(
      expect.objectContaining({ code: "SESSION_CLOSED" }),
    );
    expect(() => new Session({ parent: session })).toThrow(
      expect.objectContaining({ code: "SESSION_CLOSED" }),
    );
    expect(session.slice(Ticks).all()).toEqual([{ n: 1 }]);
  });

  it("close what was opened for them, the newest first and each once (SE-31)", async () => {
    const closed: string[] = [];
    const session = new Session();
    session.onClose(async () => void closed.push("first"));
    session.onClose(() => void closed.push("cancelled"))();
    session.onClose(async () => {
      await Promise.resolve();
      closed.push("second");
    });
    await Promise.all([session.close(), session.close()]);
    await session[Symbol.asyncDispose]();
    expect(closed).toEqual(["second", "first"]);
    expect(() => session.onClose(() => {})).toThrow(
      expect.objectContaining({ code: "SESSION_CLOSED" }),
    );
  });

  it("close everything and reject if a part fails (SE-31)", async () => {
    const closed: string[] = [];
    const broken = new Error("broken");
    const one = new Session();
    one.onClose(() => void closed.push("one"));
    one.onClose(() => Promise.reject(broken));
    await expect(one.close()).rejects.toBe(broken);
    const two = new Session();
    two.onClose(() => Promise.reject(broken));
    two.onClose(() => {
      throw broken;
    });
    await expect(two.close()).rejects.toMatchObject({ errors: [broken, broken] });
    expect(closed).toEqual(["one"]);
  });

  it("with a hold prevent a restore of their ancestors until every hold is released (E149, SE-19)", () => {
    const root = new Session({ slices: [Ticks] });
    const child = new Session({ parent: root });
    const grandchild = new Session({ parent: child, slices: [Ticks] });
    const snapshot = root.snapshot();
    const own = grandchild.snapshot();
    root.dispatch(Tick({ n: 1 }));
    const refused = expect.objectContaining({ code: "SESSION_BUSY" });
    const first = grandchild.hold();
    {
      using _second = grandchild.hold();
      expect(() => root.restore(snapshot)).toThrow(refused);
      first.release();
      first.release();
      expect(() => root.restore(snapshot)).toThrow(refused);
      expect(() => child.restore(child.snapshot())).toThrow(refused);
      grandchild.restore(own);
    }
    root.restore(snapshot);
    expect(root.slice(Ticks).size).toBe(0);
  });

  it("that are dispatching prevent a restore of their parent (E147, E149, SE-18)", () => {
    const errors: unknown[] = [];
    const root = new Session({ slices: [Ticks] });
    const snapshot = root.snapshot();
    const dispatcher = new InProcessDispatcher({ onError: (error) => errors.push(error) });
    const child = new Session({ parent: root, dispatcher });
    dispatcher.subscribe(() => root.restore(snapshot));
    child.dispatch(Tick({ n: 1 }));
    expect(errors).toEqual([expect.objectContaining({ code: "SESSION_BUSY" })]);
  });
});

describe("a clone", () => {
  it("has the same state and events and is independent afterwards (SE-15)", () => {
    const session = new Session({ id: "one", tags: { a: "b" }, slices: [Ticks] });
    session.dispatch(Tick({ n: 1 }));
    const clone = session.clone({ id: "two" });
    expect(clone.toJSON()).toEqual({
      ...session.toJSON(),
      id: "two",
      checksum: expect.any(String),
    });
    session.dispatch(Tick({ n: 2 }));
    clone.dispatch(Tick({ n: 3 }));
    clone.dispatch(Tick({ n: 4 }));
    expect(
      session
        .slice(Ticks)
        .all()
        .map((tick) => tick.n),
    ).toEqual([1, 2]);
    expect(
      clone
        .slice(Ticks)
        .all()
        .map((tick) => tick.n),
    ).toEqual([1, 3, 4]);
    expect(clone.events.map((event) => event.sequence)).toEqual([1, 2, 3]);
  });

  it("can be restored to a state before it was made, and marks the events that this rolls back (SE-15, E148)", () => {
    const session = new Session({ slices: [Ticks] });
    const start = session.snapshot();
    session.dispatch(Tick({ n: 1 }));
    const clone = session.clone();
    clone.dispatch(Tick({ n: 2 }));
    clone.restore(start);
    expect(clone.slice(Ticks).size).toBe(0);
    expect(clone.events.map((event) => event.rolledBack?.reason)).toEqual(["restored", "restored"]);
    expect(session.slice(Ticks).size).toBe(1);
    expect(session.events.at(0)?.rolledBack).toBeUndefined();
  });

  it("has the registered reducers, and later ones stay separate (SE-15)", () => {
    const Double = defineEvent("tick.double", z.null());
    const session = new Session({ slices: [Ticks] });
    session.slice(Ticks).register(Double, (items) => [...items, ...items]);
    const clone = session.clone();
    clone.slice(Ticks).register(Double, (items) => items.slice(0, 3));
    for (const each of [session, clone]) {
      each.slice(Ticks).seed([{ n: 1 }, { n: 2 }]);
      each.dispatch(Double(null));
    }
    expect([session.slice(Ticks).size, clone.slice(Ticks).size]).toEqual([4, 3]);
  });

  it("can give its state back to the original, which records it (SE-15, SE-16)", () => {
    const session = new Session({ id: "one", slices: [Ticks] });
    session.dispatch(Tick({ n: 1 }));
    const before = session.snapshot();
    const clone = session.clone({ id: "two" });
    clone.dispatch(Tick({ n: 2 }));
    session.restore(clone.snapshot(), { reason: "fork taken over" });
    expect(session.slice(Ticks).all()).toEqual([{ n: 1 }, { n: 2 }]);
    expect(
      session.events.map((event) => [event.type, event.payload, event.rolledBack?.reason]),
    ).toEqual([
      ["tick", { n: 1 }, "fork taken over"],
      ["wink.load-snapshot", { session: "two", sequence: 2 }, undefined],
    ]);
    session.restore(before);
    expect(session.slice(Ticks).all()).toEqual([{ n: 1 }]);
    expect(session.events.map((event) => event.rolledBack?.reason)).toEqual([
      undefined,
      "restored",
    ]);
  });
});
