import { AsyncLocalStorage } from "node:async_hooks";
import {
  type Context,
  context,
  type Meter,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
} from "@opentelemetry/api";
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
  type SpanProcessor,
} from "@opentelemetry/sdk-trace-base";
import { InMemoryFilesystem } from "@wink/filesystem";
import { Deadline, MarkdownSection, Prompt, PromptTemplate, type Tool } from "@wink/prompt";
import { Session } from "@wink/session";
import { beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { ModelError } from "../error/model-error.js";
import { PromptTools } from "../interop/prompt-tools.js";
import {
  change,
  done,
  failed,
  gate,
  Notes,
  never,
  tool,
} from "../runtime/call/agent.test.support.js";
import { ModelAdapter } from "../runtime/loop/model-adapter.js";
import type { ModelClient, ModelTurn } from "../runtime/loop/model-client.js";
import { defineSubagentTool } from "../runtime/subagent/define-subagent-tool.js";
import { ScriptedAdapter, type ScriptedAdapterOptions } from "../scripted/scripted-adapter.js";
import { type OpenTelemetryOptions, openTelemetry } from "../telemetry.js";

// As an SDK for Node does. Without a context manager, a subagent's run does not know its parent
// span.
beforeAll(() => {
  const storage = new AsyncLocalStorage<Context>();
  context.setGlobalContextManager({
    active: () => storage.getStore() ?? ROOT_CONTEXT,
    with: (active, work, self, ...args) => storage.run(active, () => work.call(self, ...args)),
    bind: (_, target) => target,
    enable() {
      return this;
    },
    disable() {
      return this;
    },
  });
});

class Files extends MarkdownSection<"files"> {
  readonly filesystem = new InMemoryFilesystem({ files: { "a.txt": "old" } });
}

function setup(
  turns: ScriptedAdapterOptions["turns"],
  tools: readonly Tool[] = [],
  options: OpenTelemetryOptions = {},
) {
  const exporter = new InMemorySpanExporter();
  // Recorded here, because the clock is too coarse to order the spans.
  const begun: string[] = [];
  const order: SpanProcessor = {
    onStart: (span) => void begun.push(span.spanContext().spanId),
    onEnd() {},
    forceFlush: async () => {},
    shutdown: async () => {},
  };
  const provider = new BasicTracerProvider({
    spanProcessors: [order, new SimpleSpanProcessor(exporter)],
  });
  const tracer = provider.getTracer("test");
  const telemetry = openTelemetry({ tracer, ...options });
  const adapter = new ScriptedAdapter({ turns, telemetry, retry: { baseDelayMs: 1 } });
  const template = "Look after SECRET.";
  const sections = [new Files({ key: "files", title: "Files", template, tools })];
  const prompt = new Prompt(new PromptTemplate({ ns: "tests", key: "agent", sections })).bind({});
  const session = new Session({ id: "session-1", slices: [Notes] });
  const place = (span: ReadableSpan) => begun.indexOf(span.spanContext().spanId);
  const spans = () => exporter.getFinishedSpans().sort((a, b) => place(a) - place(b));
  return { adapter, prompt, session, telemetry, spans, tracer };
}

/**
 * The spans as an indented list: children below their parents, in the order in which they began.
 */
function treeOf(spans: readonly ReadableSpan[]): readonly string[] {
  const below = (parentId: string | undefined, indent: string): readonly string[] =>
    spans
      .filter((span) => span.parentSpanContext?.spanId === parentId)
      .flatMap((span) => [
        `${indent}${span.name}${span.status.code === SpanStatusCode.ERROR ? ` !${span.attributes["error.type"]}` : ""}`,
        ...below(span.spanContext().spanId, `${indent}  `),
      ]);
  return below(undefined, "");
}

function named(spans: readonly ReadableSpan[], name: string): readonly ReadableSpan[] {
  return spans.filter((span) => span.name === name);
}

const usage = { inputTokens: 10, outputTokens: 3, cachedInputTokens: 4, costUsd: 0.5 };

describe("the spans of a run", () => {
  it("are nested as run, turns, and requests and calls, with the names of the conventions (AD-39)", async () => {
    const { adapter, prompt, session, spans } = setup(
      [
        { calls: [{ tool: "set" }, { tool: "bad" }], usage },
        { text: "Done.", usage },
      ],
      [tool("set", change("new")), tool("bad", change("bad", failed))],
      { model: "some-model" },
    );
    await adapter.evaluate(prompt, { session });
    expect(treeOf(spans())).toEqual([
      "invoke_agent tests/agent",
      "  turn",
      "    chat some-model",
      "    execute_tool set",
      "    execute_tool bad !failed",
      "  turn",
      "    chat some-model",
    ]);
    expect(named(spans(), "invoke_agent tests/agent")[0]).toMatchObject({
      kind: SpanKind.INTERNAL,
      attributes: {
        "gen_ai.operation.name": "invoke_agent",
        "gen_ai.provider.name": "scripted",
        "gen_ai.agent.name": "tests/agent",
        "gen_ai.conversation.id": "session-1",
        "gen_ai.usage.input_tokens": 20,
        "gen_ai.usage.output_tokens": 6,
        "gen_ai.usage.cache_read.input_tokens": 8,
        "wink.usage.cost_usd": 1,
        "wink.run.finish_reason": "completed",
        "wink.run.turns": 2,
        "wink.run.tool_calls": 2,
      },
    });
    expect(
      named(spans(), "chat some-model").map(({ kind, attributes }) => [kind, attributes]),
    ).toEqual(
      ["tool_calls", "stop"].map((finishReason) => [
        SpanKind.CLIENT,
        {
          "gen_ai.operation.name": "chat",
          "gen_ai.provider.name": "scripted",
          "gen_ai.request.model": "some-model",
          "gen_ai.output.type": "text",
          "gen_ai.request.stream": true,
          "gen_ai.response.finish_reasons": [finishReason],
          "gen_ai.usage.input_tokens": 10,
          "gen_ai.usage.output_tokens": 3,
          "gen_ai.usage.cache_read.input_tokens": 4,
          "wink.usage.cost_usd": 0.5,
        },
      ]),
    );
    expect(named(spans(), "execute_tool bad")[0]?.attributes).toEqual({
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.type": "function",
      "gen_ai.tool.name": "bad",
      "gen_ai.tool.call.id": "call-2",
      "wink.tool.access": "write",
      "wink.tool.status": "failed",
      "wink.tool.rolled_back": true,
      "error.type": "failed",
    });
  });

  it("are not mixed up when calls and runs overlap (AD-39)", async () => {
    const [first, second] = [gate(), gate()];
    const meet = (mine: () => void, other: Promise<void>) => async () => {
      mine();
      await other;
      return done();
    };
    const tools = [
      tool("one", meet(first.open, second.promise), { access: "read" }),
      tool("two", meet(second.open, first.promise), { access: "read" }),
    ];
    const script: ScriptedAdapterOptions["turns"] = (_, index) =>
      index % 2 === 0 ? { calls: [{ tool: "one" }, { tool: "two" }] } : { text: "Done." };
    const a = setup(script, tools);
    const b = setup(script, tools, { tracer: a.tracer });
    const other = b.adapter.evaluate(b.prompt, { session: b.session });
    await Promise.all([a.adapter.evaluate(a.prompt, { session: a.session }), other]);
    const one = [
      ...["invoke_agent tests/agent", "  turn", "    chat"],
      ...["    execute_tool one", "    execute_tool two", "  turn", "    chat"],
    ];
    expect(treeOf(a.spans())).toEqual([...one, ...one]);
    const traces = new Set(a.spans().map((span) => span.spanContext().traceId));
    expect(traces.size).toBe(2);
  });

  it("are children of the active span, and a subagent's are children of the call that started it (AD-39)", async () => {
    const outer = setup(
      [{ calls: [{ tool: "delegate" }] }, { text: "Done." }],
      [
        defineSubagentTool({
          name: "delegate",
          description: "Hand over work.",
          input: z.object({}),
          prompt: () => inner.prompt,
          get adapter() {
            return inner.adapter;
          },
        }) as unknown as Tool,
      ],
    );
    const inner = setup([{ text: "Below." }], [], { tracer: outer.tracer });
    await outer.tracer.startActiveSpan("mine", async (span) => {
      await outer.adapter.evaluate(outer.prompt, { session: outer.session });
      span.end();
    });
    expect(treeOf(outer.spans())).toEqual([
      "mine",
      "  invoke_agent tests/agent",
      "    turn",
      "      chat",
      "      execute_tool delegate",
      "        invoke_agent tests/agent",
      "          turn",
      "            chat",
      "    turn",
      "      chat",
    ]);
  });

  it("end with the error type, and a request is one span with its failed attempts as events (AD-39)", async () => {
    const { adapter, prompt, session, spans } = setup([
      { error: new ModelError("OVERLOADED") },
      { error: new ModelError("UNAUTHORIZED") },
    ]);
    await expect(adapter.evaluate(prompt, { session })).rejects.toMatchObject({
      code: "UNAUTHORIZED",
    });
    expect(treeOf(spans())).toEqual([
      "invoke_agent tests/agent !UNAUTHORIZED",
      "  turn !UNAUTHORIZED",
      "    chat !UNAUTHORIZED",
    ]);
    const [chat] = named(spans(), "chat");
    expect(chat?.events.map(({ name, attributes }) => [name, attributes])).toEqual([
      ["wink.attempt_failed", { "error.type": "OVERLOADED", "wink.attempt": 1 }],
    ]);
  });

  it("end with the last error when every attempt failed (AD-39)", async () => {
    const { adapter, prompt, session, spans } = setup(() => ({
      error: new ModelError("OVERLOADED"),
    }));
    await expect(adapter.evaluate(prompt, { session })).rejects.toThrow();
    expect(treeOf(spans()).at(-1)).toBe("    chat !OVERLOADED");
    expect(named(spans(), "chat")[0]?.events).toHaveLength(5);
  });

  it("end when a run is aborted, also in a call or request that never ends (AD-39)", async () => {
    const controller = new AbortController();
    const inCall = setup(
      [{ calls: [{ tool: "hang" }] }],
      [
        tool("hang", () => {
          controller.abort();
          return never();
        }),
      ],
    );
    const { signal } = controller;
    const run = inCall.adapter.evaluate(inCall.prompt, { session: inCall.session, signal });
    await expect(run).rejects.toThrow("aborted");
    expect(treeOf(inCall.spans())).toEqual([
      "invoke_agent tests/agent !aborted",
      "  turn !aborted",
      "    chat",
      "    execute_tool hang !aborted",
    ]);

    const stop = new AbortController();
    const { prompt, session, spans, telemetry } = setup([]);
    const ask = () => {
      stop.abort();
      return never();
    };
    const deaf = new ModelAdapter({ name: "deaf", ask }, { telemetry });
    const asked = deaf.evaluate(prompt, { session, signal: stop.signal });
    await expect(asked).rejects.toThrow("aborted");
    expect(treeOf(spans())).toEqual([
      "invoke_agent tests/agent !aborted",
      "  turn !aborted",
      "    chat !aborted",
    ]);
  });

  it("contain the finish reason of a run that did not fail (AD-39)", async () => {
    const { adapter, prompt, session, spans } = setup([{ text: "x" }]);
    await adapter.evaluate(prompt, { session, deadline: Deadline.at(0) });
    expect(spans()[0]).toMatchObject({
      status: { code: SpanStatusCode.UNSET },
      attributes: { "wink.run.finish_reason": "deadline" },
    });
  });
});

describe("the content of a conversation", () => {
  const turns = [
    {
      text: "Hm, SECRET.",
      calls: [{ tool: "echo", input: { SECRET: 1 } }, { tool: "SECRET_tool" }, { tool: "crash" }],
    },
    { text: "It is SECRET." },
  ];
  const tools = [
    tool("echo", () => ({ success: true, value: "SECRET", message: "SECRET" }), { access: "read" }),
    tool("crash", () => Promise.reject(new Error("SECRET"))),
  ];

  it("is not in any span: not in a name, attribute, event or status (AD-39, F181)", async () => {
    const { adapter, prompt, session, spans } = setup(turns, tools);
    await adapter.evaluate(prompt, { session });
    const failing = setup([{ error: new Error("SECRET") }]);
    await expect(failing.adapter.evaluate(failing.prompt, { session })).rejects.toThrow("SECRET");
    const all = [...spans(), ...failing.spans()];
    expect(all.length).toBe(11);
    for (const { name, attributes, events, status } of all)
      expect(JSON.stringify({ name, attributes, events, status })).not.toContain("SECRET");
  });

  it("is recorded with captureContent: true (AD-39)", async () => {
    const { adapter, prompt, session, spans } = setup(turns, tools, { captureContent: true });
    await adapter.evaluate(prompt, { session });
    const [, chat] = named(spans(), "chat");
    const parsed = (name: string) => JSON.parse(String(chat?.attributes[name])) as unknown;
    expect(parsed("gen_ai.system_instructions")).toEqual([
      { type: "text", content: "## 1. Files\n\nLook after SECRET." },
    ]);
    expect(parsed("gen_ai.input.messages")).toMatchObject([
      { role: "user", parts: [{ type: "text", content: "Begin." }] },
      {
        role: "assistant",
        parts: [
          { type: "text", content: "Hm, SECRET." },
          { type: "tool_call", id: "call-1", name: "echo", arguments: '{"SECRET":1}' },
          { type: "tool_call", id: "call-2", name: "SECRET_tool", arguments: "{}" },
          { type: "tool_call", id: "call-3", name: "crash", arguments: "{}" },
        ],
      },
      { role: "tool", parts: [{ type: "tool_call_response", id: "call-1" }] },
      { role: "tool", parts: [{ type: "tool_call_response", id: "call-2" }] },
      { role: "tool", parts: [{ type: "tool_call_response", id: "call-3" }] },
    ]);
    expect(parsed("gen_ai.output.messages")).toEqual([
      {
        role: "assistant",
        parts: [{ type: "text", content: "It is SECRET." }],
        finish_reason: "stop",
      },
    ]);
    expect(named(spans(), "execute_tool echo")[0]?.attributes).toMatchObject({
      "gen_ai.tool.call.arguments": '{"SECRET":1}',
    });
  });

  it("passes through the captureContent function, which may throw (AD-39, F181)", async () => {
    const names = new Set<string>();
    const captureContent = (content: string, attribute: string) => {
      names.add(attribute);
      if (attribute === "gen_ai.tool.call.result") throw new Error("cannot");
      return attribute === "gen_ai.system_instructions"
        ? undefined
        : content.replaceAll("SECRET", "…");
    };
    const { adapter, prompt, session, spans } = setup(turns, tools, { captureContent });
    expect((await adapter.evaluate(prompt, { session })).text).toBe("It is SECRET.");
    expect([...names].sort()).toEqual([
      "gen_ai.input.messages",
      "gen_ai.output.messages",
      "gen_ai.system_instructions",
      "gen_ai.tool.call.arguments",
      "gen_ai.tool.call.result",
    ]);
    for (const { attributes } of spans())
      expect(JSON.stringify(attributes)).not.toContain("SECRET");
    expect(named(spans(), "chat")[1]?.attributes["gen_ai.output.messages"]).toContain("It is ….");
  });
});

describe("a request to a model", () => {
  const turn: ModelTurn = {
    ...{ text: "Done.", toolCalls: [], stopReason: "end", responseId: "id-1", model: "model-2026" },
    usage: { inputTokens: 10, outputTokens: 3, cacheWriteTokens: 2, reasoningTokens: 1 },
  };
  const client: ModelClient = {
    ...{ name: "some-sdk", provider: "gcp.gemini", model: "model-1" },
    ask: async () => turn,
  };

  it("has the provider's real name, the models, the response, and all kinds of tokens (AD-39)", async () => {
    const { prompt, session, telemetry, spans } = setup([]);
    await new ModelAdapter(client, { telemetry }).evaluate(prompt, { session });
    expect(named(spans(), "chat model-1")[0]?.attributes).toMatchObject({
      "gen_ai.provider.name": "gcp.gemini",
      "gen_ai.request.model": "model-1",
      "gen_ai.response.id": "id-1",
      "gen_ai.response.model": "model-2026",
      "gen_ai.usage.cache_creation.input_tokens": 2,
      "gen_ai.usage.reasoning.output_tokens": 1,
    });
    expect(spans()[0]?.attributes).toMatchObject({
      "gen_ai.operation.name": "invoke_agent",
      "gen_ai.provider.name": "gcp.gemini",
    });
  });

  it("is counted in the metrics of duration and tokens (AD-39)", async () => {
    const recorded: unknown[] = [];
    const createHistogram = (name: string) => ({
      record: (value: number, attributes: object) =>
        void recorded.push([name, name.endsWith("usage") ? value : "any", attributes]),
    });
    // Only histograms are used.
    const meter = { createHistogram } as unknown as Meter;
    const { prompt, session, telemetry } = setup([], [], { meter });
    await new ModelAdapter(client, { telemetry }).evaluate(prompt, { session });
    const facts = {
      "gen_ai.operation.name": "chat",
      "gen_ai.provider.name": "gcp.gemini",
      "gen_ai.request.model": "model-1",
      "gen_ai.response.model": "model-2026",
    };
    expect(recorded).toEqual([
      ["gen_ai.client.token.usage", 10, { ...facts, "gen_ai.token.type": "input" }],
      ["gen_ai.client.token.usage", 3, { ...facts, "gen_ai.token.type": "output" }],
      ["gen_ai.client.operation.duration", "any", facts],
    ]);
  });
});

it("a call of another framework's loop has a span (AD-39)", async () => {
  const { prompt, session, telemetry, spans } = setup([], [tool("bad", failed)]);
  const tools = await PromptTools.open(prompt, session, { telemetry });
  await tools.call({ toolCallId: "c1", toolName: "bad", arguments: {} }, undefined);
  expect(treeOf(spans())).toEqual(["execute_tool bad !failed"]);
});
