import { describe, expect, it } from "vitest";
import { z } from "zod";
import { defineSlice, defineState, isSessionError, Session } from "../index.js";

const Items = defineSlice({
  name: "items",
  schema: z.object({ id: z.number(), text: z.string(), more: z.record(z.string(), z.unknown()) }),
});
const Box = defineState({ name: "box", schema: z.unknown(), initial: null as unknown });

function setup() {
  const session = new Session({ id: "s", tags: { a: "b" }, slices: [Items, Box] });
  session
    .slice(Items)
    .append({ id: 1, text: 'quote " and \\ é 😀', more: { x: [1, { y: null }] } });
  session.slice(Box).seed({ deep: [[[1.5e300]]] });
  return session;
}

const text = JSON.stringify(setup());

/** The session's JSON and the length of its trail. A rejected restore must not change them. */
function mark(session: Session): string {
  return `${JSON.stringify(session)} ${session.events.length}`;
}

function expectRefused(source: unknown, session: Session, before: string): void {
  for (const read of [
    () => session.restore(source),
    () => Session.fromSnapshot(source, { slices: [Items, Box] }),
  ]) {
    try {
      read();
    } catch (error) {
      if (!isSessionError(error))
        throw new Error(`not a typed error for ${String(source)}`, { cause: error });
      continue;
    }
    throw new Error(`this was read: ${String(source)}`);
  }
  if (mark(session) !== before) throw new Error(`this changed the session: ${String(source)}`);
}

describe("damaged JSON is a typed error and changes nothing", () => {
  it("when it is cut at any byte (E145, SE-23)", () => {
    const session = setup();
    const before = mark(session);
    const bytes = Buffer.from(text);
    for (let length = 0; length < bytes.length; length++)
      expectRefused(bytes.subarray(0, length).toString("latin1"), session, before);
  });

  it("when any single bit is flipped, unless the meaning stays the same (E145, SE-23)", () => {
    const session = setup();
    const before = mark(session);
    const bytes = Buffer.from(text, "utf8");
    let same = 0;
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const flipped = Buffer.from(bytes);
      flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      const damaged = flipped.toString("utf8");
      if (sameMeaning(damaged)) same++;
      else expectRefused(damaged, session, before);
    }
    expect(same).toBeLessThan(10);
  });

  it.each([
    ["empty", ""],
    ["null", "null"],
    ["an array", "[]"],
    ["a number", "1"],
    ["a string", '"x"'],
    ["with a byte order mark", `\ufeff${text}`],
    ["with garbage after it", `${text}x`],
    ["twice", text + text],
    ["with a key twice", text.replace('"id":"s"', '"id":"s","id":"s"')],
    ["with a key twice, once escaped", text.replace('"id":"s"', '"id":"s","\\u0069d":"s"')],
    ["with a key twice deep inside", text.replace('"id":1', '"id":1,"id":1')],
    ["with __proto__ at the top", text.replace('"id":"s"', '"id":"s","__proto__":{"polluted":1}')],
    ["with __proto__ among the slices", text.replace('"box"', '"__proto__"')],
    ["with __proto__ in a value", text.replace('"deep"', '"__proto__"')],
    ["with __proto__ escaped", text.replace('"deep"', '"\\u005f_proto__"')],
    [
      "with constructor.prototype as an unknown key",
      text.replace('"id":"s"', '"id":"s","constructor":{"prototype":{"polluted":1}}'),
    ],
    [
      "with 100,000 levels",
      text.replace("1.5e+300", `${"[".repeat(100_000)}${"]".repeat(100_000)}`),
    ],
    ["with 100,000 unclosed levels", "[".repeat(100_000)],
    ["with 100,000 nested objects", '{"a":'.repeat(100_000)],
    ["with a number that is too large", text.replace("1.5e+300", "1e999")],
    ["with negative zero", text.replace("1.5e+300", "-0")],
    ["with an edited value", text.replace('"id":1', '"id":2')],
  ])("when it is %s (E142, E143, E145, SE-23)", (_, damaged) => {
    expect(damaged).not.toBe(text);
    const session = setup();
    expectRefused(damaged, session, mark(session));
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  it("when it is an object that does not come from JSON (E145, SE-23)", () => {
    const session = setup();
    const before = mark(session);
    const json = session.toJSON();
    const trap = new Proxy(json, {
      get: () => {
        throw new Error("trap");
      },
    });
    const circular: Record<string, unknown> = { ...json };
    circular["slices"] = { box: { version: 1, items: [circular] } };
    let deep: unknown = 1;
    for (let level = 0; level < 100_000; level++) deep = { deep };
    for (const source of [
      trap,
      circular,
      { ...json, slices: { box: { version: 1, items: [deep] } } },
      { ...json, slices: { box: { version: 1, items: [new Map()] } } },
      { ...json, slices: { box: { version: 1, items: [1, 2] } }, checksum: undefined },
      { ...json, sequence: -1 },
      { ...json, tags: { a: 1 } },
      { ...json, id: 7 },
    ])
      expectRefused(source, session, before);
  });
});

it("a hand-written snapshot needs no checksum (SE-20)", () => {
  const session = Session.fromSnapshot(
    {
      format: "wink.session-snapshot",
      version: 1,
      id: "by-hand",
      tags: {},
      sequence: 0,
      slices: { box: { version: 1, items: ["x"] } },
    },
    { slices: [Box] },
  );
  expect(session.state(Box)).toBe("x");
});

describe("10,000 mutated snapshots", () => {
  it("are read as the same state or rejected completely, and no prototype changes (E145, SE-23)", () => {
    const prototypes = () =>
      [Object.prototype, Array.prototype].map((each) => Reflect.ownKeys(each).length);
    const keysBefore = prototypes();
    const session = setup();
    const before = mark(session);
    const random = createRandom(42);
    for (let round = 0; round < 10_000; round++) {
      const damaged = mutate(text, random);
      if (!sameMeaning(damaged)) expectRefused(damaged, session, before);
    }
    expect(prototypes()).toEqual(keysBefore);
  });
});

/** Whether it parses to the same value as the original. The checksum covers the meaning, not the spelling. */
function sameMeaning(damaged: string): boolean {
  try {
    return JSON.stringify(JSON.parse(damaged)) === text;
  } catch {
    return false;
  }
}

function createRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

function mutate(original: string, random: (below: number) => number): string {
  let mutated = original;
  const pieces = [
    '"__proto__":',
    "{",
    "}",
    "[",
    "]",
    ",",
    "null",
    "-",
    "e9",
    '"',
    "\\",
    "\0",
    "1",
    "true",
  ];
  for (let count = 1 + random(3); count > 0; count--) {
    const at = random(mutated.length);
    const length = random(6);
    const from = random(mutated.length);
    const insert = [
      pieces[random(pieces.length)] ?? "",
      mutated.slice(from, from + random(20)),
      String.fromCharCode(random(0x10000)),
      "",
    ][random(4)];
    mutated = mutated.slice(0, at) + insert + mutated.slice(at + length);
  }
  return mutated;
}
