import { expect, it } from "vitest";
import { ModelError } from "../error/model-error.js";
import { loadSdk } from "./load-sdk.js";
import { retryHintMs } from "./retry-hint.js";
import { toModelError } from "./to-model-error.js";

const NOW = Date.parse("2026-01-01T00:00:00Z");

it.each([
  { headers: { "retry-after-ms": "250", "retry-after": "9" }, ms: 250 },
  { headers: { "retry-after": "1.5" }, ms: 1_500 },
  { headers: { "retry-after": "Thu, 01 Jan 2026 00:00:20 GMT" }, ms: 20_000 },
  { headers: { "retry-after": "Thu, 01 Jan 1970 00:00:00 GMT" }, ms: 0 },
  { headers: { "retry-after": "soon" }, ms: undefined },
  { headers: {}, ms: undefined },
  {
    headers: { "x-ratelimit-remaining-tokens": "0", "x-ratelimit-reset-tokens": "6m0.5s" },
    ms: 360_500,
  },
  {
    headers: { "x-ratelimit-remaining-tokens": "7", "x-ratelimit-reset-tokens": "6m0s" },
    ms: undefined,
  },
  {
    headers: {
      "anthropic-ratelimit-requests-remaining": "0",
      "anthropic-ratelimit-requests-reset": "2026-01-01T00:00:03Z",
    },
    ms: 3_000,
  },
])("the headers $headers request a delay of $ms ms (AD-21)", ({ headers, ms }) => {
  const read = new Headers(headers as Record<string, string>);
  expect(retryHintMs((name) => read.get(name) ?? undefined, NOW)).toBe(ms);
});

it.each([
  { error: { status: 429 }, code: "RATE_LIMITED" },
  { error: { status: 429, code: "insufficient_quota" }, code: "QUOTA_EXHAUSTED" },
  { error: { status: 400, error: { code: "context_length_exceeded" } }, code: "CONTEXT_LENGTH" },
  { error: { status: 413 }, code: "CONTEXT_LENGTH" },
  { error: { status: 400, error: { error: { type: "billing_error" } } }, code: "QUOTA_EXHAUSTED" },
  { error: { statusCode: 404, data: { error: { code: "model_not_found" } } }, code: "NOT_FOUND" },
  { error: { status: 400, code: "content_filter" }, code: "REFUSED" },
  { error: { status: 403 }, code: "UNAUTHORIZED" },
  { error: { status: 422 }, code: "INVALID_REQUEST" },
  { error: { status: 502 }, code: "SERVER_ERROR" },
  { error: new SyntaxError("Unexpected token"), code: "MALFORMED" },
  { error: Object.assign(new Error("x"), { code: "ECONNRESET" }), code: "NETWORK" },
  { error: new TypeError("fetch failed"), code: "NETWORK" },
  { error: { type: "overloaded_error", message: "Overloaded" }, code: "OVERLOADED" },
  { error: { name: "AI_LoadAPIKeyError", message: "x" }, code: "UNAUTHORIZED" },
])("the error $error has code $code (AD-21, AD-24)", ({ error, code }) => {
  const { cause, ...known } = toModelError(error) as ModelError;
  expect(known).toMatchObject({ name: "ModelError", code });
  if (code === "UNAUTHORIZED") expect(cause).toBeUndefined();
  else expect(cause).toBeInstanceOf(Error);
});

it("the delay is read from errors of both kinds of clients (AD-21)", () => {
  const headers = { "retry-after": "2" };
  const one = toModelError({ status: 429, headers: new Headers(headers) });
  const other = toModelError({ statusCode: 429, responseHeaders: headers });
  expect(one).toMatchObject({ code: "RATE_LIMITED", retryAfterMs: 2_000 });
  expect(other).toMatchObject({ code: "RATE_LIMITED", retryAfterMs: 2_000 });
});

it("an unrelated error is returned unchanged (AD-21)", () => {
  const bug = new RangeError("index out of range");
  const known = new ModelError("REFUSED");
  expect(toModelError(bug)).toBe(bug);
  expect(toModelError(known)).toBe(known);
});

it.each([
  ["of sk-proj-abcdef123456 with Bearer abcdef.gh1", "of [key] with [key]"],
  ["of gsk_abcdefghijkl0123", "of [key]"],
  ["of AIzaSyAbcdefghi-jkl", "of [key]"],
  ["with key: abc123def456", "with [key]"],
  ["with 0123456789abcdef0123456789ABCDEF", "with [key]"],
  ["has a key additionalProperties", "has a key additionalProperties"],
  ["of call_0123456789abcdefghijklmn", "of call_0123456789abcdefghijklmn"],
])("the message repeats the provider's reason without keys: %s (AD-24)", (reason, cleaned) => {
  expect(toModelError({ status: 400, message: `Invalid schema ${reason}` })).toMatchObject({
    message: `model: Invalid schema ${cleaned}.`,
  });
});

it("the error for a missing package says how to install it, without paths of this machine (AD-24)", async () => {
  const missing = "@wink/no-such-sdk";
  const error = await loadSdk(missing, () => import(missing)).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({
    code: "NOT_INSTALLED",
    message: `model: the package '${missing}' is not installed. Run \`npm install ${missing}\`.`,
  });
  expect(error).not.toHaveProperty("cause");
});
