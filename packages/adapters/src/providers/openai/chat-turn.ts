import type { OpenAI } from "openai";
import type { ModelToolCall, ModelTurn, ModelUsage } from "../../loop/model-client.js";
import { brokenOff } from "../broken-off.js";

type Chunk = OpenAI.Chat.ChatCompletionChunk;
type CallDelta = OpenAI.Chat.ChatCompletionChunk.Choice.Delta.ToolCall;
type FinishReason = OpenAI.Chat.ChatCompletionChunk.Choice["finish_reason"];

/** Reads a turn to its end. What breaks off before that is no turn. */
export async function readChatTurn(
  chunks: AsyncIterable<Chunk>,
  onText: (text: string) => void,
): Promise<ModelTurn> {
  let begun = false;
  let text = "";
  let refusal = "";
  let finish: FinishReason = null;
  let usage: Chunk["usage"];
  const calls = new CallPieces();
  for await (const chunk of chunks) {
    begun = true;
    usage = chunk.usage ?? usage;
    // Servers send chunks about themselves that have no choices, or not even the list.
    const [choice] = chunk.choices ?? [];
    if (choice === undefined) continue;
    const { delta, finish_reason } = choice;
    if (delta?.content) {
      text += delta.content;
      onText(delta.content);
    }
    refusal += delta?.refusal ?? "";
    for (const piece of delta?.tool_calls ?? []) calls.add(piece);
    finish = finish_reason ?? finish;
  }
  if (finish === null) throw brokenOff(begun);
  const stopReason = refusal === "" ? stopReasonOf(finish) : "refused";
  return {
    text: text === "" ? refusal : text,
    toolCalls: calls.whole(),
    usage: usageOf(usage),
    stopReason,
  };
}

function stopReasonOf(finish: FinishReason): ModelTurn["stopReason"] {
  if (finish === "length") return "length";
  return finish === "content_filter" ? "refused" : "end";
}

function usageOf(usage: Chunk["usage"]): ModelUsage {
  return {
    inputTokens: usage?.prompt_tokens ?? 0,
    outputTokens: usage?.completion_tokens ?? 0,
    cachedInputTokens: usage?.prompt_tokens_details?.cached_tokens ?? 0,
  };
}

/** Calls, which come in pieces that say to which of them they belong. */
class CallPieces {
  readonly #calls = new Map<number, { toolCallId: string; toolName: string; arguments: string }>();

  add({ index, id, function: piece }: CallDelta): void {
    // Servers that send every call whole leave the number out.
    const key = index ?? this.#calls.size;
    const call = this.#calls.get(key) ?? { toolCallId: "", toolName: "", arguments: "" };
    call.toolCallId ||= id ?? "";
    call.toolName ||= piece?.name ?? "";
    call.arguments += piece?.arguments ?? "";
    this.#calls.set(key, call);
  }

  whole(): readonly ModelToolCall[] {
    return [...this.#calls.values()].map((call) => ({
      ...call,
      toolCallId: call.toolCallId || `call_${crypto.randomUUID()}`,
      arguments: call.arguments || "{}",
    }));
  }
}
