import { isModelError, ModelError, type ModelErrorCode } from "../loop/model-error.js";
import { type ErrorFacts, factsOf } from "./error-facts.js";
import { retryHintMs } from "./retry-hint.js";

/** What providers and their clients call things. */
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

// Only where the provider has no name for it.
const TOO_LONG =
  /prompt is too long|context (?:window|length)|maximum (?:context|prompt) length|too many (?:input )?tokens|input (?:is|length).*(?:too long|exceed)/i;
const NO_KEY = /Missing credentials|Could not resolve authentication method|API key is missing/;
const UNSENDABLE_KEY =
  /(?:invalid header value|Invalid character in header|is not a legal HTTP header|ByteString)/i;
const CONNECTION =
  /fetch failed|terminated|Connection error|Cannot connect to API|socket|network|other side closed|premature close|aborted/i;
const CONNECTION_NAME =
  /^(?:E[A-Z]{4,}|UND_ERR_\w+|APIConnection\w*|ERR_STREAM_\w+|AbortError|TimeoutError)$/;

/** What a provider's client threw, as a `ModelError`; what has nothing to do with the provider, as it is. */
export function toModelError(error: unknown): unknown {
  if (isModelError(error)) return error;
  const facts = factsOf(error);
  if (UNSENDABLE_KEY.test(facts.message))
    // Without the cause: it repeats the key.
    return new ModelError("unauthorized", { reason: "the key has characters that cannot be sent" });
  if (NO_KEY.test(facts.message))
    return new ModelError("unauthorized", { reason: "there is no key; give one as apiKey" });
  const code = codeOf(facts);
  if (code === undefined) return error;
  return new ModelError(code, {
    reason: reasonOf(code, facts),
    retryAfterMs: retryHintMs(facts.header),
    // Who refuses a key may repeat it.
    cause: code === "unauthorized" ? undefined : error,
  });
}

/** What went wrong with an answer that had begun: the provider's doing, whatever it is. */
export function toAnswerError(error: unknown): ModelError {
  const known = toModelError(error);
  if (isModelError(known)) return known;
  // Readers stumble over what has not the shape that the provider's types promise.
  const code = error instanceof TypeError ? "malformed" : "server_error";
  return new ModelError(code, { cause: error });
}

function codeOf({ status, names, message }: ErrorFacts): ModelErrorCode | undefined {
  const isClientError = status !== undefined && status >= 400 && status < 500;
  if (TOO_LONG.test(message) && (isClientError || status === undefined) && status !== 429)
    return "context_length";
  // What a provider calls an error says more than its status, but a body that is no JSON says nothing.
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

// Those that a developer can mend only when told what the provider did not like.
const EXPLAINED: readonly ModelErrorCode[] = ["invalid_request", "not_found", "context_length"];
const MOST_CHARACTERS = 500;

function reasonOf(code: ModelErrorCode, { message }: ErrorFacts): string | undefined {
  if (!EXPLAINED.includes(code) || message === "") return undefined;
  const [line = ""] = message.split("\n");
  // More than is kept, so that no key is cut before it is known for one.
  return withoutKeys(line.slice(0, 4 * MOST_CHARACTERS)).slice(0, MOST_CHARACTERS);
}

// As providers begin them; after a word that announces one; and whatever is as long and as mixed as one.
const KEYS = [
  /\b(?:[spr]k|gsk|xai|hf|nvapi|pplx)[-_][\w.*~+/=-]{6,}|\bAIza[\w*-]{6,}/gi,
  /\b(?:key|token|Bearer|Basic)[-_:= ]+(?=\S*[\d*])[\w.*~+/=-]{6,}/gi,
  /\b(?=[\w-]*\d)(?=[\w-]*[a-z])[\w-]{32,}/gi,
];

function withoutKeys(text: string): string {
  return KEYS.reduce((left, key) => left.replaceAll(key, "[key]"), text);
}
