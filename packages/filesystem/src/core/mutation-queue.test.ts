import { expect, it } from "vitest";
import { mutationQueue } from "./mutation-queue.js";

const turns = async (count: number) => {
  for (let turn = 0; turn < count; turn++) await Promise.resolve();
};

it("runs changes one at a time, in the order they came (FS-71)", async () => {
  const queue = mutationQueue();
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

it("starts at once when nobody is before it, also right after another (FS-71)", async () => {
  const queue = mutationQueue();
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

it("goes on after a failure, of which only its caller hears (FS-72)", async () => {
  const queue = mutationQueue();
  const failed = queue.run(async () => {
    throw new Error("no");
  });
  const next = queue.run(async () => "yes");
  await expect(failed).rejects.toThrow("no");
  expect(await next).toBe("yes");
});

it("lets nothing overtake however changes come in (FS-71)", async () => {
  const queue = mutationQueue();
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
