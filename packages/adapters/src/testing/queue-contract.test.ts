import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { InMemoryRequestQueue } from "../worker/in-memory-request-queue.js";
import type { RequestQueue } from "../worker/request-queue.js";
import { type QueueFactory, queueContract } from "./queue-contract.js";

/** The titles of the cases that fail for a queue. */
async function failuresOf(factory: QueueFactory): Promise<readonly string[]> {
  const cases: { readonly name: string; readonly run: () => Promise<void> }[] = [];
  queueContract("mine", factory, {
    runner: { describe: (_, body) => body(), it: (name, run) => cases.push({ name, run }) },
  });
  const failed: string[] = [];
  for (const { name, run } of cases) await run().catch(() => failed.push(name));
  return failed;
}

function flawed(replace: (queue: RequestQueue) => Partial<RequestQueue>): QueueFactory {
  return (options) => {
    const queue = new InMemoryRequestQueue(options);
    const replaced = replace(queue);
    return new Proxy<RequestQueue>(queue, {
      get(target, name) {
        const from = Object.hasOwn(replaced, name) ? replaced : target;
        const member: unknown = Reflect.get(from, name);
        return typeof member === "function" ? member.bind(target) : member;
      },
    });
  };
}

it.each<[string, (queue: RequestQueue) => Partial<RequestQueue>]>([
  ["renews lost leases", () => ({ renew: async () => true })],
  ["ignores priorities", (queue) => ({ add: ({ priority: _, ...it }) => queue.add(it) })],
  ["ignores keys", (queue) => ({ add: ({ key: _, ...request }) => queue.add(request) })],
  ["never waits", (queue) => ({ take: (leaseMs) => queue.take(leaseMs) })],
  ["drops nothing", () => ({ drop: async () => false })],
  [
    "ends lost leases",
    (queue) => ({ end: (lease, ending) => queue.end(lease, ending).then(() => true) }),
  ],
  [
    "counts every attempt",
    (queue) => ({
      end: (lease, ending) =>
        queue.end(lease, ending.kind === "again" ? { ...ending, counted: true } : ending),
    }),
  ],
  ["ignores delays", (queue) => ({ add: ({ delayMs: _, ...request }) => queue.add(request) })],
  ["forgets limits", (queue) => ({ add: ({ budget: _, ...request }) => queue.add(request) })],
  [
    "accepts an id twice",
    (queue) => ({ add: ({ requestId: _, ...request }) => queue.add(request) }),
  ],
  ["hides dead letters", () => ({ deadLetters: async () => [] })],
  ["never ends a lease", (queue) => ({ take: () => queue.take(1e12) })],
])("the contract fails for a queue that %s (AD-35)", async (_, replace) => {
  expect(await failuresOf(flawed(replace))).not.toEqual([]);
});

it("the contract cleans up every queue after its case, also if the case fails (AD-35)", async () => {
  let open = 0;
  const cases: (() => Promise<void>)[] = [];
  const broken: QueueFactory = (options) => {
    open++;
    return Object.assign(new InMemoryRequestQueue(options), { take: async () => undefined });
  };
  queueContract("mine", broken, {
    cleanup: () => void open--,
    runner: { describe: (__, body) => body(), it: (___, run) => cases.push(run) },
  });
  const results = await Promise.allSettled(cases.map((run) => run()));
  expect(results.some(({ status }) => status === "rejected")).toBe(true);
  expect(open).toBe(0);
});

it("the contract refuses wrong arguments (AD-35)", () => {
  const memory = () => new InMemoryRequestQueue();
  expect(() => queueContract("mine", memory, { clock: "owm" as "own" })).toThrow(
    "clock: unknown value 'owm'. Did you mean 'own'?",
  );
});

it("the contract leaves out keys for a queue that does not have them (AD-110)", async () => {
  const titles: string[] = [];
  const runner = {
    describe: (_: string, body: () => void) => body(),
    it: (title: string) => titles.push(title),
  };
  queueContract("mine", () => new InMemoryRequestQueue(), { keys: false, runner });
  expect(titles).toHaveLength(21);
  expect(titles.some((title) => title.includes("same key"))).toBe(false);
});

it("the contract runs under node:test (AD-35)", () => {
  const program = fileURLToPath(
    new URL("../../dist/testing/queue-contract.test.program.js", import.meta.url),
  );
  const output = execFileSync(process.execPath, ["--test-reporter", "tap", program], {
    encoding: "utf8",
    env: { ...process.env, NODE_TEST_CONTEXT: undefined, NODE_OPTIONS: "" },
  });
  expect(output).toContain("# fail 0");
  expect(output).toContain("ok 1 - memory fulfils the queue contract");
  expect(output).toContain("# tests 22");
});
