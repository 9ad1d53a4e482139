import type { OpenAI } from "openai";
import { ModelError } from "../../error/model-error.js";
import type { ModelToolCall, ModelTurn, ModelUsage } from "../../runtime/loop/model-client.js";
import { brokenOff } from "../broken-off.js";

type Chunk = OpenAI.Chat.ChatCompletionChunk;
type CallDelta = OpenAI.Chat.ChatCompletionChunk.Choice.Delta.ToolCall;
type FinishReason = OpenAI.Chat.ChatCompletionChunk.Choice["finish_reason"];

/** Reads a turn to its end. Throws if the stream ends early. */
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
    // Some servers send chunks with no choices, or without the list.
    const [choice] = chunk.choices ?? [];
    if (choice === undefined) continue;
    const { delta, finish_reason } = choice;
    if (delta?.content) {
      if (typeof delta.content !== "string") throw new ModelError("MALFORMED");
      text += delta.content;
      onText(delta.content);
    }
    refusal += delta?.refusal ?? "";
    for (const piece of delta?.tool_calls ?? []) calls.add(piece);
    // Some servers send an empty string instead of null.
    finish = finish_reason || finish;
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
  // `error` is not in OpenAI's type. Proxy servers send it.
  if ((finish as string) === "error") throw new ModelError("SERVER_ERROR");
  if (finish === "length") return "length";
  return finish === "content_filter" ? "refused" : "end";
}

function usageOf(usage: Chunk["usage"]): ModelUsage {
  const reasoningTokens = usage?.completion_tokens_details?.reasoning_tokens;
  return {
    inputTokens: usage?.prompt_tokens ?? 0,
    outputTokens: usage?.completion_tokens ?? 0,
    cachedInputTokens: usage?.prompt_tokens_details?.cached_tokens ?? 0,
    ...(reasoningTokens !== undefined && { reasoningTokens }),
  };
}

type Growing = { -readonly [Key in keyof ModelToolCall]: string };

/** Collects tool calls, whose parts contain the index of their call. */
class CallPieces {
  readonly #calls: Growing[] = [];
  /** By the server's index. If an index was used twice, the last call. */
  readonly #numbered = new Map<number, Growing>();

  add({ index, id, function: piece }: CallDelta): void {
    const call = this.#callOf(index, id ?? "", piece?.name ?? "");
    call.toolCallId ||= id ?? "";
    call.toolName ||= piece?.name ?? "";
    const json: unknown = piece?.arguments ?? "";
    call.arguments += typeof json === "string" ? json : JSON.stringify(json);
  }

  whole(): readonly ModelToolCall[] {
    const taken = new Set<string>();
    return this.#calls.map((call) => {
      const isOwn = call.toolCallId !== "" && !taken.has(call.toolCallId);
      const toolCallId = isOwn ? call.toolCallId : `call_${crypto.randomUUID()}`;
      taken.add(toolCallId);
      return { ...call, toolCallId, arguments: call.arguments || "{}" };
    });
  }

  /**
   * Some servers omit the index or use the same one for all calls. Then a new id or name starts a
   * new call.
   */
  #callOf(index: number | undefined, id: string, name: string): Growing {
    const known = index === undefined ? this.#calls.at(-1) : this.#numbered.get(index);
    const hasOtherId = id !== "" && known?.toolCallId !== "" && known?.toolCallId !== id;
    const isAnother = hasOtherId || (index === undefined && id === "" && name !== "");
    if (known !== undefined && !isAnother) return known;
    const call = { toolCallId: "", toolName: "", arguments: "" };
    this.#calls.push(call);
    if (index !== undefined) this.#numbered.set(index, call);
    return call;
  }
}
