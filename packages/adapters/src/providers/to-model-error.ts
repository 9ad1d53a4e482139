import { isModelError, ModelError } from "../error/model-error.js";
import { safeCause } from "../runtime/context/safe-cause.js";
import { withoutKeys } from "../runtime/context/without-keys.js";
import { type ErrorFacts, factsOf } from "./error-facts.js";
import { retryHintMs } from "./retry-hint.js";

/** The error names of providers and their SDKs. */
const BY_NAME: Readonly<Record<string, ModelError["code"]>> = {
  rate_limit_error: "RATE_LIMITED",
  rate_limit_exceeded: "RATE_LIMITED",
  insufficient_quota: "QUOTA_EXHAUSTED",
  billing_error: "QUOTA_EXHAUSTED",
  billing_hard_limit_reached: "QUOTA_EXHAUSTED",
  overloaded_error: "OVERLOADED",
  server_overloaded: "OVERLOADED",
  slow_down: "OVERLOADED",
  api_error: "SERVER_ERROR",
  server_error: "SERVER_ERROR",
  timeout_error: "SERVER_ERROR",
  authentication_error: "UNAUTHORIZED",
  invalid_api_key: "UNAUTHORIZED",
  permission_error: "UNAUTHORIZED",
  AI_LoadAPIKeyError: "UNAUTHORIZED",
  not_found_error: "NOT_FOUND",
  model_not_found: "NOT_FOUND",
  AI_NoSuchModelError: "NOT_FOUND",
  context_length_exceeded: "CONTEXT_LENGTH",
  request_too_large: "CONTEXT_LENGTH",
  string_above_max_length: "CONTEXT_LENGTH",
  content_filter: "REFUSED",
  content_policy_violation: "REFUSED",
  image_content_policy_violation: "REFUSED",
  bio_policy: "REFUSED",
  invalid_prompt: "REFUSED",
  AI_UnsupportedFunctionalityError: "INVALID_REQUEST",
  AI_InvalidPromptError: "INVALID_REQUEST",
  AI_InvalidArgumentError: "INVALID_REQUEST",
  SyntaxError: "MALFORMED",
  AI_JSONParseError: "MALFORMED",
  AI_TypeValidationError: "MALFORMED",
  AI_InvalidResponseDataError: "MALFORMED",
  AI_EmptyResponseBodyError: "MALFORMED",
  AI_NoContentGeneratedError: "MALFORMED",
};

const BY_STATUS: Readonly<Record<number, ModelError["code"]>> = {
  401: "UNAUTHORIZED",
  402: "QUOTA_EXHAUSTED",
  403: "UNAUTHORIZED",
  404: "NOT_FOUND",
  408: "SERVER_ERROR",
  409: "SERVER_ERROR",
  413: "CONTEXT_LENGTH",
  429: "RATE_LIMITED",
  503: "OVERLOADED",
  529: "OVERLOADED",
};

// Message patterns, for errors without a name.
const TOO_LONG =
  /prompt is too long|context (?:window|length)|maximum (?:context|prompt) length|too many (?:input )?tokens|input (?:is|length)[^\n]{0,100}(?:too long|exceed)/i;
const NO_KEY = /Missing credentials|Could not resolve authentication method|API key is missing/;
const UNSENDABLE_KEY =
  /(?:invalid header value|Invalid character in header|is not a legal HTTP header|ByteString)/i;
const CONNECTION =
  /fetch failed|terminated|Connection error|Cannot connect to API|socket|network|other side closed|premature close|aborted/i;
const CONNECTION_NAME =
  /^(?:E[A-Z]{4,}|UND_ERR_\w+|APIConnection\w*|ERR_STREAM_\w+|AbortError|TimeoutError)$/;

/**
 * Converts an error of a provider's client to a `ModelError`. Returns unrelated errors unchanged.
 *
 * @param secrets the keys that the client was given
 */
export function toModelError(error: unknown, secrets: readonly string[] = []): unknown {
  if (isModelError(error)) return error;
  const facts = factsOf(error);
  if (UNSENDABLE_KEY.test(facts.message))
    // Without the cause, because it repeats the key.
    return new ModelError("UNAUTHORIZED", {
      reason: "the API key contains characters that cannot be sent in a header",
    });
  if (NO_KEY.test(facts.message))
    return new ModelError("UNAUTHORIZED", {
      reason: "the API key is missing. Pass it as `apiKey`",
    });
  const code = codeOf(facts);
  if (code === undefined) return error;
  return new ModelError(code, {
    reason: reasonOf(code, facts, secrets),
    retryAfterMs: retryHintMs(facts.header),
    // A provider that refuses a key may repeat a part of it, which no pattern recognises.
    cause: code === "UNAUTHORIZED" ? undefined : safeCause(error, secrets),
  });
}

/**
 * Converts an error of an answer that has started. Unlike in `toModelError`, every error then counts as an error of the
 * provider.
 */
export function toAnswerError(error: unknown, secrets: readonly string[] = []): ModelError {
  const known = toModelError(error, secrets);
  if (isModelError(known)) return known;
  // A TypeError means that the answer does not match the provider's types.
  const code = error instanceof TypeError ? "MALFORMED" : "SERVER_ERROR";
  return new ModelError(code, { cause: safeCause(error, secrets) });
}

function codeOf({ status, names, message }: ErrorFacts): ModelError["code"] | undefined {
  const isClientError = status !== undefined && status >= 400 && status < 500;
  if (TOO_LONG.test(message) && (isClientError || status === undefined) && status !== 429)
    return "CONTEXT_LENGTH";
  // The provider's error name is more precise than the status, but a body that is not JSON has no
  // name.
  const named = names.map((name) => BY_NAME[name]).find((code) => code !== undefined);
  if (status !== undefined && status >= 400)
    return named !== undefined && named !== "MALFORMED" ? named : codeOfStatus(status);
  if (named !== undefined) return named;
  if (CONNECTION.test(message) || names.some((name) => CONNECTION_NAME.test(name)))
    return "NETWORK";
  if (status !== undefined) return "MALFORMED";
  return names.includes("invalid_request_error") ? "INVALID_REQUEST" : undefined;
}

function codeOfStatus(status: number): ModelError["code"] {
  return BY_STATUS[status] ?? (status >= 500 ? "SERVER_ERROR" : "INVALID_REQUEST");
}

// Codes for which the developer needs the provider's message.
const EXPLAINED: readonly ModelError["code"][] = ["INVALID_REQUEST", "NOT_FOUND", "CONTEXT_LENGTH"];
const MAX_REASON = 500;

function reasonOf(
  code: ModelError["code"],
  { message }: ErrorFacts,
  secrets: readonly string[],
): string | undefined {
  if (!EXPLAINED.includes(code) || message === "") return undefined;
  const [line = ""] = message.split("\n", 1);
  return withoutKeys(line, { maxCharacters: MAX_REASON, secrets });
}
