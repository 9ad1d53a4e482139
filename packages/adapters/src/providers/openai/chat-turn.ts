import type { OpenAI } from "openai";
import type { ModelToolCall, ModelTurn, ModelUsage } from "../../runtime/loop/model-client.js";
import { ModelError } from "../../runtime/loop/model-error.js";
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
      if (typeof delta.content !== "string") throw new ModelError("malformed");
      text += delta.content;
      onText(delta.content);
    }
    refusal += delta?.refusal ?? "";
    for (const piece of delta?.tool_calls ?? []) calls.add(piece);
    // Servers say nothing with an empty text as well.
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
  // The word is none of OpenAI's own: servers that stand before others have it.
  if ((finish as string) === "error") throw new ModelError("server_error");
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

type Growing = { -readonly [Key in keyof ModelToolCall]: string };

/** Calls, which come in pieces that say to which of them they belong. */
class CallPieces {
  readonly #calls: Growing[] = [];
  /** By the number that the server gave them; the last one where it gave the same twice. */
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

  /** Servers leave the number out, or give the same one to all calls: then an id or a name begins a call. */
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
