import type { Anthropic } from "@anthropic-ai/sdk";
import type { ModelToolCall, ModelTurn, ModelUsage } from "../../runtime/loop/model-client.js";
import { brokenOff } from "../broken-off.js";
import { parseCallInput } from "../parse-call-input.js";

type Event = Anthropic.RawMessageStreamEvent;
type Delta = Anthropic.RawContentBlockDelta;

/** A content block that is still streaming. `json` is the text of a call's arguments. */
interface Growing {
  block: Anthropic.ContentBlock;
  json: string;
}

/** Reads a turn to its end. Throws if the stream ends early. */
export async function readMessagesTurn(
  events: AsyncIterable<Event>,
  onText: (text: string) => void,
): Promise<ModelTurn> {
  let begun = false;
  let ended = false;
  let stopReason: Anthropic.StopReason | null = null;
  let usage: Partial<Anthropic.Usage> = {};
  const blocks: Growing[] = [];
  for await (const event of events) {
    begun = true;
    if (event.type === "message_start") usage = event.message.usage;
    if (event.type === "content_block_start")
      blocks[event.index] = { block: event.content_block, json: "" };
    if (event.type === "content_block_delta") grow(blocks[event.index], event.delta, onText);
    if (event.type === "message_delta") {
      stopReason = event.delta.stop_reason;
      usage = withCounted(usage, event.usage);
    }
    if (event.type === "message_stop") ended = true;
  }
  if (!ended) throw brokenOff(begun);
  return turnOf(blocks.filter(Boolean), stopReason, usage);
}

function grow(growing: Growing | undefined, delta: Delta, onText: (text: string) => void): void {
  const block = growing?.block;
  if (growing === undefined || block === undefined) return;
  if (delta.type === "input_json_delta") growing.json += delta.partial_json;
  if (delta.type === "text_delta" && block.type === "text") {
    growing.block = { ...block, text: block.text + delta.text };
    onText(delta.text);
  }
  if (delta.type === "thinking_delta" && block.type === "thinking")
    growing.block = { ...block, thinking: block.thinking + delta.thinking };
  if (delta.type === "signature_delta" && block.type === "thinking")
    growing.block = { ...block, signature: delta.signature };
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
  blocks: readonly Growing[],
  stopReason: Anthropic.StopReason | null,
  usage: Partial<Anthropic.Usage>,
): ModelTurn {
  const text = blocks.map(({ block }) => (block.type === "text" ? block.text : "")).join("");
  const thought = blocks.some(({ block }) => block.type.endsWith("thinking"));
  return {
    text,
    toolCalls: blocks.flatMap(callsOf),
    usage: usageOf(usage),
    stopReason: stopReasonOf(stopReason),
    // All blocks, because reasoning is only valid at its original position.
    ...(thought && { providerData: { anthropic: blocks.flatMap(blocksToSendBack) } }),
  };
}

function stopReasonOf(stopReason: Anthropic.StopReason | null): ModelTurn["stopReason"] {
  if (stopReason === "refusal") return "refused";
  const cut = stopReason === "max_tokens" || stopReason === "model_context_window_exceeded";
  return cut ? "length" : "end";
}

function callsOf({ block, json }: Growing): readonly ModelToolCall[] {
  if (block.type !== "tool_use") return [];
  return [
    { toolCallId: block.id, toolName: block.name, arguments: argumentsOf(block.input, json) },
  ];
}

/**
 * A call without arguments has no JSON deltas, and servers that do not stream send the input at
 * the start.
 */
function argumentsOf(input: unknown, json: string): string {
  return json === "" ? JSON.stringify(input ?? {}) : json;
}

function blocksToSendBack({ block, json }: Growing): readonly unknown[] {
  if (block.type === "tool_use") {
    const { type, id, name, input } = block;
    return [{ type, id, name, input: parseCallInput(argumentsOf(input, json)) }];
  }
  if (block.type === "text")
    // The provider sends empty texts but refuses to receive them.
    return block.text.trim() === "" ? [] : [{ type: "text", text: block.text }];
  return [block];
}

/** The API's input count does not include tokens read from or written to the cache. */
function usageOf(usage: Partial<Anthropic.Usage>): ModelUsage {
  const cachedInputTokens = usage.cache_read_input_tokens ?? 0;
  const written = usage.cache_creation_input_tokens ?? 0;
  return {
    inputTokens: (usage.input_tokens ?? 0) + cachedInputTokens + written,
    outputTokens: usage.output_tokens ?? 0,
    cachedInputTokens,
  };
}
