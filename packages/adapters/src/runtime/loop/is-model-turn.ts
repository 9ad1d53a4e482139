import type { ModelTurn } from "./model-client.js";

const STOP_REASONS: readonly unknown[] = [
  "end",
  "length",
  "refused",
  "paused",
] satisfies readonly ModelTurn["stopReason"][];

/** Whether `value` is a valid turn, for values from outside such as a server or a file. */
export function isModelTurn(value: unknown): value is ModelTurn {
  if (!isRecord(value) || typeof value["text"] !== "string") return false;
  if (!STOP_REASONS.includes(value["stopReason"]) || !isUsage(value["usage"])) return false;
  const calls = value["toolCalls"];
  return Array.isArray(calls) && calls.every(isCall);
}

function isUsage(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const { inputTokens, outputTokens, cachedInputTokens = 0, costUsd = 0 } = value;
  const { cacheWriteTokens = 0, cacheWriteHourTokens = 0, reasoningTokens = 0 } = value;
  const amounts = [
    ...[cachedInputTokens, costUsd, cacheWriteTokens],
    ...[cacheWriteHourTokens, reasoningTokens],
  ];
  return [inputTokens, outputTokens, ...amounts].every(isAmount);
}

function isCall(value: unknown): boolean {
  if (!isRecord(value) || typeof value["arguments"] !== "string") return false;
  return isName(value["toolCallId"]) && isName(value["toolName"]);
}

function isName(value: unknown): boolean {
  return typeof value === "string" && value !== "";
}

function isAmount(value: unknown): boolean {
  return typeof value === "number" && Number.isFinite(value) && value >= 0;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
