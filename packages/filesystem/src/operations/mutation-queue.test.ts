import { expect, it } from "vitest";
import { MutationQueue } from "./mutation-queue.js";

const turns = async (count: number) => {
  for (let turn = 0; turn < count; turn++) await Promise.resolve();
};

it("MutationQueue runs changes one at a time, in the order of the calls (FS-71)", async () => {
  const queue = new MutationQueue();
  const log: string[] = [];
  const change = (name: string, length: number) =>
    queue.run(async () => {
      log.push(`${name} starts`);
      await turns(length);
      log.push(`${name} ends`);
      return name;
    });
  const results = await Promise.all([change("long", 50), change("short", 1), change("none", 0)]);
  expect(results).toEqual(["long", "short", "none"]);
  expect(log).toEqual([
    "long starts",
    "long ends",
    "short starts",
    "short ends",
    "none starts",
    "none ends",
  ]);
});

it("MutationQueue starts a change immediately when it is empty, also right after another change (FS-71)", async () => {
  const queue = new MutationQueue();
  let started = 0;
  const start = async () => {
    started++;
  };
  const first = queue.run(start);
  expect(started).toBe(1);
  await first;
  const second = queue.run(start);
  expect(started).toBe(2);
  await second;
});

it("MutationQueue continues after a failure, and only the caller receives the error (FS-72)", async () => {
  const queue = new MutationQueue();
  const failed = queue.run(async () => {
    throw new Error("no");
  });
  const next = queue.run(async () => "yes");
  await expect(failed).rejects.toThrow("no");
  expect(await next).toBe("yes");
});

it("MutationQueue keeps the order, however changes arrive (FS-71)", async () => {
  const queue = new MutationQueue();
  let running = 0;
  let most = 0;
  const order: number[] = [];
  const work: Promise<void>[] = [];
  for (let index = 0; index < 500; index++) {
    work.push(
      queue.run(async () => {
        most = Math.max(most, ++running);
        await turns(index % 7);
        order.push(index);
        running--;
      }),
    );
    if (index % 5 === 0) await turns(index % 11);
  }
  await Promise.all(work);
  expect(most).toBe(1);
  expect(order).toEqual(Array.from({ length: 500 }, (_, index) => index));
});

it("MutationQueue runs reads concurrently with each other, never with a change (FS-71)", async () => {
  const queue = new MutationQueue();
  let looking = 0;
  let changing = 0;
  let mostLooks = 0;
  const met: string[] = [];
  const work: Promise<void>[] = [];
  for (let index = 0; index < 600; index++) {
    const isChange = index % 5 === 0;
    const body = async () => {
      if (changing > 0 || (isChange && looking > 0)) met.push(`${index}`);
      if (isChange) changing++;
      else mostLooks = Math.max(mostLooks, ++looking);
      await turns((index * 7) % 13);
      if (isChange) changing--;
      else looking--;
    };
    work.push(isChange ? queue.run(body) : queue.share(body));
    if (index % 11 === 0) await turns(index % 17);
  }
  await Promise.all(work);
  expect(met).toEqual([]);
  expect(mostLooks).toBeGreaterThan(1);
});

it("a read sees the changes queued before it and none queued after it (FS-71)", async () => {
  const queue = new MutationQueue();
  let value = 0;
  const change = () =>
    queue.run(async () => {
      await turns(5);
      value++;
    });
  const look = () =>
    queue.share(async () => {
      await turns(3);
      return value;
    });
  const seen = [look(), change(), look(), look(), change(), look()];
  expect(await Promise.all(seen)).toEqual([0, undefined, 1, 1, undefined, 2]);
});

it("MutationQueue runs a change after a failed read (FS-72)", async () => {
  const queue = new MutationQueue();
  const failed = queue.share(async () => {
    await turns(2);
    throw new Error("no");
  });
  const next = queue.run(async () => "yes");
  await expect(failed).rejects.toThrow("no");
  expect(await next).toBe("yes");
});
