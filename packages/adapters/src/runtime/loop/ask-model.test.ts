import { Deadline } from "@wink/prompt";
import { describe, expect, it } from "vitest";
import { ModelError } from "../../error/model-error.js";
import { ModelRetried, PromptExecuted } from "../context/run-events.js";
import { setup } from "./loop.test.support.js";
import { ModelAdapter } from "./model-adapter.js";
import type { ModelClient } from "./model-client.js";

const QUICK = { baseDelayMs: 1, maxDelayMs: 2 };

describe("a model whose request fails", () => {
  it.each(["RATE_LIMITED", "OVERLOADED", "SERVER_ERROR", "NETWORK", "MALFORMED"] as const)(
    "is asked again after %s, and the retry is logged (AD-15)",
    async (code) => {
      const { adapter, prompt, session } = setup({
        turns: [{ error: new ModelError(code) }, { error: new ModelError(code) }, { text: "x" }],
        retry: QUICK,
      });
      expect((await adapter.evaluate(prompt, { session })).text).toBe("x");
      expect(
        session.events.of(ModelRetried).map(({ payload }) => [payload.attempt, payload.reason]),
      ).toEqual([
        [1, code],
        [2, code],
      ]);
    },
  );

  it.each(["UNAUTHORIZED", "INVALID_REQUEST", "CONTEXT_LENGTH"] as const)(
    "is not asked again after %s (AD-15)",
    async (code) => {
      const { adapter, prompt, session } = setup({ turns: [{ error: new ModelError(code) }] });
      await expect(adapter.evaluate(prompt, { session })).rejects.toMatchObject({ code });
      expect(session.events.of(PromptExecuted)[0]?.payload.finishReason).toBe("failed");
    },
  );

  it("is not asked again after the last attempt (AD-15)", async () => {
    const { adapter, prompt, session } = setup({
      turns: () => ({ error: new ModelError("OVERLOADED") }),
      retry: { ...QUICK, maxAttempts: 3 },
    });
    await expect(adapter.evaluate(prompt, { session })).rejects.toMatchObject({
      code: "OVERLOADED",
    });
    expect(adapter.requests.length).toBe(3);
  });

  it("is asked again after the provider's delay, but not beyond the deadline (AD-15)", async () => {
    const limited = new ModelError("RATE_LIMITED", { retryAfterMs: 15 });
    const first = setup({ turns: [{ error: limited }, { text: "x" }], retry: QUICK });
    await first.adapter.evaluate(first.prompt, { session: first.session });
    const delayMs = first.session.events.of(ModelRetried)[0]?.payload.delayMs;
    expect(delayMs).toBeGreaterThanOrEqual(15);
    expect(delayMs).toBeLessThanOrEqual(16);

    const long = new ModelError("RATE_LIMITED", { retryAfterMs: 60_000 });
    const second = setup({ turns: [{ error: long }, { text: "x" }] });
    await expect(
      second.adapter.evaluate(second.prompt, {
        session: second.session,
        deadline: Deadline.in("10s"),
      }),
    ).rejects.toMatchObject({ code: "RATE_LIMITED" });
    expect(second.adapter.requests.length).toBe(1);
  });

  it("is not asked again if the provider's delay is too long (AD-15)", async () => {
    const tomorrow = new ModelError("RATE_LIMITED", { retryAfterMs: 86_400_000 });
    const { adapter, prompt, session } = setup({ turns: [{ error: tomorrow }, { text: "x" }] });
    await expect(adapter.evaluate(prompt, { session })).rejects.toBe(tomorrow);
    expect(session.events.of(ModelRetried)).toEqual([]);
  });

  it("restarts its turn if it had sent text, and late text is ignored (AD-13)", async () => {
    const { prompt, session } = setup({ turns: [] });
    const late: ((text: string) => void)[] = [];
    const usage = { inputTokens: 0, outputTokens: 0 };
    const client: ModelClient = {
      name: "broken",
      async ask(_, { onText }) {
        for (const say of late) say("late");
        if (late.push(onText) === 1) throw new ModelError("NETWORK");
        onText("half");
        if (late.length === 2) throw new ModelError("NETWORK");
        return { text: "half and half", toolCalls: [], usage, stopReason: "end" };
      },
    };
    const events: string[] = [];
    await new ModelAdapter(client, { retry: QUICK }).evaluate(prompt, {
      session,
      onEvent: (event) => events.push(event.type === "text-delta" ? event.text : event.type),
    });
    expect(events).toEqual([
      ...["turn-started", "retry", "half", "retry", "turn-started", "half"],
      ...["turn-finished", "finished"],
    ]);
  });

  it("is asked again after random delays whose upper bound doubles (AD-15)", async () => {
    const delays = async (random: () => number) => {
      const { adapter, prompt, session } = setup({
        turns: () => ({ error: new ModelError("OVERLOADED") }),
        retry: { maxAttempts: 4, baseDelayMs: 2, maxDelayMs: 5, random },
      });
      await adapter.evaluate(prompt, { session }).catch(() => {});
      return session.events.of(ModelRetried).map(({ payload }) => payload.delayMs);
    };
    expect(await delays(() => 1)).toEqual([2, 4, 5]);
    expect(await delays(() => 0)).toEqual([0, 0, 0]);
  });
});
