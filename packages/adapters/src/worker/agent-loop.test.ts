import { MarkdownSection, Prompt, PromptError, PromptTemplate } from "@wink/prompt";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { AdapterError } from "../error/adapter-error.js";
import { ModelError } from "../error/model-error.js";
import { gate, never } from "../runtime/call/agent.test.support.js";
import { PromptExecuted } from "../runtime/context/run-events.js";
import { ScriptedAdapter, type ScriptedAdapterOptions } from "../scripted/scripted-adapter.js";
import { ManualClock } from "../testing.js";
import { AgentLoop } from "./agent-loop.js";
import type { AgentLoopEvent, AgentLoopOptions } from "./agent-loop-options.js";
import { systemClock } from "./clock.js";
import { evaluateRequests } from "./evaluate-requests.js";
import { InMemoryRequestQueue } from "./in-memory-request-queue.js";
import type { RequestHandler } from "./request-handler.js";
import type { NewRequest, RequestReply } from "./request-queue.js";

const PATIENCE = { timeout: 30_000 };

function fails(): never {
  throw new Error("as planned");
}

/** Starts a loop with a manual clock. */
function setup(
  handler: RequestHandler<string>,
  options: Partial<AgentLoopOptions<string>> = {},
  clock = new ManualClock(1_000_000),
) {
  const queue = new InMemoryRequestQueue<string>({ clock });
  const events: string[] = [];
  const errors: unknown[] = [];
  const loop = new AgentLoop<string>({
    ...{ queue, handler, clock },
    backOff: { random: () => 1 },
    onEvent: (event) => events.push(described(event)),
    onError: (error) => errors.push(error),
    ...options,
  });
  const running = loop.run();
  onTestFinished(async () => {
    await loop.close({ graceMs: 0 });
    await running;
  });
  const add = (body: string, request: Partial<NewRequest<string>> = {}) =>
    queue.add({ requestId: body, body, ...request });
  /** Waits until the loop has reported exactly these events. */
  const reported = (...expected: readonly string[]) =>
    vi.waitFor(() => expect(events).toEqual(expected), PATIENCE);
  return { queue, clock, loop, running, events, errors, add, reported };
}

function described(event: AgentLoopEvent): string {
  const more = event.type === "retried" ? event.delayMs : event.type === "buried" && event.reason;
  return [event.requestId, event.type, event.attempt, more].filter(Boolean).join(" ");
}

describe("a request", () => {
  it("is processed when it arrives, and removed when it is done (AD-35)", async () => {
    const seen: string[] = [];
    const { add, reported, queue } = setup(async ({ body }) => seen.push(body));
    await add("a");
    await reported("a started 1", "a finished 1");
    await add("b");
    await reported("a started 1", "a finished 1", "b started 1", "b finished 1");
    expect(seen).toEqual(["a", "b"]);
    expect(await queue.counts()).toMatchObject({ waiting: 0, leased: 0, dead: 0 });
  });

  it("is processed concurrently with others, up to the limit (AD-35)", async () => {
    const gates = [gate(), gate(), gate()];
    let most = 0;
    let now = 0;
    const { add, reported, events } = setup(
      async ({ body }) => {
        most = Math.max(most, ++now);
        await gates[Number(body)]?.promise;
        now--;
      },
      { concurrency: 2 },
    );
    for (const body of ["0", "1", "2"]) await add(body);
    await reported("0 started 1", "1 started 1");
    gates[1]?.open();
    await vi.waitFor(() => expect(events).toContain("2 started 1"), PATIENCE);
    gates[0]?.open();
    gates[2]?.open();
    await vi.waitFor(() => expect(events).toContain("2 finished 1"), PATIENCE);
    expect(most).toBe(2);
  });

  it("is retried after doubling delays, and becomes a dead letter in the end (AD-37)", async () => {
    const { add, reported, clock, queue } = setup(() => Promise.reject(new TypeError("no luck")), {
      maxAttempts: 3,
      waitMs: 100,
    });
    await add("a");
    await reported("a started 1", "a retried 1 1000");
    await clock.advance(999);
    await reported("a started 1", "a retried 1 1000");
    await clock.advance(101);
    await reported("a started 1", "a retried 1 1000", "a started 2", "a retried 2 2000");
    await clock.advance(2_100);
    await vi.waitFor(async () => expect(await queue.deadLetters()).toHaveLength(1), PATIENCE);
    expect(await queue.deadLetters()).toMatchObject([
      { request: { requestId: "a", attempt: 3 }, reason: "failed", message: "TypeError: no luck" },
    ]);
    expect(await queue.counts()).toMatchObject({ waiting: 0, leased: 0, dead: 1 });
  });

  it("can be requeued as a dead letter and then succeed (AD-37)", async () => {
    let isBroken = true;
    const { add, reported, queue } = setup(
      async () => {
        if (isBroken) throw new Error("broken");
      },
      { maxAttempts: 1 },
    );
    await add("a");
    await reported("a started 1", "a buried 1 failed");
    isBroken = false;
    expect(await queue.requeue("a")).toBe(true);
    await reported("a started 1", "a buried 1 failed", "a started 1", "a finished 1");
  });

  it.each([
    ["a ModelError", new ModelError("UNAUTHORIZED"), {}],
    [
      "wrong parameters",
      new PromptError("PARAMS_INVALID", "section 'task'", "word is missing"),
      {},
    ],
    ["a wrong argument", new AdapterError("ARGUMENT_INVALID", { subject: "params" }), {}],
    ["isRetried", new Error("final"), { isRetried: () => false }],
  ])(
    "becomes a dead letter immediately when %s excludes a retry (AD-37)",
    async (_, error, options) => {
      const { add, reported } = setup(() => Promise.reject(error), options);
      await add("a");
      await reported("a started 1", "a buried 1 failed");
    },
  );

  it("becomes a dead letter when its deadline passes, before or during the work (AD-37)", async () => {
    const signals: AbortSignal[] = [];
    const { add, reported, clock, queue } = setup((_, { signal, deadline }) => {
      expect(deadline?.remainingMs()).toBe(500);
      signals.push(signal);
      return never();
    });
    await add("late", { deadlineAtMs: clock.now() - 1 });
    await reported("late buried 1 deadline");
    await add("slow", { deadlineAtMs: clock.now() + 500 });
    await reported("late buried 1 deadline", "slow started 1");
    expect(signals[0]?.aborted).toBe(false);
    await clock.advance(500);
    await reported("late buried 1 deadline", "slow started 1", "slow buried 1 deadline");
    expect(signals[0]?.aborted).toBe(true);
    expect((await queue.deadLetters()).map(({ message }) => message)).toEqual([
      "no worker started the request before its deadline",
      "Error: the deadline has passed",
    ]);
  });

  it("shares one budget among all its attempts (AD-37)", async () => {
    const left: unknown[] = [];
    const { add, reported, clock, queue } = setup(async (_, { budget }) => {
      left.push(budget?.remaining().tokens);
      budget?.spend({ tokens: 4 });
      throw new Error("again");
    });
    await add("a", { budget: { tokens: 10 } });
    await reported("a started 1", "a retried 1 1000");
    await vi.waitFor(async () => {
      await clock.advance(1_000);
      expect(await queue.deadLetters()).toHaveLength(1);
    }, PATIENCE);
    expect(left).toEqual([10, 6, 2]);
    expect(await queue.deadLetters()).toMatchObject([
      { reason: "budget", request: { attempt: 3, spent: { tokens: 12 } } },
    ]);
    await queue.requeue("a");
    await vi.waitFor(async () => expect(await queue.deadLetters()).toHaveLength(1), PATIENCE);
    expect(left.length).toBe(3);
  });
});

describe("a lease", () => {
  it("is renewed as long as the work takes (AD-36)", async () => {
    const work = gate();
    const { add, reported, clock, queue } = setup(() => work.promise, { leaseMs: 60_000 });
    await add("a");
    await reported("a started 1");
    for (let minute = 0; minute < 10; minute++) {
      await clock.advance(60_000);
      expect(await queue.take(1)).toBeUndefined();
    }
    work.open();
    await reported("a started 1", "a finished 1");
  });

  it("ends when its worker dies, and another worker gets the request (AD-36)", async () => {
    const clock = new ManualClock();
    const queue = new InMemoryRequestQueue<string>({ clock });
    await queue.add({ requestId: "a", body: "a" });
    // A worker took it and died.
    await queue.take(60_000);
    const { reported } = setup(async () => {}, { queue }, clock);
    await clock.advance(59_000);
    await reported();
    await clock.advance(2_000);
    await reported("a started 2", "a finished 2");
  });

  it("that was lost stops the work, and the new lease holder decides (AD-36)", async () => {
    const signals: AbortSignal[] = [];
    const { add, reported, clock, queue } = setup((_, { signal }) => {
      signals.push(signal);
      return never();
    });
    await add("a");
    await reported("a started 1");
    vi.spyOn(queue, "renew").mockImplementation(async () => false);
    await clock.advance(20_000);
    await reported("a started 1", "a lost 1");
    expect(signals[0]?.aborted).toBe(true);
    expect((await queue.counts()).leased).toBe(1);
  });

  it("survives a short outage of the queue, but not a long one (AD-36)", async () => {
    const { add, reported, clock, queue, errors } = setup(never);
    await add("a");
    await reported("a started 1");
    const away = vi.spyOn(queue, "renew").mockRejectedValue(new Error("away"));
    await clock.advance(20_000);
    await vi.waitFor(() => expect(errors.length).toBe(1), PATIENCE);
    away.mockRestore();
    await clock.advance(40_000);
    await reported("a started 1");
    vi.spyOn(queue, "renew").mockRejectedValue(new Error("away"));
    await clock.advance(60_000);
    await reported("a started 1", "a lost 1", "a started 2");
    expect(errors.length).toBe(4);
  });

  it("that a queue gave after it had connected for longer than a lease is kept (AD-36)", async () => {
    const clock = new ManualClock();
    const queue = new InMemoryRequestQueue<string>({ clock });
    const take = queue.take.bind(queue);
    vi.spyOn(queue, "take").mockImplementationOnce(async (leaseMs, options) => {
      await clock.advance(90_000);
      return await take(leaseMs, options);
    });
    const renew = vi.spyOn(queue, "renew");
    await queue.add({ requestId: "a", body: "a" });
    const events: string[] = [];
    const onEvent = (event: AgentLoopEvent) => events.push(described(event));
    const loop = new AgentLoop<string>({ queue, clock, handler: never, onEvent });
    const running = loop.run();
    await vi.waitFor(() => expect(events).toEqual(["a started 1"]), PATIENCE);
    for (let renewed = 1; renewed <= 3; renewed++) {
      await clock.advance(20_000);
      await vi.waitFor(() => expect(renew).toHaveBeenCalledTimes(renewed), PATIENCE);
    }
    expect(events).toEqual(["a started 1"]);
    await loop.close({ graceMs: 0 });
    await running;
  });

  it("that an unresponsive queue does not renew ends anyway (AD-36)", async () => {
    const signals: AbortSignal[] = [];
    const { add, reported, clock, queue } = setup((_, { signal }) => {
      signals.push(signal);
      return never();
    });
    await add("a");
    await reported("a started 1");
    vi.spyOn(queue, "renew").mockImplementation(never);
    await clock.advance(59_999);
    expect(signals[0]?.aborted).toBe(false);
    await clock.advance(1);
    await vi.waitFor(() => expect(signals[0]?.aborted).toBe(true), PATIENCE);
  });

  it("that ends with each worker turns a request that kills workers into a dead letter (AD-36, AD-37)", async () => {
    const clock = new ManualClock();
    const queue = new InMemoryRequestQueue<string>({ clock });
    await queue.add({ requestId: "a", body: "a" });
    for (let worker = 0; worker < 2; worker++) {
      await queue.take(1_000);
      await clock.advance(1_000);
    }
    let calls = 0;
    const loop = new AgentLoop<string>({
      ...{ queue, clock, maxAttempts: 2 },
      handler: async () => void calls++,
    });
    const running = loop.run();
    await vi.waitFor(async () => expect(await queue.deadLetters()).toHaveLength(1), PATIENCE);
    await loop.close();
    await running;
    expect(calls).toBe(0);
    expect(await queue.deadLetters()).toMatchObject([{ reason: "abandoned" }]);
  });
});

describe("closing", () => {
  it("finishes running requests and takes no new ones (AD-38)", async () => {
    const work = gate();
    const { add, reported, loop, running, queue, events } = setup(() => work.promise);
    await add("a");
    await reported("a started 1");
    const closed = loop.close();
    await add("b");
    work.open();
    await closed;
    await running;
    expect(events).toEqual(["a started 1", "a finished 1"]);
    expect(await queue.counts()).toMatchObject({ waiting: 1, leased: 0, dead: 0 });
  });

  it("returns unfinished requests after the grace period, without counting the attempt (AD-38)", async () => {
    const { add, reported, loop, running, clock, queue } = setup(
      async (_, { budget }) => {
        budget?.spend({ tokens: 3 });
        await never();
      },
      { graceMs: 5_000 },
    );
    await add("a", { budget: { tokens: 10 } });
    await reported("a started 1");
    const closed = loop.close();
    await clock.advance(4_999);
    await reported("a started 1");
    await clock.advance(1);
    await closed;
    await running;
    await reported("a started 1", "a given-back 1");
    expect(await queue.take(1)).toMatchObject({ requestId: "a", attempt: 1, spent: { tokens: 3 } });
  });

  it("also happens when the run is aborted, and works before the run and twice (AD-38)", async () => {
    const controller = new AbortController();
    const queue = new InMemoryRequestQueue();
    const loop = new AgentLoop({ queue, handler: async () => {} });
    const running = loop.run({ signal: controller.signal });
    expect(() => loop.run()).toThrow("AgentLoop: run() was already called. Create a new loop.");
    controller.abort();
    await running;
    await Promise.all([loop.close(), loop.close(), loop[Symbol.asyncDispose]()]);

    const early = new AgentLoop({ queue, handler: async () => {} });
    await early.close();
    await queue.add({ body: 0 });
    await early.run();
    expect((await queue.counts()).waiting).toBe(1);
    const aborted = new AgentLoop({ queue, handler: async () => {} });
    await aborted.run({ signal: AbortSignal.abort() });
    expect((await queue.counts()).waiting).toBe(1);
  });

  it("does not wait forever for a queue that does not answer (AD-38)", async () => {
    const silentEnd = setup(async () => {});
    vi.spyOn(silentEnd.queue, "end").mockImplementation(never);
    await silentEnd.add("a");
    await silentEnd.reported("a started 1");
    const closed = silentEnd.loop.close({ graceMs: 0 });
    await silentEnd.clock.advance(60_000);
    await Promise.all([closed, silentEnd.running]);
    expect(silentEnd.events).toEqual(["a started 1", "a lost 1"]);

    const silentTake = setup(async () => {});
    vi.spyOn(silentTake.queue, "take").mockImplementation(never);
    await silentTake.clock.advance(1_000);
    await silentTake.loop.close({ graceMs: 0 });
    await silentTake.running;
  });

  it("returns a request that the queue hands over too late (AD-38)", async () => {
    const queue = new InMemoryRequestQueue<string>();
    const [asked, answer] = [gate(), gate()];
    const take = queue.take.bind(queue);
    vi.spyOn(queue, "take").mockImplementation(async (leaseMs) => {
      asked.open();
      await answer.promise;
      return await take(leaseMs);
    });
    await queue.add({ body: "a" });
    let calls = 0;
    const loop = new AgentLoop<string>({ queue, handler: async () => void calls++ });
    const running = loop.run();
    await asked.promise;
    const closed = loop.close();
    answer.open();
    await Promise.all([closed, running]);
    expect(calls).toBe(0);
    expect(await queue.counts()).toMatchObject({ waiting: 1, leased: 0, dead: 0 });
  });
});

describe("a loop", () => {
  it("continues when its queue, its listeners and its handlers throw (AD-35)", async () => {
    const { add, clock, queue, errors, loop } = setup(
      () => {
        throw new Error("at once");
      },
      {
        maxAttempts: 1,
        onEvent: () => {
          throw new Error("listener");
        },
      },
    );
    const broken = vi.spyOn(queue, "take").mockRejectedValueOnce(new Error("queue"));
    // The first call was made before, and waits.
    await clock.advance(2_000);
    expect(broken).toHaveBeenCalled();
    await add("a");
    await vi.waitFor(async () => expect(await queue.deadLetters()).toHaveLength(1), PATIENCE);
    await loop.close();
    expect(errors.map(String)).toEqual(["Error: queue", "Error: listener", "Error: listener"]);
  });

  it.each([
    ["onError", { onError: fails }],
    ["isRetried", { isRetried: fails }],
    ["random", { backOff: { random: fails } }],
  ])("continues when %s throws (AD-35)", async (_, options) => {
    const { add, reported, queue, clock } = setup(
      () => Promise.reject(new Error("no luck")),
      options,
    );
    vi.spyOn(queue, "take").mockRejectedValueOnce(new Error("queue"));
    // The first call was made before, and waits.
    await clock.advance(2_000);
    await add("a");
    await reported("a started 1", "a retried 1 1000");
  });

  it("polls a queue that does not wait (AD-35)", async () => {
    const clock = new ManualClock();
    const queue = new InMemoryRequestQueue<string>({ clock });
    const take = queue.take.bind(queue);
    vi.spyOn(queue, "take").mockImplementation((leaseMs) => take(leaseMs));
    const { reported } = setup(async () => {}, { queue, waitMs: 250 }, clock);
    await vi.waitFor(() => expect(clock.sleeping).toBe(1), PATIENCE);
    await queue.add({ requestId: "a", body: "a" });
    await clock.advance(249);
    await reported();
    await clock.advance(1);
    await reported("a started 1", "a finished 1");
  });

  it("reads a request's deadline by the clock of the queue (AD-111)", async () => {
    const clock = new ManualClock(1_000_000);
    const hour = 3_600_000;
    const queue = new InMemoryRequestQueue<string>({
      clock: { now: () => clock.now() - hour, sleep: (ms, signal) => clock.sleep(ms, signal) },
    });
    const left: (number | undefined)[] = [];
    const handler: RequestHandler<string> = async (_, { deadline }) => {
      left.push(deadline?.remainingMs());
    };
    const { reported } = setup(handler, { queue }, clock);
    await queue.add({ requestId: "a", body: "a", deadlineAtMs: clock.now() - hour + 500 });
    await reported("a started 1", "a finished 1");
    expect(left).toEqual([500]);
  });

  it("sends a reply when a request is done or dead, and again if it could not end it (AD-112)", async () => {
    const answers = new InMemoryRequestQueue<RequestReply>();
    const { add, queue, reported } = setup(
      async ({ body }) => (body === "a" ? { answer: 42 } : fails()),
      { maxAttempts: 1, replies: (name) => (name === "answers" ? answers : undefined) },
    );
    vi.spyOn(queue, "end").mockRejectedValueOnce(new Error("away"));
    await add("a", { replyTo: "answers" });
    await reported("a started 1", "a lost 1");
    await add("b", { replyTo: "answers" });
    await add("c", { replyTo: "unknown" });
    await vi.waitFor(async () => expect(await queue.deadLetters()).toHaveLength(2), PATIENCE);
    const replies = (await answers.list()).map(({ requestId, body }) => [requestId, body]);
    expect(replies).toEqual([
      ["reply:a", { requestId: "a", outcome: "done", result: { answer: 42 } }],
      [
        "reply:b",
        { requestId: "b", outcome: "dead", reason: "failed", message: "Error: as planned" },
      ],
    ]);
  });

  it("fails a request whose result no reply can hold (AD-112)", async () => {
    const answers = new InMemoryRequestQueue<RequestReply>();
    const { add, reported, queue } = setup(async () => "x".repeat(300_000), {
      maxAttempts: 1,
      replies: () => answers,
    });
    await add("a", { replyTo: "answers" });
    await reported("a started 1", "a buried 1 failed");
    expect((await queue.deadLetters())[0]?.message).toContain("larger than 256 KiB");
  });

  it.each(["concurrency", "maxAttempts", "leaseMs", "waitMs"])(
    "refuses a %s of 0 (AD-35)",
    (name) => {
      const queue = new InMemoryRequestQueue();
      const options = { queue, handler: async () => {}, [name]: 0 };
      expect(() => new AgentLoop(options)).toThrow(`${name}: it must be a number above 0, got 0.`);
    },
  );

  it("uses the system clock by default (AD-35)", async () => {
    const controller = new AbortController();
    await systemClock.sleep(1, controller.signal);
    const long = systemClock.sleep(2 ** 40, controller.signal);
    controller.abort();
    await long;
    expect(Math.abs(systemClock.now() - Date.now())).toBeLessThan(60_000);
  });
});

describe("a loop that evaluates prompts", () => {
  function prompts(turns: ScriptedAdapterOptions["turns"], maxTurns?: number) {
    const answers: unknown[] = [];
    const adapter = new ScriptedAdapter({ turns, retry: { maxAttempts: 1 } });
    const handler = evaluateRequests<string, undefined>({
      adapter,
      maxTurns,
      prompt: ({ body }) => {
        const sections = [new MarkdownSection({ key: "task", title: "Task", template: body })];
        return new Prompt(new PromptTemplate({ ns: "tests", key: "worker", sections })).bind({});
      },
      onResponse: ({ text }, { requestId }, session) =>
        answers.push([requestId, text, session.events.of(PromptExecuted).length]),
    });
    return { adapter, answers, handler };
  }

  it("passes on the responses, within the budget of the request (AD-37)", async () => {
    const usage = { inputTokens: 6, outputTokens: 2 };
    const { adapter, answers, handler } = prompts(() => ({ text: "Good morning.", usage }));
    const { add, reported } = setup(handler);
    await add("Greet.", { budget: { tokens: 10 } });
    await reported("Greet. started 1", "Greet. finished 1");
    expect(adapter.requests[0]?.instructions).toContain("Greet.");
    expect(answers).toEqual([["Greet.", "Good morning.", 1]]);
  });

  it("retries when the model request failed or the model did not finish (AD-37)", async () => {
    const { answers, handler } = prompts([
      { error: new ModelError("OVERLOADED") },
      { text: "cut", stopReason: "length" },
      { text: "whole" },
    ]);
    const { add, clock, events } = setup(handler);
    await add("Greet.");
    await vi.waitFor(async () => {
      await clock.advance(1_000);
      expect(answers).toEqual([["Greet.", "whole", 1]]);
    }, PATIENCE);
    expect(events.map((event) => event.split(" ")[1])).toEqual([
      ...["started", "retried", "started", "retried", "started", "finished"],
    ]);
  });

  it("turns a request whose budget is used up into a dead letter (AD-37)", async () => {
    const usage = { inputTokens: 6, outputTokens: 6 };
    const { handler } = prompts(() => ({ calls: [{ tool: "none" }], usage }));
    const { add, reported, queue } = setup(handler);
    await add("Greet.", { budget: { tokens: 10 } });
    await reported("Greet. started 1", "Greet. buried 1 budget");
    expect(await queue.deadLetters()).toMatchObject([
      { message: "RunError: run: the run ended before the model was done (budget)." },
    ]);
  });
});
