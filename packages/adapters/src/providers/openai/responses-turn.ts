import type { ModelSource } from "@wink/prompt";
import type { OpenAI } from "openai";
import { ModelError } from "../../error/model-error.js";
import type {
  AskOptions,
  ModelToolCall,
  ModelTurn,
  ProviderData,
} from "../../runtime/loop/model-client.js";
import { omitUndefined } from "../omit-undefined.js";
import { streamEndedEarly } from "../stream-ended-early.js";

type Event = OpenAI.Responses.ResponseStreamEvent;
type Answer = OpenAI.Responses.Response;
type Item = OpenAI.Responses.ResponseOutputItem;

/** Reads a turn to its end. Throws if the stream ends early. */
export async function readResponsesTurn(
  events: AsyncIterable<Event>,
  { onText, onThought }: Pick<AskOptions, "onText" | "onThought">,
): Promise<ModelTurn> {
  let begun = false;
  let answer: Answer | undefined;
  const items: Item[] = [];
  for await (const event of events) {
    begun = true;
    if (event.type === "response.output_text.delta" || event.type === "response.refusal.delta")
      onText(event.delta);
    if (
      event.type === "response.reasoning_summary_text.delta" ||
      event.type === "response.reasoning_text.delta"
    )
      onThought?.(event.delta);
    if (event.type === "response.output_item.done") items[event.output_index] = event.item;
    if (event.type === "response.completed" || event.type === "response.incomplete")
      answer = event.response;
    if (event.type === "response.failed") throw failureOf(event.response.error ?? {});
    if (event.type === "error") throw failureOf(event);
  }
  if (answer === undefined) throw streamEndedEarly(begun);
  // Some servers do not repeat the items at the end.
  const isEmpty = Array.isArray(answer.output) && answer.output.length === 0;
  return turnOf(isEmpty ? { ...answer, output: items.filter(Boolean) } : answer);
}

/** In the shape of a client error, so that `toModelError` can classify it. */
function failureOf({ code, message }: { code?: string | null; message?: string }): Error {
  return Object.assign(new Error(message ?? ""), { code: code ?? "server_error" });
}

function turnOf(answer: Answer): ModelTurn {
  const { output, usage, id, model } = answer;
  if (!Array.isArray(output)) throw new ModelError("MALFORMED");
  const parts = output.flatMap((item) => (item.type === "message" ? item.content : []));
  const text = parts.map((part) => (part.type === "output_text" ? part.text : "")).join("");
  const refusal = parts.map((part) => (part.type === "refusal" ? part.refusal : "")).join("");
  const providerData = itemsToSendBack(output);
  const sources = parts.flatMap(sourcesOf);
  return {
    text: text === "" ? refusal : text,
    toolCalls: output.flatMap(callsOf),
    usage: {
      inputTokens: usage?.input_tokens ?? 0,
      outputTokens: usage?.output_tokens ?? 0,
      // Some compatible servers omit it.
      cachedInputTokens: usage?.input_tokens_details?.cached_tokens ?? 0,
      ...omitUndefined({
        cacheWriteTokens: usage?.input_tokens_details?.cache_write_tokens,
        reasoningTokens: usage?.output_tokens_details?.reasoning_tokens,
      }),
    },
    stopReason: stopReasonOf(answer, refusal),
    ...omitUndefined({
      providerData,
      thoughts: output.flatMap(thoughtsOf).join("\n\n") || undefined,
      responseId: id,
      model,
      sources: sources.length === 0 ? undefined : sources,
    }),
  };
}

function stopReasonOf(answer: Answer, refusal: string): ModelTurn["stopReason"] {
  if (answer.incomplete_details?.reason === "content_filter" || refusal !== "") return "refused";
  return answer.status === "incomplete" ? "length" : "end";
}

function callsOf(item: Item): readonly ModelToolCall[] {
  if (item.type !== "function_call") return [];
  return [{ toolCallId: item.call_id, toolName: item.name, arguments: item.arguments || "{}" }];
}

/**
 * All items of the turn, if the loop's own message would lose something: reasoning, results of the provider's tools, the
 * phase of a message, citations, or a kind that is not known here. Reasoning is only valid together with the items after it.
 */
function itemsToSendBack(output: readonly Item[]): ProviderData | undefined {
  return output.every(isPlain) ? undefined : { openai: [...output] };
}

const CALL_FIELDS: readonly string[] = ["type", "id", "call_id", "name", "arguments", "status"];

function isPlain(item: Item): boolean {
  if (item.type === "function_call")
    return Object.entries(item).every(
      ([name, value]) => CALL_FIELDS.includes(name) || value === null,
    );
  if (item.type !== "message" || ("phase" in item && item.phase !== null)) return false;
  return item.content.every((part) => part.type !== "output_text" || !part.annotations?.length);
}

function thoughtsOf(item: Item): readonly string[] {
  if (item.type !== "reasoning") return [];
  // Compatible servers may omit either list.
  return [...(item.summary ?? []), ...(item.content ?? [])].map(({ text }) => text);
}

function sourcesOf(
  part: OpenAI.Responses.ResponseOutputMessage["content"][number],
): readonly ModelSource[] {
  if (part.type !== "output_text") return [];
  return (part.annotations ?? []).flatMap((annotation) => {
    if (annotation.type === "url_citation")
      return [{ url: annotation.url, title: annotation.title }];
    return annotation.type === "file_citation" ? [{ title: annotation.filename }] : [];
  });
}
