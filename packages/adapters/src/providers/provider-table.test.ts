import { createAnthropic } from "@ai-sdk/anthropic";
import { createAnthropic as createAnthropic7 } from "@ai-sdk/anthropic-4";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAI as createOpenAI7 } from "@ai-sdk/openai-4";
import {
  type AgentEvent,
  type ConversationMessage,
  defineTool,
  MarkdownSection,
  type ModelSettings,
  ok,
  Prompt,
  type PromptResponse,
  PromptTemplate,
} from "@wink/prompt";
import { Session } from "@wink/session";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import type { ContextOptions } from "../runtime/loop/context-window.js";
import { ModelAdapter } from "../runtime/loop/model-adapter.js";
import type { ModelClient } from "../runtime/loop/model-client.js";
import { AiSdkModel } from "./ai-sdk/ai-sdk-model.js";
import { AnthropicModel } from "./anthropic/anthropic-model.js";
import { OpenAIModel } from "./openai/openai-model.js";
import { chat, claude, responses } from "./provider-streams.test.support.js";
import { type Answer, type Json, type Reply, StreamServer } from "./stream-server.test.support.js";
import { PIXEL } from "./writer.test.support.js";

// The table of provider and feature: nothing that a provider sends or accepts may be lost without a word. Every cell
// is a run of the whole loop over HTTP. A text instead of a test says why the cell is empty.

const FEATURES = [
  ...["thoughts are events", "thoughts go back", "hidden thoughts go back"],
  ...["tools of the provider, next to ours", "their calls and results go back"],
  ...["sources are reported, citations go back", "a paused turn continues"],
  ...["what is not known goes back", "the phase of a message goes back"],
  ...["a forced tool counts for one turn", "temperature", "effort", "output limit"],
  ...["service tier", "provider options", "more fields keep our tools and schema"],
  ...["strict tools", "beta features", "lifetime of the cache", "tokens of the cache"],
  ...["tokens of thoughts", "cost", "id and model of the answer", "warnings", "images of a user"],
  ...["a request that is too long is shortened", "compaction"],
] as const;
type Feature = (typeof FEATURES)[number];

interface Cell {
  readonly answers: readonly Answer[];
  readonly options?: Json;
  readonly settings?: ModelSettings;
  readonly messages?: readonly ConversationMessage[];
  readonly context?: ContextOptions;
  readonly hasOutput?: true;
  readonly model?: string;
  readonly check: (seen: Seen) => void;
  /** The code of the error, if the run must fail. */
  readonly fails?: string;
}
type Cells = Readonly<Record<Feature, Cell | string>>;

interface Seen {
  readonly bodies: readonly Json[];
  readonly beta: unknown;
  readonly events: readonly AgentEvent[];
  readonly response: PromptResponse<unknown>;
  /** The conversation of the second request, as JSON. */
  readonly back: string;
}

const SEARCH_CITED = { url: "https://a.example", title: "A" };
const IMAGE_URL = `data:image/png;base64,${PIXEL}`;
const PICTURE: readonly ConversationMessage[] = [
  { role: "user", text: "See.", images: [{ mediaType: "image/png", data: PIXEL }] },
];
const LONG = "word ".repeat(2_000);

/** What the cells need to speak an API. */
interface Dialect {
  turn(parts: readonly unknown[], isCall: boolean, usage?: Json): Reply;
  text(text: string): unknown;
  call(id?: string): unknown;
  /** The usage of a request with these numbers of tokens. */
  counted(tokens: number): Json;
  /** The refusal of a request that is too long. */
  readonly tooLong: Reply;
}

/** A turn with a call of our tool, and then the end. */
function calls(dialect: Dialect, ...parts: readonly unknown[]): readonly Answer[] {
  return [dialect.turn([...parts, dialect.call()], true), ends(dialect)];
}

function ends({ turn, text }: Dialect, usage?: Json): Reply {
  return turn([text("Done.")], false, usage);
}

const thought = ({ events }: Seen) =>
  events.flatMap((event) => (event.type === "thought-delta" ? [event.text] : [])).join("");
const facts = ({ events }: Seen) =>
  events.flatMap((event) => (event.type === "turn-finished" ? [event.answer] : []));

/** Both requests have the field. */
const inBoth = (field: Json) => (seen: Seen) => {
  expect(seen.bodies).toHaveLength(2);
  for (const body of seen.bodies) expect(body).toMatchObject(field);
};

/** The cells that look the same in every API. */
function shared(dialect: Dialect) {
  const script = () => {
    let asked = 0;
    return (body: Json): Reply => {
      const json = JSON.stringify(body);
      const usage = dialect.counted(Math.ceil(json.length / 4));
      if (json.includes("The conversation is about to be shortened"))
        return dialect.turn([dialect.text("Long.<decisions>- Keep X</decisions>")], false, usage);
      if (++asked > 14) return ends(dialect, usage);
      const text = dialect.text("I look at one more thing. ".repeat(120));
      return dialect.turn([text, dialect.call(`call_${asked}`)], true, usage);
    };
  };
  return {
    "a request that is too long is shortened": {
      answers: [
        ...["a", "b", "c"].map((id) => dialect.turn([dialect.call(id)], true)),
        ...[dialect.tooLong, ends(dialect)],
      ],
      context: { keepResults: 1 },
      check: ({ bodies, response }: Seen) => {
        expect(response).toMatchObject({ text: "Done.", finishReason: "completed" });
        expect(bodies).toHaveLength(5);
        const [refused = "", shorter = ""] = bodies.slice(3).map((body) => JSON.stringify(body));
        expect(refused).not.toContain("was removed to save space");
        expect(shorter).toContain("was removed to save space");
        expect(shorter.length).toBeLessThan(refused.length * 0.6);
      },
    },
    compaction: {
      get answers() {
        return [script()];
      },
      context: { windowTokens: 20_000, keepResults: 1 },
      check: ({ bodies, response }: Seen) => {
        expect(response).toMatchObject({ text: "Done.", finishReason: "completed" });
        const last = JSON.stringify(bodies.at(-1));
        expect(last).toContain("## Decisions that stay valid\\n\\n- Keep X");
        expect(last).toContain("Look around.");
        for (const body of bodies) expect(JSON.stringify(body).length).toBeLessThan(20_000 * 4);
      },
    },
  } satisfies Partial<Record<Feature, Cell>>;
}

// https://platform.claude.com/docs/en/build-with-claude/extended-thinking, …/agents-and-tools/tool-use/web-search-tool,
// …/build-with-claude/handling-stop-reasons, …/build-with-claude/prompt-caching, …/api/errors
const MESSAGES = messagesCells();
function messagesCells(): Cells {
  const { block } = claude;
  const dialect: Dialect = {
    ...claude,
    turn: (parts, isCall, usage) =>
      claude.turn(parts as ReturnType<typeof block>[], isCall ? "tool_use" : "end_turn", usage),
    counted: (input_tokens) => ({ input_tokens }),
    tooLong: {
      status: 400,
      body: {
        type: "error",
        error: {
          type: "invalid_request_error",
          message: "prompt is too long: 205000 tokens > 200000 maximum",
        },
      },
    },
  };
  const thinking = block(
    { type: "thinking", thinking: "", signature: "" },
    { type: "thinking_delta", thinking: "Let me " },
    { type: "thinking_delta", thinking: "look." },
    { type: "signature_delta", signature: "c2lnbmVk" },
  );
  const searched = [
    block(
      { type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: {} },
      { type: "input_json_delta", partial_json: '{"query":"weather"}' },
    ),
    block({
      type: "web_search_tool_result",
      tool_use_id: "srvtoolu_1",
      content: [
        {
          ...{ type: "web_search_result", ...SEARCH_CITED },
          page_age: null,
          encrypted_content: "E==",
        },
      ],
    }),
  ];
  const location = { type: "web_search_result_location", ...SEARCH_CITED, encrypted_index: "I==" };
  const cited = block(
    { type: "text", text: "", citations: [] },
    { type: "text_delta", text: "Sunny." },
    { type: "citations_delta", citation: { ...location, cited_text: "sun" } },
  );
  const tool = { type: "web_search_20250305", name: "web_search" };
  const usage = { cache_read_input_tokens: 1_000, cache_creation_input_tokens: 200 };
  return {
    ...shared(dialect),
    "thoughts are events": {
      answers: calls(dialect, thinking),
      check: (seen) => expect(thought(seen)).toBe("Let me look."),
    },
    "thoughts go back": {
      answers: calls(dialect, thinking),
      check: ({ back }) =>
        expect(back).toContain('"thinking":"Let me look.","signature":"c2lnbmVk"'),
    },
    "hidden thoughts go back": {
      answers: calls(dialect, block({ type: "redacted_thinking", data: "R==" })),
      check: ({ back }) => expect(back).toContain('{"type":"redacted_thinking","data":"R=="}'),
    },
    "tools of the provider, next to ours": {
      answers: calls(dialect),
      options: { extraBody: { tools: [tool] } },
      check: inBoth({ tools: [{ name: "look" }, tool] }),
    },
    "their calls and results go back": {
      answers: calls(dialect, ...searched),
      options: { extraBody: { tools: [tool] } },
      check: ({ back }) => {
        expect(back).toContain('"input":{"query":"weather"}');
        expect(back).toContain('"encrypted_content":"E=="');
      },
    },
    "sources are reported, citations go back": {
      answers: calls(dialect, ...searched, cited),
      options: { extraBody: { tools: [tool] } },
      check: (seen) => {
        expect(facts(seen)[0]?.sources).toContainEqual(SEARCH_CITED);
        expect(seen.back).toContain('"encrypted_index":"I=="');
      },
    },
    "a paused turn continues": {
      answers: [claude.turn(searched, "pause_turn"), ends(dialect)],
      options: { extraBody: { tools: [tool] } },
      check: ({ bodies, back, response }) => {
        expect([bodies.length, response.text]).toEqual([2, "Done."]);
        expect(back).toContain("srvtoolu_1");
      },
    },
    "what is not known goes back": {
      answers: calls(dialect, block({ type: "hologram", frames: [1, 2] })),
      check: ({ back }) => expect(back).toContain('{"type":"hologram","frames":[1,2]}'),
    },
    "the phase of a message goes back": "the API has no phases",
    "a forced tool counts for one turn": {
      answers: calls(dialect),
      settings: { toolChoice: { tool: "look" } },
      check: ({ bodies: [first, second] }) => {
        expect(first?.["tool_choice"]).toMatchObject({ type: "tool", name: "look" });
        expect((second?.["tool_choice"] as Json | undefined)?.["type"] ?? "auto").toBe("auto");
      },
    },
    temperature: {
      answers: calls(dialect),
      settings: { temperature: 0.25 },
      check: inBoth({ temperature: 0.25 }),
    },
    effort: {
      answers: calls(dialect),
      settings: { effort: "low" },
      check: inBoth({ output_config: { effort: "low" } }),
    },
    "output limit": {
      answers: calls(dialect),
      settings: { maxOutputTokens: 99 },
      check: inBoth({ max_tokens: 99 }),
    },
    "service tier": {
      answers: calls(dialect),
      settings: { serviceTier: "standard_only" },
      check: inBoth({ service_tier: "standard_only" }),
    },
    "provider options": {
      answers: calls(dialect),
      settings: { providerOptions: { anthropic: { metadata: { user_id: "u" } } } },
      check: inBoth({ metadata: { user_id: "u" } }),
    },
    "more fields keep our tools and schema": {
      answers: [dialect.turn([dialect.text('{"a":"x"}')], false)],
      options: { extraBody: { top_k: 5, tools: [tool], output_config: { format: null } } },
      hasOutput: true,
      check: ({ bodies: [body] }) =>
        expect(body).toMatchObject({
          ...{ top_k: 5, tools: [{ name: "look" }, tool] },
          output_config: { format: { type: "json_schema" } },
        }),
    },
    "strict tools": {
      answers: calls(dialect),
      options: { strictTools: true },
      check: inBoth({ tools: [{ name: "look", strict: true }] }),
    },
    "beta features": {
      answers: calls(dialect),
      options: { betas: ["b-1", "b-2"] },
      check: ({ beta }) => expect(beta).toBe("b-1,b-2"),
    },
    "lifetime of the cache": {
      answers: calls(dialect),
      options: { cacheTtl: "1h" },
      check: inBoth({ system: [{ cache_control: { type: "ephemeral", ttl: "1h" } }] }),
    },
    "tokens of the cache": {
      answers: [ends(dialect, usage)],
      check: ({ response }) =>
        expect(response.usage).toMatchObject({
          ...{ inputTokens: 1_220, cachedInputTokens: 1_000, cacheWriteTokens: 200 },
        }),
    },
    "tokens of thoughts": {
      answers: [ends(dialect, { output_tokens_details: { thinking_tokens: 7 } })],
      check: ({ response }) => expect(response.usage.reasoningTokens).toBe(7),
    },
    cost: {
      answers: [ends(dialect, usage)],
      check: ({ response }) =>
        // 20 new, 1,000 read, 200 written, 10 of output.
        expect(response.usage.costUsd).toBeCloseTo((60 + 300 + 750 + 150) / 1e6, 12),
    },
    "id and model of the answer": {
      answers: calls(dialect),
      check: (seen) =>
        expect(facts(seen)[0]).toMatchObject({ responseId: "msg_1", model: "claude-x-20260101" }),
    },
    warnings: "the API refuses what it does not support",
    "images of a user": {
      answers: [ends(dialect)],
      messages: PICTURE,
      check: ({ bodies }) => {
        const source = { type: "base64", media_type: "image/png", data: PIXEL };
        expect(JSON.stringify(bodies)).toContain(JSON.stringify({ type: "image", source }));
      },
    },
  };
}

// https://developers.openai.com/api/docs/guides/reasoning, …/guides/tools-web-search, …/guides/conversation-state,
// …/api/reference/resources/responses, …/guides/error-codes
const RESPONSES = responsesCells();
function responsesCells(): Cells {
  const dialect: Dialect = {
    ...responses,
    turn: (parts, _, usage) => responses.turn(parts as Json[], usage),
    counted: (input_tokens) => ({ input_tokens }),
    tooLong: {
      status: 400,
      body: {
        error: {
          ...{ type: "invalid_request_error", code: "context_length_exceeded", param: "input" },
          message: "Your input exceeds the context window of this model.",
        },
      },
    },
  };
  const search = {
    ...{ type: "web_search_call", id: "ws_1", status: "completed" },
    action: { type: "search", query: "weather" },
  };
  const citation = { type: "url_citation", ...SEARCH_CITED, start_index: 0, end_index: 5 };
  const tool = { type: "web_search" };
  const usage = {
    input_tokens_details: { cached_tokens: 15 },
    output_tokens_details: { reasoning_tokens: 6 },
  };
  const encrypted = responses.reasoning("I look.", { encrypted_content: "E==" });
  return {
    ...shared(dialect),
    "thoughts are events": {
      answers: calls(dialect, responses.reasoning("I look.")),
      check: (seen) => expect(thought(seen)).toBe("I look."),
    },
    "thoughts go back": {
      answers: calls(dialect, responses.reasoning("I look.")),
      check: ({ back }) => expect(back).toContain('"id":"rs_1"'),
    },
    "hidden thoughts go back": {
      answers: calls(dialect, encrypted),
      options: { store: false },
      check: ({ back, bodies }) => {
        expect(bodies[0]).toMatchObject({ store: false, include: ["reasoning.encrypted_content"] });
        expect(back).toContain('"encrypted_content":"E=="');
      },
    },
    "tools of the provider, next to ours": {
      answers: calls(dialect),
      options: { extraBody: { tools: [tool] } },
      check: inBoth({ tools: [{ name: "look" }, tool] }),
    },
    "their calls and results go back": {
      answers: calls(dialect, search),
      options: { extraBody: { tools: [tool] } },
      check: ({ back }) => expect(back).toContain('"id":"ws_1"'),
    },
    "sources are reported, citations go back": {
      answers: calls(dialect, responses.text("Sunny.", {}, [citation])),
      check: (seen) => {
        expect(facts(seen)[0]?.sources).toEqual([SEARCH_CITED]);
        expect(seen.back).toContain('"url_citation"');
      },
    },
    "a paused turn continues": "the API does not pause",
    "what is not known goes back": {
      answers: calls(dialect, { type: "hologram", id: "h_1", frames: [1] }),
      check: ({ back }) => expect(back).toContain('{"type":"hologram","id":"h_1","frames":[1]}'),
    },
    "the phase of a message goes back": {
      answers: calls(dialect, responses.text("First I look.", { phase: "commentary" })),
      check: ({ back }) => expect(back).toContain('"phase":"commentary"'),
    },
    "a forced tool counts for one turn": {
      answers: calls(dialect),
      settings: { toolChoice: { tool: "look" } },
      check: ({ bodies: [first, second] }) => {
        expect(first?.["tool_choice"]).toEqual({ type: "function", name: "look" });
        expect(second).not.toHaveProperty("tool_choice");
      },
    },
    temperature: {
      answers: calls(dialect),
      model: "gpt-4o",
      settings: { temperature: 0.25 },
      check: inBoth({ temperature: 0.25 }),
    },
    effort: {
      answers: calls(dialect),
      settings: { effort: "low" },
      check: inBoth({ reasoning: { effort: "low" } }),
    },
    "output limit": {
      answers: calls(dialect),
      settings: { maxOutputTokens: 99 },
      check: inBoth({ max_output_tokens: 99 }),
    },
    "service tier": {
      answers: calls(dialect),
      settings: { serviceTier: "flex" },
      check: inBoth({ service_tier: "flex" }),
    },
    "provider options": {
      answers: calls(dialect),
      settings: { providerOptions: { openai: { safety_identifier: "u" } } },
      check: inBoth({ safety_identifier: "u" }),
    },
    "more fields keep our tools and schema": {
      answers: [dialect.turn([responses.text('{"a":"x"}')], false)],
      options: {
        extraBody: { tools: [tool], text: { verbosity: "low", format: { type: "text" } } },
      },
      hasOutput: true,
      check: ({ bodies: [body] }) =>
        expect(body).toMatchObject({
          tools: [{ name: "look" }, tool],
          text: { verbosity: "low", format: { type: "json_schema" } },
        }),
    },
    "strict tools": {
      answers: calls(dialect),
      check: inBoth({ tools: [{ name: "look", strict: true }] }),
    },
    "beta features": "the API has no such header",
    "lifetime of the cache": {
      answers: calls(dialect),
      options: { extraBody: { prompt_cache_retention: "24h" } },
      check: inBoth({ prompt_cache_retention: "24h" }),
    },
    "tokens of the cache": {
      answers: [ends(dialect, usage)],
      check: ({ response }) => expect(response.usage).toMatchObject({ cachedInputTokens: 15 }),
    },
    "tokens of thoughts": {
      answers: [ends(dialect, usage)],
      check: ({ response }) => expect(response.usage).toMatchObject({ reasoningTokens: 6 }),
    },
    cost: {
      answers: [ends(dialect, usage)],
      check: ({ response }) =>
        // 5 new, 15 read, 10 of output.
        expect(response.usage.costUsd).toBeCloseTo((15 + 4.5 + 150) / 1e6, 12),
    },
    "id and model of the answer": {
      answers: calls(dialect),
      check: (seen) =>
        expect(facts(seen)[0]).toMatchObject({ responseId: "resp_1", model: "gpt-x-2026" }),
    },
    warnings: "the API refuses what it does not support",
    "images of a user": {
      answers: [ends(dialect)],
      messages: PICTURE,
      check: ({ bodies }) => expect(JSON.stringify(bodies)).toContain(`"image_url":"${IMAGE_URL}"`),
    },
  };
}

// https://api-docs.deepseek.com/guides/thinking_mode, https://openrouter.ai/docs/use-cases/reasoning-tokens,
// https://ai.google.dev/gemini-api/docs/thought-signatures, https://openrouter.ai/docs/features/web-search
const CHAT = chatCells();
function chatCells(): Cells {
  const dialect: Dialect = {
    ...chat,
    turn: (parts, isCall, usage) =>
      chat.turn(parts as Json[], isCall ? "tool_calls" : "stop", usage),
    counted: (prompt_tokens) => ({ prompt_tokens }),
    tooLong: {
      status: 400,
      body: {
        error: {
          ...{ type: "invalid_request_error", code: "context_length_exceeded", param: "messages" },
          message: "This model's maximum context length is 8192 tokens.",
        },
      },
    },
  };
  const detail = (more: Json) => ({ reasoning_details: [{ index: 0, ...more }] });
  const extra_content = { google: { thought_signature: "c2lnbmVk" } };
  const usage = {
    prompt_tokens_details: { cached_tokens: 15 },
    completion_tokens_details: { reasoning_tokens: 6 },
  };
  const annotations = [{ type: "url_citation", url_citation: SEARCH_CITED }];
  return {
    ...RESPONSES,
    ...shared(dialect),
    "thoughts are events": {
      answers: calls(dialect, { reasoning_content: "Let me " }, { reasoning_content: "look." }),
      check: (seen) => expect(thought(seen)).toBe("Let me look."),
    },
    "thoughts go back": {
      answers: [
        dialect.turn(
          [
            { reasoning_content: "Let me look." },
            detail({ type: "reasoning.text", text: "I " }),
            detail({ type: "reasoning.text", text: "look.", signature: "s" }),
            chat.call("call_1", { extra_content }),
          ],
          true,
        ),
        ends(dialect),
      ],
      check: ({ back }) => {
        expect(back).toContain('"reasoning_content":"Let me look."');
        expect(back).toContain('"text":"I look.","signature":"s"');
        expect(back).toContain('"thought_signature":"c2lnbmVk"');
      },
    },
    "hidden thoughts go back": {
      answers: calls(dialect, detail({ type: "reasoning.encrypted", data: "E==" })),
      check: ({ back }) => expect(back).toContain('"type":"reasoning.encrypted","data":"E=="'),
    },
    "tools of the provider, next to ours": {
      answers: calls(dialect),
      options: { extraBody: { tools: [{ type: "custom" }] } },
      check: inBoth({ tools: [{ function: { name: "look" } }, { type: "custom" }] }),
    },
    "their calls and results go back": "the API does not show them",
    "sources are reported, citations go back": {
      answers: calls(dialect, { content: "Sunny.", annotations }),
      check: (seen) => {
        expect(facts(seen)[0]?.sources).toEqual([SEARCH_CITED]);
        expect(seen.back).toContain('"url_citation"');
      },
    },
    "what is not known goes back": {
      answers: calls(dialect, { hologram: "a" }, { hologram: "b" }),
      check: ({ back }) => expect(back).toContain('"hologram":"ab"'),
    },
    "the phase of a message goes back": "the API has no phases",
    "a forced tool counts for one turn": {
      answers: calls(dialect),
      settings: { toolChoice: { tool: "look" } },
      check: ({ bodies: [first, second] }) => {
        expect(first?.["tool_choice"]).toEqual({ type: "function", function: { name: "look" } });
        expect(second).not.toHaveProperty("tool_choice");
      },
    },
    temperature: {
      answers: calls(dialect),
      settings: { temperature: 0.25 },
      check: inBoth({ temperature: 0.25 }),
    },
    effort: {
      answers: calls(dialect),
      settings: { effort: "low" },
      check: inBoth({ reasoning_effort: "low" }),
    },
    "output limit": {
      answers: calls(dialect),
      settings: { maxOutputTokens: 99 },
      check: inBoth({ max_tokens: 99 }),
    },
    "service tier": {
      answers: calls(dialect),
      settings: { serviceTier: "flex" },
      check: inBoth({ service_tier: "flex" }),
    },
    "provider options": {
      answers: calls(dialect),
      settings: { providerOptions: { openai: { seed: 7 } } },
      check: inBoth({ seed: 7 }),
    },
    "more fields keep our tools and schema": {
      answers: [dialect.turn([chat.text('{"a":"x"}')], false)],
      options: {
        extraBody: { tools: [{ type: "custom" }], top_p: 1, response_format: { type: "text" } },
      },
      hasOutput: true,
      check: ({ bodies: [body] }) =>
        expect(body).toMatchObject({
          ...{ top_p: 1, tools: [{ function: { name: "look" } }, { type: "custom" }] },
          response_format: { type: "json_schema" },
        }),
    },
    "strict tools": {
      answers: calls(dialect),
      check: inBoth({ tools: [{ function: { name: "look", strict: true } }] }),
    },
    "lifetime of the cache": {
      answers: calls(dialect),
      options: { extraBody: { prompt_cache_retention: "24h" } },
      check: inBoth({ prompt_cache_retention: "24h" }),
    },
    "tokens of the cache": {
      answers: [ends(dialect, usage)],
      check: ({ response }) => expect(response.usage).toMatchObject({ cachedInputTokens: 15 }),
    },
    "tokens of thoughts": {
      answers: [ends(dialect, usage)],
      check: ({ response }) => expect(response.usage).toMatchObject({ reasoningTokens: 6 }),
    },
    cost: {
      answers: [ends(dialect, usage)],
      check: ({ response }) =>
        expect(response.usage.costUsd).toBeCloseTo((15 + 4.5 + 150) / 1e6, 12),
    },
    "id and model of the answer": {
      answers: calls(dialect),
      check: (seen) =>
        expect(facts(seen)[0]).toMatchObject({ responseId: "chat_1", model: "llama-x" }),
    },
    "images of a user": {
      answers: [ends(dialect)],
      messages: PICTURE,
      check: ({ bodies }) => expect(JSON.stringify(bodies)).toContain(`"url":"${IMAGE_URL}"`),
    },
  };
}

/** The cell of an API with the options that the AI SDK takes. */
function sdk(cell: Cell | string, more: Partial<Cell>): Cell {
  if (typeof cell === "string") throw new Error(cell);
  return { ...cell, ...more };
}

const NO_OPTION = "the AI SDK has no option for it";
const warned = (what: RegExp) => (seen: Seen) =>
  expect(facts(seen)[0]?.warnings?.join()).toMatch(what);

// https://ai-sdk.dev/providers/ai-sdk-providers/anthropic
const SDK_MESSAGES = sdkMessagesCells();
function sdkMessagesCells(): Cells {
  const tool = { type: "provider", id: "anthropic.web_search_20250305", name: "web_search" };
  const options = { extraOptions: { tools: [{ ...tool, args: {} }] } };
  const own = (anthropic: Json) => ({ providerOptions: { anthropic } });
  return {
    ...MESSAGES,
    "tools of the provider, next to ours": sdk(MESSAGES["tools of the provider, next to ours"], {
      options,
    }),
    "their calls and results go back": sdk(MESSAGES["their calls and results go back"], {
      options,
    }),
    "sources are reported, citations go back": sdk(
      MESSAGES["sources are reported, citations go back"],
      // The package does not send citations back.
      { options, check: (seen) => expect(facts(seen)[0]?.sources).toContainEqual(SEARCH_CITED) },
    ),
    "a paused turn continues": sdk(MESSAGES["a paused turn continues"], { options }),
    "what is not known goes back": sdk(MESSAGES["what is not known goes back"], {
      fails: "MALFORMED",
    }),
    "provider options": sdk(MESSAGES["provider options"], {
      settings: own({ metadata: { userId: "u" } }),
    }),
    "more fields keep our tools and schema": sdk(
      MESSAGES["more fields keep our tools and schema"],
      { options: { extraOptions: { ...options.extraOptions, topK: 5, responseFormat: null } } },
    ),
    "strict tools": NO_OPTION,
    "tokens of thoughts": "the package does not report them",
    "beta features": sdk(MESSAGES["beta features"], {
      options: { extraOptions: { headers: { "anthropic-beta": "b-1,b-2" } } },
      check: ({ beta }) => expect(beta).toContain("b-1,b-2"),
    }),
    "lifetime of the cache": sdk(MESSAGES["lifetime of the cache"], {
      options: own({ cacheControl: { type: "ephemeral", ttl: "1h" } }),
      check: inBoth({ cache_control: { type: "ephemeral", ttl: "1h" } }),
    }),
    warnings: {
      answers: [claude.turn([claude.text("Done.")], "end_turn")],
      options: { extraOptions: { seed: 7 } },
      check: warned(/seed/),
    },
  };
}

/** Version 6 of the package does not know the service tier. */
const SDK6_MESSAGES: Cells = {
  ...SDK_MESSAGES,
  "service tier": sdk(SDK_MESSAGES["service tier"], {
    check: warned(/serviceTier \(the package did not send "standard_only"\)/),
  }),
};

// https://ai-sdk.dev/providers/ai-sdk-providers/openai
const SDK_RESPONSES = sdkResponsesCells();
function sdkResponsesCells(): Cells {
  const tool = { type: "provider", id: "openai.web_search", name: "web_search", args: {} };
  const options = { extraOptions: { tools: [tool] } };
  const own = (openai: Json) => ({ providerOptions: { openai } });
  return {
    ...RESPONSES,
    "hidden thoughts go back": sdk(RESPONSES["hidden thoughts go back"], {
      options: own({ store: false }),
    }),
    "tools of the provider, next to ours": sdk(RESPONSES["tools of the provider, next to ours"], {
      options,
    }),
    "their calls and results go back": sdk(RESPONSES["their calls and results go back"], {
      options,
    }),
    "sources are reported, citations go back": sdk(
      RESPONSES["sources are reported, citations go back"],
      // The package sends only the text back.
      { check: (seen) => expect(facts(seen)[0]?.sources).toEqual([SEARCH_CITED]) },
    ),
    "what is not known goes back": "the package does not show it",
    "provider options": sdk(RESPONSES["provider options"], {
      settings: own({ safetyIdentifier: "u" }),
    }),
    "more fields keep our tools and schema": sdk(
      RESPONSES["more fields keep our tools and schema"],
      {
        options: {
          extraOptions: { tools: [tool], responseFormat: { type: "text" } },
          ...own({ textVerbosity: "low" }),
        },
      },
    ),
    "lifetime of the cache": sdk(RESPONSES["lifetime of the cache"], {
      options: own({ promptCacheRetention: "24h" }),
    }),
    warnings: {
      answers: [responses.turn([responses.text("Done.")])],
      options: { extraOptions: { topK: 5 } },
      check: warned(/topK/),
    },
  };
}

interface Row {
  readonly row: string;
  readonly cells: Cells;
  model(url: string, options: Json, model: string | undefined): ModelClient;
}

// The options of a cell fit the model of its row.
const ROWS: readonly Row[] = [
  {
    row: "OpenAI responses",
    cells: RESPONSES,
    model: (baseURL, options, model = "gpt-5") =>
      new OpenAIModel({ model, apiKey: "x", baseURL, ...options }),
  },
  {
    row: "OpenAI chat and compatible servers",
    cells: CHAT,
    model: (baseURL, options, model = "llama") =>
      new OpenAIModel({ model, api: "chat", apiKey: "x", baseURL, ...options }),
  },
  {
    row: "Anthropic",
    cells: MESSAGES,
    model: (baseURL, options, model = "claude-sonnet-4-6") =>
      new AnthropicModel({ model, apiKey: "x", baseURL, ...options }),
  },
  {
    row: "AI SDK 6, OpenAI",
    cells: SDK_RESPONSES,
    model: (baseURL, options, model = "gpt-5") =>
      new AiSdkModel({ model: createOpenAI({ apiKey: "x", baseURL })(model), ...options }),
  },
  {
    row: "AI SDK 7, OpenAI",
    cells: SDK_RESPONSES,
    model: (baseURL, options, model = "gpt-5") =>
      new AiSdkModel({ model: createOpenAI7({ apiKey: "x", baseURL })(model), ...options }),
  },
  {
    row: "AI SDK 6, Anthropic",
    cells: SDK6_MESSAGES,
    model: (baseURL, options, model = "claude-sonnet-4-6") =>
      new AiSdkModel({ model: createAnthropic({ apiKey: "x", baseURL })(model), ...options }),
  },
  {
    row: "AI SDK 7, Anthropic",
    cells: SDK_MESSAGES,
    model: (baseURL, options, model = "claude-sonnet-4-6") =>
      new AiSdkModel({ model: createAnthropic7({ apiKey: "x", baseURL })(model), ...options }),
  },
];

const look = defineTool({
  name: "look",
  description: "Looks.",
  input: z.object({ detail: z.string() }),
  access: "read",
  handler: () => ok(LONG, "Seen."),
  render: (text) => text,
});

function promptFor(hasOutput: boolean) {
  const sections = [
    new MarkdownSection({ key: "task", title: "Task", template: "Look around.", tools: [look] }),
  ];
  const about = { ns: "tests", key: "table", sections };
  return hasOutput
    ? new Prompt(new PromptTemplate({ ...about, output: z.object({ a: z.string() }) })).bind({})
    : new Prompt(new PromptTemplate(about)).bind({});
}

const server = new StreamServer();
beforeAll(() => server.start());
afterAll(() => server.stop());

async function evaluate({ model }: Row, cell: Cell): Promise<Seen> {
  const { answers, options = {}, settings, messages, context, hasOutput = false } = cell;
  const { url, requests } = server.answer(...answers);
  const prices = { inputUsd: 3, outputUsd: 15, cachedInputUsd: 0.3, cacheWriteUsd: 3.75 };
  const adapter = new ModelAdapter(model(url, options, cell.model), {
    ...{ prices, context, retry: { maxAttempts: 1 } },
  });
  const events: AgentEvent[] = [];
  const response = await adapter.evaluate(promptFor(hasOutput), {
    ...{ session: new Session(), settings, messages, onEvent: (event) => void events.push(event) },
  });
  const bodies = requests.map(({ body }) => body);
  const { messages: sent, input } = bodies[1] ?? {};
  const beta = requests[0]?.headers["anthropic-beta"];
  return { bodies, beta, events, response, back: JSON.stringify(sent ?? input ?? []) };
}

describe.each(ROWS)("$row", (row) => {
  for (const feature of FEATURES) {
    const cell = row.cells[feature];
    if (typeof cell === "string") continue;
    it(`${feature} (AD-80, AD-86)`, async () => {
      const seen = evaluate(row, cell);
      if (cell.fails === undefined) cell.check(await seen);
      else await expect(seen).rejects.toMatchObject({ code: cell.fails });
    });
  }
});
