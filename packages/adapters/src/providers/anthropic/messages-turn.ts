import type { Anthropic } from "@anthropic-ai/sdk";
import type { ModelSource } from "@wink/prompt";
import type {
  AskOptions,
  ModelToolCall,
  ModelTurn,
  ModelUsage,
} from "../../runtime/loop/model-client.js";
import { omitUndefined } from "../omit-undefined.js";
import { parseCallInput } from "../parse-call-input.js";
import { streamEndedEarly } from "../stream-ended-early.js";
import { ContentBlocks, type StreamedBlock } from "./content-blocks.js";

type Event = Anthropic.RawMessageStreamEvent;

/** Reads a turn to its end. Throws if the stream ends early. */
export async function readMessagesTurn(
  events: AsyncIterable<Event>,
  listeners: Pick<AskOptions, "onText" | "onThought">,
): Promise<ModelTurn> {
  let begun = false;
  let ended = false;
  let stopReason: Anthropic.StopReason | null = null;
  let usage: Partial<Anthropic.Usage> = {};
  let message: Partial<Anthropic.Message> = {};
  const blocks = new ContentBlocks(listeners);
  for await (const event of events) {
    begun = true;
    if (event.type === "message_start") {
      message = event.message;
      usage = event.message.usage;
    }
    if (event.type === "content_block_start") blocks.start(event.index, event.content_block);
    if (event.type === "content_block_delta") blocks.grow(event.index, event.delta);
    if (event.type === "message_delta") {
      stopReason = event.delta.stop_reason;
      usage = withCounted(usage, event.usage);
    }
    if (event.type === "message_stop") ended = true;
  }
  if (!ended) throw streamEndedEarly(begun);
  return turnOf(blocks.all, stopReason, usage, message);
}

/** Later counts replace earlier ones, if present. */
function withCounted(
  usage: Partial<Anthropic.Usage>,
  counted: Anthropic.MessageDeltaUsage | undefined,
): Partial<Anthropic.Usage> {
  const given = Object.entries(counted ?? {}).filter(([, value]) => value !== null);
  return { ...usage, ...Object.fromEntries(given) };
}

function turnOf(
  blocks: readonly StreamedBlock[],
  stopReason: Anthropic.StopReason | null,
  usage: Partial<Anthropic.Usage>,
  { id, model }: Partial<Anthropic.Message>,
): ModelTurn {
  const textOf = (type: string, field: string) =>
    blocks.map(({ block }) => (block.type === type ? String(block[field] ?? "") : "")).join("");
  const sources = blocks.flatMap(sourcesOf);
  return {
    text: textOf("text", "text"),
    toolCalls: blocks.flatMap(callsOf),
    usage: usageOf(usage),
    stopReason: stopReasonOf(stopReason),
    // All blocks, because thinking and results of the provider's tools are only valid at their original position.
    ...(!blocks.every(isPlain) && { providerData: { anthropic: blocks.flatMap(toSendBack) } }),
    ...omitUndefined({
      thoughts: textOf("thinking", "thinking") || undefined,
      responseId: id,
      model,
      sources: sources.length === 0 ? undefined : sources,
    }),
  };
}

/** Whether the loop's own message contains all data of the block. */
function isPlain({ block }: StreamedBlock): boolean {
  return block.type === "tool_use" || (block.type === "text" && !block["citations"]);
}

function stopReasonOf(stopReason: Anthropic.StopReason | null): ModelTurn["stopReason"] {
  if (stopReason === "refusal") return "refused";
  if (stopReason === "pause_turn") return "paused";
  const cut = stopReason === "max_tokens" || stopReason === "model_context_window_exceeded";
  return cut ? "length" : "end";
}

function callsOf({ block, json }: StreamedBlock): readonly ModelToolCall[] {
  if (block.type !== "tool_use") return [];
  // The API always sends both.
  const { id, name } = block as { readonly id?: string; readonly name?: string };
  return [
    {
      toolCallId: id ?? "",
      toolName: name ?? "",
      arguments: argumentsOf(block["input"], json),
    },
  ];
}

/**
 * A call without arguments has no JSON deltas, and servers that do not stream send the input at
 * the start.
 */
function argumentsOf(input: unknown, json: string): string {
  return json === "" ? JSON.stringify(input ?? {}) : json;
}

function toSendBack({ block, json }: StreamedBlock): readonly unknown[] {
  if (block.type === "tool_use") {
    const { type, id, name, input } = block;
    return [{ type, id, name, input: parseCallInput(argumentsOf(input, json)) }];
  }
  // The provider sends empty texts but refuses to receive them.
  if (block.type === "text" && String(block["text"] ?? "").trim() === "") return [];
  // A tool of the provider streams its input like ours.
  return [json === "" ? block : { ...block, input: parseCallInput(json) }];
}

function sourcesOf({ block }: StreamedBlock): readonly ModelSource[] {
  const citations = block["citations"];
  if (!Array.isArray(citations)) return [];
  return citations.map(({ url, title, document_title }: Readonly<Record<string, unknown>>) =>
    omitUndefined({ url: textOrNone(url), title: textOrNone(title ?? document_title) }),
  );
}

function textOrNone(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** The API's input count does not include tokens read from or written to the cache. */
function usageOf(usage: Partial<Anthropic.Usage>): ModelUsage {
  const cachedInputTokens = usage.cache_read_input_tokens ?? 0;
  const cacheWriteTokens = usage.cache_creation_input_tokens ?? 0;
  return {
    inputTokens: (usage.input_tokens ?? 0) + cachedInputTokens + cacheWriteTokens,
    outputTokens: usage.output_tokens ?? 0,
    cachedInputTokens,
    cacheWriteTokens,
  };
}
