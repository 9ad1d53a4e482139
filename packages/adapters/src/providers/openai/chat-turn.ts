import type { OpenAI } from "openai";
import { ModelError } from "../../error/model-error.js";
import type {
  AskOptions,
  ModelToolCall,
  ModelTurn,
  ModelUsage,
} from "../../runtime/loop/model-client.js";
import { omitUndefined } from "../omit-undefined.js";
import { streamEndedEarly } from "../stream-ended-early.js";
import { ChatExtraFields } from "./chat-extras.js";

type Chunk = OpenAI.Chat.ChatCompletionChunk;
type CallDelta = OpenAI.Chat.ChatCompletionChunk.Choice.Delta.ToolCall;
type FinishReason = OpenAI.Chat.ChatCompletionChunk.Choice["finish_reason"];

/** Reads a turn to its end. Throws if the stream ends early. */
export async function readChatTurn(
  chunks: AsyncIterable<Chunk>,
  { onText, onThought }: Pick<AskOptions, "onText" | "onThought">,
): Promise<ModelTurn> {
  let begun = false;
  let first: Partial<Chunk> = {};
  const extraFields = new ChatExtraFields();
  let text = "";
  let refusal = "";
  let finish: FinishReason = null;
  let usage: Chunk["usage"];
  const calls = new CallPieces();
  for await (const chunk of chunks) {
    if (!begun) first = chunk;
    begun = true;
    usage = chunk.usage ?? usage;
    // Some servers send chunks with no choices, or without the list.
    const choice = chunk.choices?.find(({ index }) => !index);
    if (choice === undefined) continue;
    const { delta, finish_reason } = choice;
    const said = extraFields.addContent(delta?.content);
    text += said.text;
    if (said.text !== "") onText(said.text);
    const thought = said.thought + extraFields.add({ ...delta });
    if (thought !== "") onThought?.(thought);
    refusal += delta?.refusal ?? "";
    if (delta?.refusal && text === "") onText(delta.refusal);
    for (const piece of delta?.tool_calls ?? []) calls.add(piece);
    // Some servers send an empty string instead of null.
    finish = finish_reason || finish;
  }
  if (finish === null) throw streamEndedEarly(begun);
  const stopReason = refusal === "" ? stopReasonOf(finish) : "refused";
  const { toolCalls, extras } = calls.whole();
  const sentBack = extraFields.extras(extras);
  const { sources } = extraFields;
  return {
    text: text === "" ? refusal : text,
    toolCalls,
    usage: usageOf(usage),
    stopReason,
    ...omitUndefined({
      providerData: sentBack && { openaiChat: sentBack },
      thoughts: extraFields.thoughts || undefined,
      responseId: first.id || undefined,
      model: first.model || undefined,
      sources: sources.length === 0 ? undefined : sources,
    }),
  };
}

function stopReasonOf(finish: FinishReason): ModelTurn["stopReason"] {
  // `error` is not in OpenAI's type. Proxy servers send it.
  if ((finish as string) === "error") throw new ModelError("SERVER_ERROR");
  if (finish === "length") return "length";
  return finish === "content_filter" ? "refused" : "end";
}

/** Fields that only some servers send. */
interface ServerUsage {
  /** Of DeepSeek. */
  readonly prompt_cache_hit_tokens?: number;
  /** Of OpenRouter: what the request has cost, in dollars. */
  readonly cost?: unknown;
}

function usageOf(
  usage: (NonNullable<Chunk["usage"]> & ServerUsage) | null | undefined,
): ModelUsage {
  const { prompt_tokens_details: details, completion_tokens_details, cost } = usage ?? {};
  return {
    inputTokens: usage?.prompt_tokens ?? 0,
    outputTokens: usage?.completion_tokens ?? 0,
    cachedInputTokens: details?.cached_tokens ?? usage?.prompt_cache_hit_tokens ?? 0,
    ...omitUndefined({
      cacheWriteTokens: details?.cache_write_tokens,
      reasoningTokens: completion_tokens_details?.reasoning_tokens,
      costUsd: typeof cost === "number" ? cost : undefined,
    }),
  };
}

type Growing = { -readonly [Key in keyof ModelToolCall]: string } & {
  /** Fields that OpenAI's own API does not have. */
  extra: Readonly<Record<string, unknown>>;
};

/** Collects tool calls, whose parts contain the index of their call. */
class CallPieces {
  readonly #calls: Growing[] = [];
  /** By the server's index. If an index was used twice, the last call. */
  readonly #numbered = new Map<number, Growing>();

  add({ index, id, function: piece, type: _, ...extra }: CallDelta): void {
    const name = piece?.name ?? "";
    const call = this.#callOf(index, id ?? "", name);
    call.toolCallId ||= id ?? "";
    // A name may come in pieces, before the arguments. Some servers repeat it with each piece.
    if (call.arguments === "" && name !== call.toolName) call.toolName += name;
    call.extra = { ...call.extra, ...extra };
    const json: unknown = piece?.arguments ?? "";
    call.arguments += typeof json === "string" ? json : JSON.stringify(json);
  }

  /** The calls, and their extra fields by id. */
  whole(): {
    readonly toolCalls: readonly ModelToolCall[];
    readonly extras: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  } {
    const taken = new Set<string>();
    const extras: [string, Growing["extra"]][] = [];
    const toolCalls = this.#calls.map(({ extra, ...call }) => {
      const isOwn = call.toolCallId !== "" && !taken.has(call.toolCallId);
      const toolCallId = isOwn ? call.toolCallId : `call_${crypto.randomUUID()}`;
      taken.add(toolCallId);
      if (Object.keys(extra).length > 0) extras.push([toolCallId, extra]);
      return { ...call, toolCallId, arguments: call.arguments || "{}" };
    });
    return { toolCalls, extras: Object.fromEntries(extras) };
  }

  /**
   * Some servers omit the index or use the same one for all calls. Then a new id or name starts a
   * new call.
   */
  #callOf(index: number | undefined, id: string, name: string): Growing {
    const known = index === undefined ? this.#calls.at(-1) : this.#numbered.get(index);
    // Some servers make a new id for each piece. A new call has a name.
    const hasOtherId =
      id !== "" && name !== "" && known?.toolCallId !== "" && known?.toolCallId !== id;
    const isAnother = hasOtherId || (index === undefined && id === "" && name !== "");
    if (known !== undefined && !isAnother) return known;
    const call = { toolCallId: "", toolName: "", arguments: "", extra: {} };
    this.#calls.push(call);
    if (index !== undefined) this.#numbered.set(index, call);
    return call;
  }
}
