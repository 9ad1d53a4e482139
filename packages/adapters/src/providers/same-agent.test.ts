import { createAnthropic } from "@ai-sdk/anthropic";
import { createAnthropic as createAnthropic4 } from "@ai-sdk/anthropic-4";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAI as createOpenAI4 } from "@ai-sdk/openai-4";
import type { ProviderAdapter, Tool } from "@wink/prompt";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { RecordingModel } from "../replay/recording-model.js";
import { parseCassette, ReplayAdapter } from "../replay.js";
import { ModelAdapter } from "../runtime/loop/model-adapter.js";
import { ScriptedAdapter } from "../scripted/scripted-adapter.js";
import { AiSdkAdapter } from "./ai-sdk/ai-sdk-adapter.js";
import { DisturbedServer } from "./aimock.test.support.js";
import { AnthropicAdapter } from "./anthropic/anthropic-adapter.js";
import { claudeAgent, inHarness } from "./claude-agent/harness.test.support.js";
import { OpenAIAdapter } from "./openai/openai-adapter.js";
import { KEY, ROWS } from "./rows.test.support.js";
import {
  ANSWER,
  OUTPUT,
  QUICK,
  spoil,
  writer,
  writesFailsAndEnds,
  writesTwoFiles,
} from "./writer.test.support.js";

let server: DisturbedServer;
let harness: DisturbedServer;
beforeAll(async () => {
  server = await DisturbedServer.start(writesFailsAndEnds);
  harness = await DisturbedServer.start(inHarness(writesFailsAndEnds));
});
afterAll(() => Promise.all([server.stop(), harness.stop()]));

/** Every adapter, for the models of a server that plays the same script. */
const ADAPTERS: Readonly<Record<string, () => ProviderAdapter | Promise<ProviderAdapter>>> = {
  scripted: () => scripted(),
  "OpenAI responses": () =>
    new OpenAIAdapter({ model: "gpt-4o", apiKey: KEY, baseURL: `${server.url}/v1` }),
  "OpenAI chat": () =>
    new OpenAIAdapter({ model: "gpt-4o", api: "chat", baseURL: `${server.url}/v1` }),
  Anthropic: () =>
    new AnthropicAdapter({ model: "claude-sonnet-4-6", apiKey: KEY, baseURL: server.url }),
  "AI SDK 6 with OpenAI": () =>
    new AiSdkAdapter({
      model: createOpenAI({ apiKey: KEY, baseURL: `${server.url}/v1` })("gpt-4o"),
    }),
  "AI SDK 6 with Anthropic": () =>
    new AiSdkAdapter({
      model: createAnthropic({ apiKey: KEY, baseURL: `${server.url}/v1` })("claude-sonnet-4-6"),
    }),
  "AI SDK 7 with OpenAI": () =>
    new AiSdkAdapter({
      model: createOpenAI4({ apiKey: KEY, baseURL: `${server.url}/v1` })("gpt-4o"),
    }),
  "AI SDK 7 with Anthropic": () =>
    new AiSdkAdapter({
      model: createAnthropic4({ apiKey: KEY, baseURL: `${server.url}/v1` })("claude-sonnet-4-6"),
    }),
  "Claude Agent SDK": () => claudeAgent(harness.url),
};

describe("the same agent, unchanged", () => {
  it.each(Object.keys(ADAPTERS))(
    "writes the same files, and rolls back its failing call, with %s (AD-27, AD-148)",
    async (name) => {
      const adapter = await ADAPTERS[name]?.();
      const seen = adapter && (await observe(adapter, spoil));
      expect(seen?.files).toEqual({ "a.txt": "hello", "b.txt": "world" });
      expect(seen?.response.output).toEqual(OUTPUT);
      const ended = seen?.log.filter(({ type }) => type === "run.end-tool-call") ?? [];
      expect(ended.map(({ facts }) => facts["status"])).toEqual([
        "succeeded",
        "succeeded",
        "failed",
      ]);
      expect(seen).toEqual(await observe(scripted(), spoil));
    },
  );
});

describe("a run recorded over HTTP", () => {
  it.each(ROWS)(
    "replays without the provider: the same events, files, output and log ($row) (AD-28)",
    async ({ model }) => {
      const provider = await DisturbedServer.start(writesTwoFiles);
      const recorder = new RecordingModel(model(provider.url));
      let recorded: Awaited<ReturnType<typeof observe>>;
      try {
        // A retried failure is part of the run.
        provider.faults.push("cut");
        recorded = await observe(new ModelAdapter(recorder, { retry: QUICK }));
      } finally {
        await provider.stop();
      }
      const cassette = parseCassette(JSON.stringify(recorder.cassette));
      expect(cassette.entries.length).toBe(3);
      const replayed = await observe(new ReplayAdapter({ cassette, retry: QUICK }));
      expect(replayed).toEqual(recorded);
      expect(replayed.log).toContainEqual(expect.objectContaining({ type: "run.retry-model" }));
    },
  );
});

function scripted(): ProviderAdapter {
  const usage = { inputTokens: 20, outputTokens: 10 };
  const call = (toolCallId: string, path: string, text: string) => ({
    ...{ tool: "put", toolCallId, input: { path, text } },
  });
  return new ScriptedAdapter({
    turns: [
      {
        text: "I will write two files for you now, one after the other.",
        calls: [call("call_a", "a.txt", "hello"), call("call_b", "b.txt", "world")],
        usage,
      },
      {
        text: "Now one call that fails.",
        calls: [{ tool: "spoil", toolCallId: "call_c", input: {} }],
        usage,
      },
      { text: ANSWER, usage },
    ],
  });
}

/** Everything observable about a run, except durations and the chunks of the text. */
async function observe(adapter: ProviderAdapter, ...tools: readonly Tool[]) {
  const agent = writer(...tools);
  const response = await agent.run(adapter);
  const log = agent.session.events.map(({ type, payload }) => {
    const {
      durationMs: _,
      delayMs: __,
      queuedMs: ___,
      revision: ____,
      ...facts
    } = payload as Record<string, unknown>;
    return { type, facts };
  });
  const events = agent.events.filter(({ type }) => type !== "text-delta");
  return { response, files: await agent.files(), log, events };
}
