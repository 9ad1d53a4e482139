import { describe, expect, it } from "vitest";
import { ItemList } from "./item-list.js";

const numbers = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => from + index);

describe("diverging versions of a list", () => {
  it.each([0, 1, 5, 1023, 1024, 1025, 2048, 5000])(
    "never contain each other's items, at %i items (SE-16)",
    (size) => {
      const base = ItemList.of(numbers(0, size));
      const one = base.append([1001]);
      const two = base.append([2001, 2002]);
      const three = one.append(numbers(0, 1500));
      const four = base.append([4001]);
      expect(base.toArray()).toEqual(numbers(0, size));
      expect(one.toArray()).toEqual([...numbers(0, size), 1001]);
      expect(two.toArray()).toEqual([...numbers(0, size), 2001, 2002]);
      expect(three.toArray()).toEqual([...numbers(0, size), 1001, ...numbers(0, 1500)]);
      expect(four.toArray()).toEqual([...numbers(0, size), 4001]);
      expect([...three]).toEqual(three.toArray());
    },
  );

  it.each([1, 1024, 1025, 3000])(
    "can replace an item in one version only, at %i items (SE-16)",
    (size) => {
      const base = ItemList.of(numbers(0, size));
      const changed = base.with(size - 1, -1);
      const grown = changed.append([-2]);
      const other = base.append([-3]);
      expect(base.toArray()).toEqual(numbers(0, size));
      expect(changed.toArray()).toEqual([...numbers(0, size - 1), -1]);
      expect(grown.toArray()).toEqual([...numbers(0, size - 1), -1, -2]);
      expect(other.toArray()).toEqual([...numbers(0, size), -3]);
    },
  );

  it("equal arrays over random histories (SE-16)", () => {
    let seed = 7;
    const random = (below: number) => {
      seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
      return (seed >>> 8) % below;
    };
    const versions: { list: ItemList<number>; array: readonly number[] }[] = [
      { list: ItemList.empty(), array: [] },
    ];
    for (let step = 0; step < 1000; step++) {
      const { list, array } = versions[random(versions.length)] ?? {
        list: ItemList.empty(),
        array: [],
      };
      const index = random(Math.max(1, array.length));
      const added = numbers(step, step + random(700));
      const next =
        random(4) === 0 && array.length > 0
          ? { list: list.with(index, -step), array: array.with(index, -step) }
          : { list: list.append(added), array: [...array, ...added] };
      if (versions.length < 40) versions.push(next);
      else
        versions[random(40)] =
          next.array.length > 20_000 ? { list: ItemList.empty(), array: [] } : next;
    }
    for (const { list, array } of versions) {
      expect(list.toArray()).toEqual(array);
      expect(list.at(-1)).toBe(array.at(-1));
      expect(list.at(array.length)).toBeUndefined();
    }
  });
});
