import { type AgentEvent, Budget, Deadline } from "@wink/prompt";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { ModelError } from "../../error/model-error.js";
import { ScriptedAdapter } from "../../scripted/scripted-adapter.js";
import { change, failed, never, tool } from "../call/agent.test.support.js";
import { BudgetExhausted, PromptExecuted, PromptRendered } from "../context/run-events.js";
import { setup, silent } from "./loop.test.support.js";
import { ModelAdapter } from "./model-adapter.js";
import type { ModelClient, ModelRequest } from "./model-client.js";

describe("the loop", () => {
  it("continues a turn that the provider paused (AD-81)", async () => {
    const { prompt, session } = setup({ turns: [] });
    const requests: ModelRequest[] = [];
    const turn = { toolCalls: [], usage: { inputTokens: 1, outputTokens: 1 } } as const;
    const client: ModelClient = {
      name: "pauses",
      async ask(request) {
        requests.push(request);
        return requests.length === 1
          ? { ...turn, text: "Searching.", stopReason: "paused", providerData: { x: [1] } }
          : { ...turn, text: "Found.", stopReason: "end" };
      },
    };
    const response = await new ModelAdapter(client).evaluate(prompt, { session });
    expect(response).toMatchObject({ text: "Found.", finishReason: "completed" });
    expect(requests[1]?.messages).toEqual([
      { role: "assistant", text: "Searching.", toolCalls: [], providerData: { x: [1] } },
    ]);
  });

  it("asks the model, runs its calls, answers them in order, and ends with the model's text (AD-12)", async () => {
    const { adapter, prompt, session, content } = setup({
      turns: [
        { text: "Let me see.", calls: [{ tool: "set" }, { tool: "bad" }, { tool: "nothing" }] },
        { text: "All done." },
      ],
      tools: [tool("set", change("new")), tool("bad", change("bad", failed))],
    });
    const response = await adapter.evaluate(prompt, { session });
    expect(response).toEqual({
      text: "All done.",
      output: undefined,
      usage: {
        inputTokens: 0,
        outputTokens: 0,
        cachedInputTokens: 0,
        costUsd: undefined,
        // Only calls whose handler ran count, as in the budget.
        toolCalls: 2,
        turns: 2,
      },
      finishReason: "completed",
    });
    expect(adapter.requests[0]).toMatchObject({
      instructions: "## 1. Files\n\nWork.",
      messages: [],
      outputSchema: null,
    });
    expect(adapter.requests[0]?.tools.map(({ name }) => name)).toEqual(["set", "bad"]);
    expect(adapter.requests[1]?.messages.slice(1)).toEqual([
      { role: "tool", toolCallId: "call-1", toolName: "set", text: "Done.", success: true },
      {
        role: "tool",
        toolCallId: "call-2",
        toolName: "bad",
        text: "It did not work. Everything it did was undone: changes to 'a.txt' and 1 event.",
        success: false,
      },
      {
        role: "tool",
        toolCallId: "call-3",
        toolName: "nothing",
        text: 'There is no tool "nothing".\nThe tools are: set, bad.',
        success: false,
      },
    ]);
    expect(await content()).toBe("new");
    adapter.assertFinished();
  });

  it("records every turn and the end in the session's log (AD-9)", async () => {
    const { adapter, prompt, session } = setup({
      turns: [{ calls: [{ tool: "set" }] }, { text: "x" }],
    });
    await adapter.evaluate(prompt, { session });
    expect(session.events.of(PromptRendered).map(({ payload }) => payload.turn)).toEqual([0, 1]);
    expect(session.events.of(PromptExecuted).map(({ payload }) => payload)).toEqual([
      {
        prompt: "tests/loop",
        run: 1,
        finishReason: "completed",
        turns: 2,
        toolCalls: 1,
        inputTokens: 0,
        outputTokens: 0,
      },
    ]);
  });

  it("streams the events in order, and then the response (AD-13)", async () => {
    const { adapter, prompt, session } = setup({
      turns: [{ text: "Hm.", calls: [{ tool: "set" }] }, { text: "Done." }],
    });
    const stream = adapter.stream(prompt, { session });
    const types: string[] = [];
    for await (const { type } of stream) types.push(type);
    expect(types).toEqual([
      ...["turn-started", "text-delta", "tool-call-started", "tool-call-finished", "turn-finished"],
      ...["turn-started", "text-delta", "turn-finished", "finished"],
    ]);
    expect((await stream.response).text).toBe("Done.");
  });

  it("passes the error of a run to the reader of its events (AD-13)", async () => {
    const { adapter, prompt, session } = setup({
      turns: [{ error: new ModelError("UNAUTHORIZED") }],
    });
    const stream = adapter.stream(prompt, { session });
    const read = async () => {
      for await (const _ of stream);
    };
    await expect(read()).rejects.toMatchObject({ code: "UNAUTHORIZED" });
    await expect(stream.response).rejects.toMatchObject({ code: "UNAUTHORIZED" });
  });

  it("continues when a listener throws (AD-13)", async () => {
    const { adapter, prompt, session } = setup({ turns: [{ text: "x" }] });
    const onEvent = () => {
      throw new Error("listener");
    };
    expect((await adapter.evaluate(prompt, { session, onEvent })).text).toBe("x");
  });

  it.each(["length", "refused"] as const)(
    "ends when the model stops with %s (AD-12)",
    async (stopReason) => {
      const { adapter, prompt, session } = setup({ turns: [{ text: "half", stopReason }] });
      expect(await adapter.evaluate(prompt, { session })).toMatchObject({
        text: "half",
        finishReason: stopReason,
      });
    },
  );

  it("stops after the maximum number of turns (AD-12)", async () => {
    const { adapter, prompt, session } = setup({ turns: () => ({ calls: [{ tool: "set" }] }) });
    const { finishReason, usage } = await adapter.evaluate(prompt, { session, maxTurns: 3 });
    expect([finishReason, usage.turns]).toEqual(["max-turns", 3]);
  });
});

describe("structured output", () => {
  const output = z.object({ count: z.number() });

  it.each(['{"count":2}', '```json\n{"count":2}\n```', ' {"count": 2}\n'])(
    "is read from %j (AD-14)",
    async (text) => {
      const { adapter, prompt, session } = setup({ turns: [{ text }], output });
      expect((await adapter.evaluate(prompt, { session })).output).toEqual({ count: 2 });
    },
  );

  it("is requested again with a list of its errors (AD-14)", async () => {
    const { adapter, prompt, session } = setup({
      turns: [{ text: "two" }, { text: { count: "2" } }, { text: { count: 2 } }],
      output,
    });
    expect((await adapter.evaluate(prompt, { session })).output).toEqual({ count: 2 });
    expect(adapter.requests[0]?.outputSchema).toMatchObject({ type: "object" });
    expect(adapter.requests[1]?.messages.at(-1)?.text).toMatch(/^Your answer is not JSON\./);
    expect(adapter.requests[2]?.messages.at(-1)?.text).toMatch(
      /^Your answer does not fit the schema\.\n- count: /,
    );
  });

  it("rejects the run if the model does not correct it within the retries (AD-14)", async () => {
    const { adapter, prompt, session } = setup({ turns: () => ({ text: "no" }), output });
    await expect(adapter.evaluate(prompt, { session })).rejects.toMatchObject({
      code: "OUTPUT_INVALID",
      text: "no",
    });
    expect(adapter.requests.length).toBe(3);
  });

  it("rejects the run if the run ends before there is one (AD-14)", async () => {
    const { adapter, prompt, session } = setup({
      turns: () => ({ calls: [{ tool: "set" }] }),
      output,
    });
    await expect(adapter.evaluate(prompt, { session, maxTurns: 2 })).rejects.toMatchObject({
      code: "NO_OUTPUT",
      finishReason: "max-turns",
    });
  });
});

describe("limits of a run", () => {
  it("end it at the deadline while the model thinks (AD-10)", async () => {
    const { prompt, session } = setup({ turns: [] });
    const adapter = new ModelAdapter(silent());
    const { finishReason } = await adapter.evaluate(prompt, {
      session,
      deadline: Deadline.in("10ms"),
    });
    expect(finishReason).toBe("deadline");
  });

  it("end it at the deadline while a tool runs, and the call is rolled back (AD-10)", async () => {
    const { adapter, prompt, session, content } = setup({
      turns: [{ calls: [{ tool: "slow" }] }, { text: "never" }],
      tools: [tool("slow", change("new", never))],
    });
    const { finishReason } = await adapter.evaluate(prompt, {
      session,
      deadline: Deadline.in("10ms"),
    });
    expect([finishReason, await content()]).toEqual(["deadline", "old"]);
  });

  it.each([
    { what: "tokens", budget: () => new Budget({ tokens: 10 }) },
    { what: "costUsd", budget: () => new Budget({ costUsd: 0.01 }) },
  ])(
    "end it when the budget's $what are used up, before more calls run (AD-10)",
    async ({ what, budget }) => {
      const usage = { inputTokens: 9, outputTokens: 1, costUsd: 0.01 };
      const { adapter, prompt, session, content } = setup({
        turns: () => ({ calls: [{ tool: "set" }], usage }),
      });
      const response = await adapter.evaluate(prompt, { session, budget: budget() });
      expect(response).toMatchObject({
        finishReason: "budget",
        usage: { inputTokens: 9, costUsd: 0.01 },
      });
      expect(await content()).toBe("old");
      expect(session.events.of(BudgetExhausted)[0]?.payload.what).toBe(what);
    },
  );

  it("include the cost, computed from prices if the client does not report it (AD-10)", async () => {
    const usage = { inputTokens: 2_000, cachedInputTokens: 1_000, outputTokens: 500 };
    const prices = { inputUsd: 3, cachedInputUsd: 0.3, outputUsd: 15 };
    const { prompt, session, content } = setup({ turns: [] });
    const adapter = new ScriptedAdapter({
      prices,
      turns: () => ({ calls: [{ tool: "set" }], usage }),
    });
    const budget = new Budget({ costUsd: 0.01 });
    const response = await adapter.evaluate(prompt, { session, budget });
    expect(response).toMatchObject({ finishReason: "budget", usage: { costUsd: 0.0108 } });
    expect(await content()).toBe("old");
  });

  it("end it when the budget's time is over (AD-10)", async () => {
    const { prompt, session } = setup({ turns: [] });
    const budget = new Budget({ wallMs: 10 });
    const { finishReason } = await new ModelAdapter(silent()).evaluate(prompt, { session, budget });
    expect(finishReason).toBe("budget");
  });

  it.each(["before", "asking", "waiting", "tool"] as const)(
    "are separate from an abort, which rejects with the signal's reason: %s (AD-16)",
    async (phase) => {
      const controller = new AbortController();
      const reason = new Error("stop");
      const stop = () => controller.abort(reason);
      const { adapter, prompt, session, content } = setup({
        turns: [
          phase === "waiting"
            ? { error: new ModelError("RATE_LIMITED", { retryAfterMs: 60_000 }) }
            : { calls: [{ tool: "slow" }] },
          { text: "never" },
        ],
        tools: [
          tool(
            "slow",
            change("new", () => {
              stop();
              return never();
            }),
          ),
        ],
      });
      if (phase === "before") stop();
      if (phase === "asking" || phase === "waiting") setTimeout(stop, 5);
      const used = phase === "asking" ? new ModelAdapter(silent()) : adapter;
      await expect(used.evaluate(prompt, { session, signal: controller.signal })).rejects.toBe(
        reason,
      );
      expect(await content()).toBe("old");
      expect(session.events.of(PromptExecuted)[0]?.payload.finishReason).toBe("aborted");
    },
  );
});

it("events report whether a call was denied or rolled back (AD-13)", async () => {
  const { adapter, prompt, session } = setup({
    turns: [{ calls: [{ tool: "bad" }] }, { text: "x" }],
    tools: [tool("bad", change("new", failed))],
  });
  const events: AgentEvent[] = [];
  await adapter.evaluate(prompt, { session, onEvent: (event) => events.push(event) });
  expect(events.find(({ type }) => type === "tool-call-finished")).toMatchObject({
    toolName: "bad",
    denied: false,
    rolledBack: true,
  });
});
