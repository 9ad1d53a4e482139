import type {
  LanguageModelV3StreamPart,
  LanguageModelV3Usage,
  SharedV3Warning,
} from "@ai-sdk/provider";
import { ModelError } from "../../error/model-error.js";
import type { AskOptions, ModelTurn, ModelUsage } from "../../runtime/loop/model-client.js";
import { omitUndefined } from "../omit-undefined.js";
import { streamEndedEarly } from "../stream-ended-early.js";
import { AssistantContent } from "./assistant-content.js";

type Part = LanguageModelV3StreamPart;
type Finish = Part & { type: "finish" };

/** Parts that a model sends before it has received anything from its provider. */
const PRELUDE: readonly Part["type"][] = ["stream-start", "finish"];

/** Reads a turn to its end. Throws if the stream ends early. */
export async function readStreamTurn(
  parts: ReadableStream<Part>,
  { onText, onThought }: Pick<AskOptions, "onText" | "onThought">,
): Promise<ModelTurn> {
  let begun = false;
  let responseId: string | undefined;
  let model: string | undefined;
  const warnings: string[] = [];
  let finish: Finish | undefined;
  const content = new AssistantContent();
  for await (const part of parts) {
    begun ||= !PRELUDE.includes(part.type);
    if (part.type === "error") throw part.error;
    if (part.type === "finish") finish = part;
    if (part.type === "text-delta") onText(part.delta);
    if (part.type === "reasoning-delta") onThought?.(part.delta);
    if (part.type === "stream-start") warnings.push(...(part.warnings ?? []).map(describeWarning));
    if (part.type === "tool-approval-request")
      warnings.push("unsupported: an approval of a call that the provider runs");
    if (part.type === "response-metadata") {
      responseId = part.id ?? responseId;
      model = part.modelId ?? model;
    }
    content.add(part);
  }
  if (finish === undefined || isUnsaid(finish)) throw streamEndedEarly(begun);
  const { usage, finishReason } = finish;
  const { text, toolCalls, providerData, thoughts, sources } = content;
  return {
    text,
    toolCalls,
    usage: usageOf(usage),
    stopReason: stopReasonOf(finishReason),
    ...omitUndefined({
      ...{ providerData, responseId, model, sources },
      warnings: warnings.length === 0 ? undefined : warnings,
      thoughts: thoughts || undefined,
    }),
  };
}

/** Whether the provider gave no finish reason, which means that the connection was cut. */
function isUnsaid({ finishReason }: Finish): boolean {
  // `interrupted` exists only in v4, so it is not in the v3 type.
  const unified: string = finishReason.unified;
  return unified === "interrupted" || (unified === "other" && finishReason.raw === undefined);
}

function stopReasonOf({ unified, raw }: Finish["finishReason"]): ModelTurn["stopReason"] {
  if (raw === "pause_turn") return "paused";
  if (unified === "error") throw new ModelError("SERVER_ERROR");
  if (unified === "length") return "length";
  return unified === "content-filter" ? "refused" : "end";
}

/** Models without usage counts omit the fields, although their type requires them. */
function usageOf(usage: Partial<LanguageModelV3Usage> | undefined): ModelUsage {
  return {
    inputTokens: usage?.inputTokens?.total ?? 0,
    outputTokens: usage?.outputTokens?.total ?? 0,
    cachedInputTokens: usage?.inputTokens?.cacheRead ?? 0,
    ...omitUndefined({
      cacheWriteTokens: usage?.inputTokens?.cacheWrite,
      reasoningTokens: usage?.outputTokens?.reasoning,
    }),
  };
}

function describeWarning(warning: SharedV3Warning): string {
  if (warning.type === "other") return warning.message;
  const { type, feature, details } = warning;
  return `${type}: ${feature}${details === undefined ? "" : ` (${details})`}`;
}
