import { describe, expect, it } from "vitest";
import { z } from "zod";
import { defineEvent, defineSlice, defineState, Session } from "../index.js";

const Kept = defineEvent("value.keep", z.unknown());
const Put = defineEvent("value.put", z.null());
const Values = defineSlice({
  name: "values",
  schema: z.unknown(),
  reducers: (on) => [on(Kept, (items, value) => [...items, value])],
});

class Point {
  readonly x = 1;
}

const circular: { self?: unknown } = {};
circular.self = circular;

function nested(depth: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < depth; level++) value = [value];
  return value;
}

const refused: readonly (readonly [string, unknown])[] = [
  ["a circular value", circular],
  ["a function", () => 1],
  ["a symbol", Symbol("x")],
  ["a BigInt", 1n],
  ["a Map", new Map([[1, 2]])],
  ["a Set", new Set([1])],
  ["a Date", new Date(0)],
  ["a RegExp", /x/],
  ["an Error", new Error("x")],
  ["a promise", Promise.resolve(1)],
  ["NaN", Number.NaN],
  ["infinity", Number.POSITIVE_INFINITY],
  ["negative zero", -0],
  ["undefined", undefined],
  ["bytes", new Uint8Array(2)],
  ["an instance of a class", new Point()],
  ["a boxed number", Object(1)],
  // biome-ignore lint/suspicious/noSparseArray: it is what the test is about.
  ["an array with a hole", [1, , 2]],
  ["an array with a property", Object.assign([1], { extra: 1 })],
  ["a symbol as a key", { [Symbol("x")]: 1 }],
  ["a hidden property", Object.defineProperty({}, "x", { value: 1, enumerable: false })],
  ["__proto__ as a key", JSON.parse('{"__proto__": {"polluted": true}}')],
  ["100,000 levels", nested(100_000)],
  ["501 levels", nested(501)],
];

describe("a value that JSON cannot represent", () => {
  it.each(refused)(
    "(%s) is rejected in a payload, with its path (E141, E142, E143, SE-9)",
    (_, value) => {
      expect(() => Kept({ list: [0, value] })).toThrow(
        expect.objectContaining({
          code: "NOT_PLAIN_DATA",
          path: expect.stringMatching(/^payload\.list\[1\]/),
        }),
      );
      expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
    },
  );

  it.each(refused)(
    "(%s) is rejected from a reducer, seed or append (E141, E142, SE-9)",
    (_, value) => {
      const Box = defineState({
        name: "box",
        schema: z.unknown(),
        initial: null as unknown,
        reducers: (on) => [on(Put, () => ({ deep: value }))],
      });
      const session = new Session({ slices: [Values, Box] });
      session.slice(Values).append("before");
      const state = JSON.stringify(session);
      const expected = expect.objectContaining({
        code: "NOT_PLAIN_DATA",
        path: expect.stringContaining(".deep"),
      });
      expect(() => session.dispatch(Put(null))).toThrow(expected);
      expect(() => session.slice(Values).append({ deep: value })).toThrow(expected);
      expect(() => session.slice(Box).seed({ deep: value })).toThrow(expected);
      expect(() => session.dispatch(Kept(1), { meta: { deep: value } })).toThrow(expected);
      expect(JSON.stringify(session)).toBe(state);
      expect(session.events.length).toBe(1);
    },
  );

  it("cannot be built level by level either (E142, SE-9)", () => {
    const Box = defineState({
      name: "deepening",
      schema: z.unknown(),
      initial: 1 as unknown,
      reducers: (on) => [on(Put, (value) => [value])],
    });
    const session = new Session({ slices: [Box] });
    const deepen = () => {
      for (let level = 0; level < 1000; level++) session.dispatch(Put(null));
    };
    expect(deepen).toThrow(expect.objectContaining({ code: "NOT_PLAIN_DATA" }));
    expect(session.events.length).toBe(500);
    const copy = Session.fromSnapshot(JSON.stringify(session), { slices: [Box] });
    expect(copy.toJSON()).toEqual(session.toJSON());
  });

  it("cannot be built by doubling either (E142, SE-9)", () => {
    const Box = defineState({
      name: "doubling",
      schema: z.unknown(),
      initial: 1 as unknown,
      reducers: (on) => [on(Put, (value) => [value, value])],
    });
    const session = new Session({ slices: [Box] });
    const double = () => {
      for (let level = 0; level < 100; level++) session.dispatch(Put(null));
    };
    expect(double).toThrow(/more than 10000000 parts/);
  });
});

describe("a value that JSON can represent", () => {
  it.each([
    ["keys that name parts of prototypes (E143)", { constructor: 1, prototype: { toString: 2 } }],
    ["lone surrogates (E144)", { "\ud800": "\udc00 and \ud83d", fine: "\u{1f600}" }],
    ["an empty key and odd ones", { "": 1, "a b": 2, "\u2028": 3 }],
    ["numbers at the edges", [0, 1e21, 5e-324, Number.MAX_SAFE_INTEGER, 0.1]],
    ["500 levels", nested(499)],
    ["an object without a prototype", Object.assign(Object.create(null), { a: 1 })],
  ])("survives a round trip through a session and its JSON: %s (SE-9, SE-20)", (_, value) => {
    const session = new Session({ slices: [Values] });
    session.dispatch(Kept(value));
    const copy = Session.fromSnapshot(JSON.stringify(session), { slices: [Values] });
    expect(copy.slice(Values).all()).toEqual([value]);
    expect(JSON.stringify(copy)).toBe(JSON.stringify(session));
  });
});

it("a reducer that mutates its input fails and changes nothing (E140, SE-9)", () => {
  const Items = defineSlice({
    name: "mutated",
    schema: z.object({ list: z.array(z.number()) }),
    reducers: (on) => [
      on(Put, (items) => {
        items[0]?.list.push(4);
        return items;
      }),
    ],
  });
  const session = new Session({ slices: [Items] });
  session.slice(Items).append({ list: [1] });
  expect(() => session.dispatch(Put(null))).toThrow(
    expect.objectContaining({ code: "REDUCER_FAILED", cause: expect.any(TypeError) }),
  );
  expect(session.slice(Items).all()).toEqual([{ list: [1] }]);
  expect(Object.isFrozen(session.slice(Items).all())).toBe(true);
});
