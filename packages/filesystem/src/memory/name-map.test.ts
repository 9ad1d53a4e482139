import { describe, expect, it } from "vitest";
import { Random } from "../testing/differential/random.test.support.js";
import { NameMap } from "./name-map.js";

function entries<Value>(map: NameMap<Value>): readonly (readonly [string, Value])[] {
  const all: (readonly [string, Value])[] = [];
  map.forEach((value, name) => {
    all.push([name, value]);
  });
  return all;
}

function sorted<Value>(map: ReadonlyMap<string, Value>): readonly (readonly [string, Value])[] {
  return [...map].sort(([a], [b]) => (a < b ? -1 : 1));
}

interface Version {
  readonly map: NameMap<number>;
  readonly model: Map<string, number>;
}

describe("NameMap", () => {
  it.each([1, 2, 3, 4, 5])(
    "behaves like a sorted Map, and its old versions never change (FS-78) with seed %i",
    (seed) => {
      const random = new Random(seed);
      // Few names cause many collisions, many names cause many chunks.
      const names = Array.from({ length: seed % 2 ? 40 : 2_000 }, () =>
        random.below(1e6).toString(36),
      );
      let owner = 1;
      let current: Version = { map: new NameMap(owner), model: new Map() };
      const kept: { readonly version: Version; readonly entries: string }[] = [];
      for (let step = 0; step < 20_000; step++) {
        const name = random.pick(names);
        if (random.chance(0.002)) {
          kept.push({ version: current, entries: JSON.stringify(sorted(current.model)) });
          const base = random.chance(0.3) ? random.pick(kept).version : current;
          current = { map: base.map.copyFor(++owner), model: new Map(base.model) };
        } else if (random.chance(0.35)) {
          current.map.delete(name);
          current.model.delete(name);
        } else {
          current.map.set(name, step);
          current.model.set(name, step);
        }
        const probe = random.pick(names);
        expect(current.map.get(probe)).toBe(current.model.get(probe));
        expect(current.map.size).toBe(current.model.size);
      }
      expect(entries(current.map)).toEqual(sorted(current.model));
      expect(kept.length).toBeGreaterThan(10);
      for (const each of kept) expect(JSON.stringify(entries(each.version.map))).toBe(each.entries);
    },
  );

  it("works the same when filled in order or backwards (FS-78)", () => {
    const names = Array.from({ length: 1_000 }, (_, index) => String(index).padStart(4, "0"));
    for (const order of [names, [...names].reverse()]) {
      const map = new NameMap<string>(1);
      for (const name of order) map.set(name, name);
      expect(entries(map).map(([name]) => name)).toEqual(names);
      for (const name of order) map.delete(name);
      expect([map.size, entries(map)]).toEqual([0, []]);
      map.set("again", "again");
      expect(map.get("again")).toBe("again");
    }
  });

  it("contains no inherited object properties (A24)", () => {
    const map = new NameMap<number>(1);
    expect([map.get("constructor"), map.get("__proto__")]).toEqual([undefined, undefined]);
    map.set("__proto__", 1);
    expect(entries(map)).toEqual([["__proto__", 1]]);
  });
});
