import type { OpenAI } from "openai";
import { ModelError } from "../../error/model-error.js";
import type { ModelToolCall, ModelTurn, ProviderData } from "../../runtime/loop/model-client.js";
import { brokenOff } from "../broken-off.js";

type Event = OpenAI.Responses.ResponseStreamEvent;
type Answer = OpenAI.Responses.Response;
type Item = OpenAI.Responses.ResponseOutputItem;

/** Reads a turn to its end. Throws if the stream ends early. */
export async function readResponsesTurn(
  events: AsyncIterable<Event>,
  onText: (text: string) => void,
): Promise<ModelTurn> {
  let begun = false;
  let answer: Answer | undefined;
  for await (const event of events) {
    begun = true;
    if (event.type === "response.output_text.delta") onText(event.delta);
    if (event.type === "response.completed" || event.type === "response.incomplete")
      answer = event.response;
    if (event.type === "response.failed") throw failureOf(event.response.error ?? {});
    if (event.type === "error") throw failureOf(event);
  }
  if (answer === undefined) throw brokenOff(begun);
  return turnOf(answer);
}

/** In the shape of a client error, so that `toModelError` can classify it. */
function failureOf({ code, message }: { code?: string | null; message?: string }): Error {
  return Object.assign(new Error(message ?? ""), { code: code ?? "server_error" });
}

function turnOf(answer: Answer): ModelTurn {
  const { output, usage } = answer;
  if (!Array.isArray(output)) throw new ModelError("MALFORMED");
  const parts = output.flatMap((item) => (item.type === "message" ? item.content : []));
  const text = parts.map((part) => (part.type === "output_text" ? part.text : "")).join("");
  const refusal = parts.map((part) => (part.type === "refusal" ? part.refusal : "")).join("");
  const providerData = thoughtsOf(output);
  const reasoningTokens = usage?.output_tokens_details?.reasoning_tokens;
  return {
    text: text === "" ? refusal : text,
    toolCalls: output.flatMap(callsOf),
    usage: {
      inputTokens: usage?.input_tokens ?? 0,
      outputTokens: usage?.output_tokens ?? 0,
      // Some compatible servers omit it.
      cachedInputTokens: usage?.input_tokens_details?.cached_tokens ?? 0,
      ...(reasoningTokens !== undefined && { reasoningTokens }),
    },
    stopReason: stopReasonOf(answer, refusal),
    ...(providerData && { providerData }),
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
 * All items of a turn with reasoning, because reasoning is only valid together with the items
 * after it.
 */
function thoughtsOf(output: readonly Item[]): ProviderData | undefined {
  return output.some(({ type }) => type === "reasoning") ? { openai: [...output] } : undefined;
}
