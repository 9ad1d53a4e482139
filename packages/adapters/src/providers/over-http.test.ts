import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { ModelRetried } from "../runtime/context/run-events.js";
import { ModelAdapter } from "../runtime/loop/model-adapter.js";
import { DisturbedServer } from "./aimock.test.support.js";
import { KEY, ROWS } from "./rows.test.support.js";
import { ANSWER, answersIn, OUTPUT, QUICK, writer, writesTwoFiles } from "./writer.test.support.js";

const PATIENCE = { timeout: 60_000, interval: 20 };
const WRITTEN = { "a.txt": "hello", "b.txt": "world" };

let server: DisturbedServer;
beforeAll(async () => {
  server = await DisturbedServer.start(writesTwoFiles);
});
afterAll(() => server.stop());
beforeEach(() => {
  server.script = writesTwoFiles;
  server.faults.length = 0;
  server.requests.length = 0;
});

describe.each(ROWS)("$row", ({ row, model, api }) => {
  const adapter = (idleTimeoutMs?: number) =>
    new ModelAdapter(model(server.url, { idleTimeoutMs }), { retry: QUICK });

  it("streams text, runs calls concurrently, answers them in order and parses the output (AD-19)", async () => {
    const agent = writer();
    const response = await agent.run(adapter());
    expect(response).toMatchObject({ text: ANSWER, output: OUTPUT, finishReason: "completed" });
    expect(response.usage).toMatchObject({ inputTokens: 40, outputTokens: 20, turns: 2 });
    expect(await agent.files()).toEqual(WRITTEN);
    const deltas = agent.events.flatMap((event) =>
      event.type === "text-delta" && event.turn === 1 ? [event.text] : [],
    );
    expect(deltas.join("")).toBe(ANSWER);
    expect(deltas.length).toBeGreaterThan(5);
    const request = server.mock.getLastRequest()?.body;
    const answers =
      request && "messages" in request ? (request.messages as { role: string }[]) : [];
    expect(answers.filter(({ role }) => role === "tool")).toEqual([
      expect.objectContaining({ tool_call_id: "call_a", content: "Wrote a.txt." }),
      expect.objectContaining({ tool_call_id: "call_b", content: "Wrote b.txt." }),
    ]);
  });

  it.each([
    { fault: "cut", reason: "NETWORK" },
    { fault: "end-early", reason: "NETWORK" },
    { fault: "garble", reason: "MALFORMED" },
  ] as const)(
    "retries after $fault in the middle of a turn, and runs no call of the partial turn (AD-20)",
    async ({ fault, reason }) => {
      server.faults.push(fault);
      const agent = writer();
      expect((await agent.run(adapter())).usage).toMatchObject({ turns: 2, toolCalls: 2 });
      expect(retriesOf(agent)[0]).toMatchObject({ turn: 0, attempt: 1, reason });
      expect(await agent.files()).toEqual(WRITTEN);
    },
  );

  it.each([
    { status: 500, type: "server_error", reason: "SERVER_ERROR" },
    { status: 529, type: "overloaded_error", reason: "OVERLOADED" },
    { status: 503, type: "unknown", reason: "OVERLOADED" },
  ])("retries after status $status (AD-21)", async ({ status, type, reason }) => {
    server.mock.nextRequestError(status, { message: "no", type });
    const agent = writer();
    expect((await agent.run(adapter())).output).toEqual(OUTPUT);
    expect(retriesOf(agent)[0]).toMatchObject({ reason });
  });

  it("retries after a rate limit no earlier than the server requests (AD-21)", async () => {
    server.script = refusedOnce({ retryAfter: 1 });
    const agent = writer();
    expect((await agent.run(adapter())).output).toEqual(OUTPUT);
    const [retry] = retriesOf(agent);
    expect(retry).toMatchObject({ reason: "RATE_LIMITED" });
    expect(retry?.delayMs).toBeGreaterThanOrEqual(1000);
  });

  it("retries after a rate limit with its own delay if the server requests none (AD-21)", async () => {
    server.script = refusedOnce({});
    server.faults.push("no-hint");
    const agent = writer();
    expect((await agent.run(adapter())).output).toEqual(OUTPUT);
    const [retry] = retriesOf(agent);
    expect(retry).toMatchObject({ reason: "RATE_LIMITED" });
    expect(retry?.delayMs).toBeLessThanOrEqual(2);
  });

  it("retries when the whole answer is not JSON (AD-20)", async () => {
    server.mock.setChaos({ malformedRate: 1 });
    const agent = writer();
    const run = agent.run(adapter());
    try {
      await vi.waitFor(() => expect(retriesOf(agent).length).toBeGreaterThan(0), PATIENCE);
    } finally {
      server.mock.clearChaos();
    }
    expect(retriesOf(agent)[0]).toMatchObject({ reason: "MALFORMED" });
    await run.catch(() => {});
  });

  it.each(["hang", "hang-midway"] as const)(
    "closes an idle connection and retries: %s (AD-22)",
    async (fault) => {
      const { hung, closed } = server;
      server.faults.push(fault);
      const agent = writer();
      expect((await agent.run(adapter(1_000))).output).toEqual(OUTPUT);
      expect(retriesOf(agent)[0]).toMatchObject({ turn: 0, reason: "NETWORK" });
      expect(server.hung).toBe(hung + 1);
      await vi.waitFor(() => expect(server.closed).toBe(closed + 1), PATIENCE);
    },
  );

  describe("an abort", () => {
    const reason = new Error("enough");

    it("before the first request sends nothing to the server (AD-23)", async () => {
      const signal = AbortSignal.abort(reason);
      await expect(writer().run(adapter(), { signal })).rejects.toBe(reason);
      expect(server.requests).toEqual([]);
    });

    it.each([
      { phase: "while it connects", fault: "hang" },
      { phase: "while it streams", fault: "hang-midway" },
    ] as const)("$phase ends the run and the connection (AD-23)", async ({ fault }) => {
      const { closed, hung } = server;
      const controller = new AbortController();
      server.faults.push(fault);
      const agent = writer();
      const run = agent.run(adapter(), { signal: controller.signal });
      const ended = expect(run).rejects.toBe(reason);
      await vi.waitFor(() => {
        expect(server.hung).toBe(hung + 1);
        if (fault === "hang-midway") expect(agent.events.at(-1)?.type).toBe("text-delta");
      }, PATIENCE);
      controller.abort(reason);
      await ended;
      await vi.waitFor(() => expect(server.closed).toBe(closed + 1), PATIENCE);
      expect(retriesOf(agent)).toEqual([]);
    });

    it("while it waits for a retry ends the run (AD-23)", async () => {
      const controller = new AbortController();
      server.script = refusedOnce({ retryAfter: 500 });
      const agent = writer();
      const run = agent.run(adapter(), { signal: controller.signal });
      const ended = expect(run).rejects.toBe(reason);
      await vi.waitFor(() => expect(retriesOf(agent).length).toBe(1), PATIENCE);
      controller.abort(reason);
      await ended;
      expect(server.requests.length).toBe(1);
    });
  });

  const refusals: readonly Refusal[] = [
    { status: 401, type: "authentication_error", code: "UNAUTHORIZED" },
    { status: 404, type: "not_found_error", code: "NOT_FOUND" },
    { status: 400, type: "invalid_request_error", code: "INVALID_REQUEST" },
    { status: 429, type: "insufficient_quota", code: "QUOTA_EXHAUSTED" },
    {
      ...{ status: 400, type: "invalid_request_error", code: "CONTEXT_LENGTH" },
      says: "prompt is too long: 300000 tokens",
    },
  ];
  it.each(refusals)(
    "does not retry after $code, and its message contains no key (AD-24)",
    async (refusal) => {
      const { status, type, code, says = `no, and your key is ${KEY}` } = refusal;
      server.mock.nextRequestError(status, { message: says, type });
      const agent = writer();
      const error = await agent.run(adapter()).catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ name: "ModelError", code });
      expect(String(error)).not.toContain(KEY);
      expect(server.requests.length).toBe(1);
    },
  );

  it.each([
    // For the responses API, the mock server reports both differently from the real one.
    ...(row === "ai-sdk openai" ? [] : [{ finishReason: "length", expected: "length" }]),
    ...(api === "chat" ? [{ finishReason: "content_filter", expected: "refused" }] : []),
  ])("ends with $expected and runs no call of that turn (AD-19)", async (stop) => {
    const { finishReason, expected } = stop;
    server.script = (request) => ({ ...writesTwoFiles(request), finishReason });
    const agent = writer();
    await expect(agent.run(adapter())).rejects.toMatchObject({ finishReason: expected });
    expect(await agent.files()).toEqual({});
  });

  it("reports a network error if no server listens (AD-21)", async () => {
    const gone = await DisturbedServer.start(writesTwoFiles);
    const { url } = gone;
    await gone.stop();
    const lonely = new ModelAdapter(model(url), { retry: { ...QUICK, maxAttempts: 2 } });
    const agent = writer();
    await expect(agent.run(lonely)).rejects.toMatchObject({ code: "NETWORK" });
    expect(retriesOf(agent).length).toBe(1);
  });
});

interface Refusal {
  readonly status: number;
  readonly type: string;
  readonly code: string;
  readonly says?: string;
}

function retriesOf({ session }: ReturnType<typeof writer>) {
  return session.events.of(ModelRetried).map(({ payload }) => payload);
}

/** A script that refuses the first request with a rate limit. */
function refusedOnce({ retryAfter }: { readonly retryAfter?: number }) {
  let refused = false;
  return (request: Parameters<typeof writesTwoFiles>[0]) => {
    if (refused || answersIn(request) > 0) return writesTwoFiles(request);
    refused = true;
    const error = { message: "slower", type: "rate_limit_error" };
    return { error, status: 429, ...(retryAfter !== undefined && { retryAfter }) };
  };
}
