import { safeCause } from "../runtime/context/safe-cause.js";
import { withoutKeys } from "../runtime/context/without-keys.js";
import { isModelError, ModelError, type ModelErrorCode } from "../runtime/loop/model-error.js";
import { type ErrorFacts, factsOf } from "./error-facts.js";
import { retryHintMs } from "./retry-hint.js";

/** The error names of providers and their SDKs. */
const BY_NAME: Readonly<Record<string, ModelErrorCode>> = {
  rate_limit_error: "rate_limited",
  rate_limit_exceeded: "rate_limited",
  insufficient_quota: "quota_exhausted",
  billing_error: "quota_exhausted",
  billing_hard_limit_reached: "quota_exhausted",
  overloaded_error: "overloaded",
  server_overloaded: "overloaded",
  slow_down: "overloaded",
  api_error: "server_error",
  server_error: "server_error",
  timeout_error: "server_error",
  authentication_error: "unauthorized",
  invalid_api_key: "unauthorized",
  permission_error: "unauthorized",
  AI_LoadAPIKeyError: "unauthorized",
  not_found_error: "not_found",
  model_not_found: "not_found",
  AI_NoSuchModelError: "not_found",
  context_length_exceeded: "context_length",
  request_too_large: "context_length",
  string_above_max_length: "context_length",
  content_filter: "refused",
  content_policy_violation: "refused",
  image_content_policy_violation: "refused",
  bio_policy: "refused",
  invalid_prompt: "refused",
  AI_UnsupportedFunctionalityError: "invalid_request",
  AI_InvalidPromptError: "invalid_request",
  AI_InvalidArgumentError: "invalid_request",
  SyntaxError: "malformed",
  AI_JSONParseError: "malformed",
  AI_TypeValidationError: "malformed",
  AI_InvalidResponseDataError: "malformed",
  AI_EmptyResponseBodyError: "malformed",
  AI_NoContentGeneratedError: "malformed",
};

const BY_STATUS: Readonly<Record<number, ModelErrorCode>> = {
  401: "unauthorized",
  402: "quota_exhausted",
  403: "unauthorized",
  404: "not_found",
  408: "server_error",
  409: "server_error",
  413: "context_length",
  429: "rate_limited",
  503: "overloaded",
  529: "overloaded",
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
    return new ModelError("unauthorized", {
      reason: "the API key contains characters that cannot be sent in a header",
    });
  if (NO_KEY.test(facts.message))
    return new ModelError("unauthorized", {
      reason: "the API key is missing. Pass it as `apiKey`",
    });
  const code = codeOf(facts);
  if (code === undefined) return error;
  return new ModelError(code, {
    reason: reasonOf(code, facts, secrets),
    retryAfterMs: retryHintMs(facts.header),
    // A provider that refuses a key may repeat a part of it, which no pattern recognises.
    cause: code === "unauthorized" ? undefined : safeCause(error, secrets),
  });
}

/** The same for an answer that has started: every error is then a provider error. */
export function toAnswerError(error: unknown, secrets: readonly string[] = []): ModelError {
  const known = toModelError(error, secrets);
  if (isModelError(known)) return known;
  // A TypeError means that the answer does not match the provider's types.
  const code = error instanceof TypeError ? "malformed" : "server_error";
  return new ModelError(code, { cause: safeCause(error, secrets) });
}

function codeOf({ status, names, message }: ErrorFacts): ModelErrorCode | undefined {
  const isClientError = status !== undefined && status >= 400 && status < 500;
  if (TOO_LONG.test(message) && (isClientError || status === undefined) && status !== 429)
    return "context_length";
  // The provider's error name is more precise than the status, but a body that is not JSON has no
  // name.
  const named = names.map((name) => BY_NAME[name]).find((code) => code !== undefined);
  if (status !== undefined && status >= 400)
    return named !== undefined && named !== "malformed" ? named : codeOfStatus(status);
  if (named !== undefined) return named;
  if (CONNECTION.test(message) || names.some((name) => CONNECTION_NAME.test(name)))
    return "network";
  if (status !== undefined) return "malformed";
  return names.includes("invalid_request_error") ? "invalid_request" : undefined;
}

function codeOfStatus(status: number): ModelErrorCode {
  return BY_STATUS[status] ?? (status >= 500 ? "server_error" : "invalid_request");
}

// Codes for which the developer needs the provider's message.
const EXPLAINED: readonly ModelErrorCode[] = ["invalid_request", "not_found", "context_length"];
const MAX_REASON = 500;

function reasonOf(
  code: ModelErrorCode,
  { message }: ErrorFacts,
  secrets: readonly string[],
): string | undefined {
  if (!EXPLAINED.includes(code) || message === "") return undefined;
  const [line = ""] = message.split("\n", 1);
  return withoutKeys(line, { maxCharacters: MAX_REASON, secrets });
}
