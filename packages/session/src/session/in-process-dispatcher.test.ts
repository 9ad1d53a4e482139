import { describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { appendAll, defineEvent, defineSlice, InProcessDispatcher, Session } from "../index.js";

const Tick = defineEvent("tick", z.object({ n: z.number() }));
const Tock = defineEvent("tock", z.object({ n: z.number() }));
const Ticks = defineSlice({
  name: "ticks",
  schema: Tick.schema,
  reducers: (on) => [on(Tick, appendAll), on(Tock, appendAll)],
});

function setup(maxChainedEvents?: number) {
  const errors: unknown[] = [];
  const seen: string[] = [];
  const dispatcher = new InProcessDispatcher({ onError: (error) => errors.push(error) });
  const session = new Session({
    dispatcher,
    slices: [Ticks],
    ...(maxChainedEvents === undefined ? {} : { maxChainedEvents }),
  });
  return { errors, seen, dispatcher, session };
}

describe("an observer", () => {
  it("is called after the state has changed, for its type or for all types (SE-12)", () => {
    const { dispatcher, session, seen } = setup();
    dispatcher.subscribe(Tick, (event, from) => {
      seen.push(`tick ${event.payload.n} of ${from.slice(Ticks).size}`);
    });
    dispatcher.subscribe((event) => seen.push(`all ${event.type}`));
    session.dispatch(Tick({ n: 1 }));
    session.dispatch(Tock({ n: 2 }));
    expect(seen).toEqual(["tick 1 of 1", "all tick", "all tock"]);
  });

  it("that throws affects neither the others nor the session (E139, SE-12)", async () => {
    const { dispatcher, session, seen, errors } = setup();
    dispatcher.subscribe(() => {
      throw new Error("sync");
    });
    dispatcher.subscribe(async () => {
      throw new Error("async");
    });
    dispatcher.subscribe((event) => seen.push(event.type));
    expect(session.dispatch(Tick({ n: 1 })).sequence).toBe(1);
    await Promise.resolve();
    expect(seen).toEqual(["tick"]);
    expect(errors).toEqual([new Error("sync"), new Error("async")]);
  });

  it("has its error printed when the error handler throws too (E139, SE-12)", () => {
    const print = vi.spyOn(console, "error").mockImplementation(() => {});
    const dispatcher = new InProcessDispatcher({
      onError: () => {
        throw new Error("handler");
      },
    });
    dispatcher.subscribe(() => {
      throw new Error("observer");
    });
    new Session({ dispatcher }).dispatch(Tick({ n: 1 }));
    expect(print).toHaveBeenCalledTimes(1);
    print.mockRestore();
  });

  it("that unsubscribes itself or another during a delivery affects no other observer (E139, SE-12)", () => {
    const { dispatcher, session, seen } = setup();
    const endFirst = dispatcher.subscribe(() => {
      seen.push("first");
      endFirst();
      endThird();
      dispatcher.subscribe(() => seen.push("new"));
    });
    dispatcher.subscribe(() => seen.push("second"));
    const endThird = dispatcher.subscribe(() => seen.push("third"));
    dispatcher.subscribe(() => seen.push("fourth"));
    session.dispatch(Tick({ n: 1 }));
    expect(seen).toEqual(["first", "second", "fourth"]);
    session.dispatch(Tick({ n: 2 }));
    expect(seen.slice(3)).toEqual(["second", "fourth", "new"]);
  });

  it("that is slow does not change the order of events for the others (E139, SE-12)", async () => {
    const { dispatcher, session, seen } = setup();
    dispatcher.subscribe(async (event) => {
      await new Promise((resolve) => setTimeout(resolve, 5));
      seen.push(`slow ${event.sequence}`);
    });
    dispatcher.subscribe((event) => seen.push(`fast ${event.sequence}`));
    session.dispatch(Tick({ n: 1 }));
    session.dispatch(Tick({ n: 2 }));
    await vi.waitFor(() => expect(seen.length).toBe(4), { timeout: 60_000 });
    expect(seen).toEqual(["fast 1", "fast 2", "slow 1", "slow 2"]);
  });

  it("that dispatches changes the state immediately, and all observers receive the events in order (SE-12)", () => {
    const { dispatcher, session, seen } = setup();
    dispatcher.subscribe(Tick, ({ payload }) => {
      if (payload.n < 3) session.dispatch(Tick({ n: payload.n + 1 }));
      seen.push(`a${payload.n} sees ${session.slice(Ticks).size}`);
    });
    dispatcher.subscribe(Tick, ({ payload }) => seen.push(`b${payload.n}`));
    session.dispatch(Tick({ n: 1 }));
    expect(seen).toEqual(["a1 sees 2", "b1", "a2 sees 3", "b2", "a3 sees 3", "b3"]);
  });

  it("may take a snapshot but must not restore one (E147, SE-18)", () => {
    const { dispatcher, session, errors } = setup();
    dispatcher.subscribe(() => session.restore(session.snapshot()));
    session.dispatch(Tick({ n: 1 }));
    expect(errors).toEqual([expect.objectContaining({ code: "SESSION_BUSY" })]);
  });
});

describe("an endless chain of observers", () => {
  it.each([1, 2])(
    "stops at the limit when each dispatches %i, and the caller gets an error (E137, SE-13)",
    (fan) => {
      const { dispatcher, session, errors } = setup(50);
      dispatcher.subscribe(Tick, () => {
        for (let i = 0; i < fan; i++) session.dispatch(Tick({ n: i }));
      });
      expect(() => session.dispatch(Tick({ n: 0 }))).toThrow(
        expect.objectContaining({ code: "EVENT_STORM" }),
      );
      expect(session.slice(Ticks).size).toBe(51);
      expect(errors.length).toBeGreaterThan(0);
      session.dispatch(Tock({ n: 1 }));
      expect(session.slice(Ticks).size).toBe(52);
    },
  );

  it("stops at 1,000 events by default (E137, SE-13)", () => {
    const { dispatcher, session } = setup();
    dispatcher.subscribe(Tick, () => session.dispatch(Tick({ n: 0 })));
    expect(() => session.dispatch(Tick({ n: 0 }))).toThrow(/more than 1000 events/);
    expect(session.events.length).toBe(1001);
  });
});

it("an error of a custom dispatcher is printed and otherwise ignored (SE-12)", () => {
  const print = vi.spyOn(console, "error").mockImplementation(() => {});
  const session = new Session({
    dispatcher: {
      publish() {
        throw new Error("broken");
      },
    },
  });
  expect(session.dispatch(Tick({ n: 1 })).sequence).toBe(1);
  expect(print).toHaveBeenCalledTimes(1);
  print.mockRestore();
});
