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
      message = { ...message, ...omitUndefined({ container: event.delta.container ?? undefined }) };
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
  { id, model, container }: Partial<Anthropic.Message>,
): ModelTurn {
  const textOf = (type: string, field: string) =>
    blocks.map(({ block }) => (block.type === type ? String(block[field] ?? "") : "")).join("");
  const sources = blocks.flatMap(sourcesOf);
  const sentBack = {
    // All blocks, because thinking and results of the provider's tools are only valid at their original position.
    ...(!blocks.every(isPlain) && { anthropic: blocks.flatMap(toSendBack) }),
    // The provider's tools keep their files and variables in it.
    ...(container?.id && { anthropicContainer: container.id }),
  };
  return {
    text: textOf("text", "text"),
    toolCalls: blocks.flatMap(callsOf),
    usage: usageOf(usage),
    stopReason: stopReasonOf(stopReason),
    ...(Object.keys(sentBack).length > 0 && { providerData: sentBack }),
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
  const { type, caller } = block as Partial<Anthropic.ToolUseBlock>;
  if (type === "tool_use" && (caller ?? DIRECT).type !== DIRECT.type) return false;
  const known: readonly string[] = PLAIN[block.type] ?? [];
  const isKnown = ([name, value]: [string, unknown]) => known.includes(name) || value === null;
  return PLAIN[block.type] !== undefined && Object.entries(block).every(isKnown);
}

const DIRECT = { type: "direct" } as const;
const PLAIN: Readonly<Record<string, readonly string[]>> = {
  tool_use: ["type", "id", "name", "input", "caller"],
  text: ["type", "text"],
};

function stopReasonOf(stopReason: Anthropic.StopReason | null): ModelTurn["stopReason"] {
  if (stopReason === "refusal") return "refused";
  // `compaction` is in beta: the provider has summarised, and continues when it gets its summary back.
  if (stopReason === "pause_turn" || (stopReason as string) === "compaction") return "paused";
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
  if (block.type === "tool_use")
    return [{ ...block, input: parseCallInput(argumentsOf(block["input"], json)) }];
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
  const hour = usage.cache_creation?.ephemeral_1h_input_tokens ?? 0;
  return {
    inputTokens: (usage.input_tokens ?? 0) + cachedInputTokens + cacheWriteTokens,
    outputTokens: usage.output_tokens ?? 0,
    cachedInputTokens,
    cacheWriteTokens,
    ...(hour > 0 && { cacheWriteHourTokens: hour }),
    ...omitUndefined({ reasoningTokens: usage.output_tokens_details?.thinking_tokens }),
  };
}
