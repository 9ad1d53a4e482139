import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { inspect } from "node:util";
import { Anthropic } from "@anthropic-ai/sdk";
import { OpenAI } from "openai";
import { expect, it, onTestFinished } from "vitest";
import { isModelError } from "../error/model-error.js";
import { safeCause } from "../runtime/context/safe-cause.js";
import { withoutKeys } from "../runtime/context/without-keys.js";
import type { ModelClient } from "../runtime/loop/model-client.js";
import { AnthropicModel } from "./anthropic/anthropic-model.js";
import { ask } from "./canned-responses.test.support.js";
import { OpenAIModel } from "./openai/openai-model.js";
import { KEY, ROWS } from "./rows.test.support.js";
import { toModelError } from "./to-model-error.js";

/** The status and type of a provider's refusal, and the resulting code. */
const REFUSALS = [
  { status: 400, type: "invalid_request_error", code: "INVALID_REQUEST" },
  { status: 400, type: "context_length_exceeded", code: "CONTEXT_LENGTH" },
  { status: 401, type: "authentication_error", code: "UNAUTHORIZED" },
  { status: 403, type: "permission_error", code: "UNAUTHORIZED" },
  { status: 404, type: "not_found_error", code: "NOT_FOUND" },
  { status: 422, type: "unknown", code: "INVALID_REQUEST" },
  { status: 429, type: "rate_limit_error", code: "RATE_LIMITED" },
  { status: 429, type: "insufficient_quota", code: "QUOTA_EXHAUSTED" },
  { status: 500, type: "api_error", code: "SERVER_ERROR" },
  { status: 529, type: "overloaded_error", code: "OVERLOADED" },
] as const;

it.each(ROWS)(
  "$row: no error or cause contains the key, wherever the provider repeats it (AD-65, AD-24)",
  async ({ model }) => {
    for (const { status, type, code } of REFUSALS) {
      const error = await failureOf(model(await repeatingServer(KEY, status, type)));
      expect([isModelError(error), (error as { code?: string }).code]).toEqual([true, code]);
      expectWithout(KEY, error);
    }
    // During an answer, and as a response that is not an answer.
    for (const status of [200, 201]) {
      const error = await failureOf(model(await repeatingServer(KEY, status, "server_error")));
      expect(isModelError(error)).toBe(true);
      expectWithout(KEY, error);
    }
  },
);

it.each([
  {
    client: "OpenAI",
    model: (baseURL: string, apiKey: string) =>
      new OpenAIModel({ model: "x", client: new OpenAI({ apiKey, baseURL, logLevel: "off" }) }),
  },
  {
    client: "Anthropic",
    model: (baseURL: string, authToken: string) => {
      const client = new Anthropic({ apiKey: null, authToken, baseURL, logLevel: "off" });
      return new AnthropicModel({ model: "x", client });
    },
  },
])("$client: no error contains a key that looks like a word (AD-65)", async ({ model }) => {
  const key = "open sesame".replace(" ", "");
  for (const { status, type } of REFUSALS)
    expectWithout(key, await failureOf(model(await repeatingServer(key, status, type), key)));
});

it("a cause keeps helpful facts, but nothing of the request or the answer (AD-65)", () => {
  const socket = Object.assign(new Error(`connect for ${KEY}`), {
    code: "ECONNREFUSED",
    errno: -111,
  });
  const thrown = Object.assign(new Error(`fetch failed with ${KEY}`, { cause: socket }), {
    name: "APICallError",
    statusCode: 503,
    requestID: "req_1",
    requestBodyValues: { messages: ["the whole conversation"] },
    responseHeaders: { "x-key": KEY },
    responseBody: KEY,
    data: { key: KEY },
    url: `https://example.com/?key=${KEY}`,
  });
  const { cause } = toModelError(thrown) as Error;
  expect(cause).toMatchObject({
    name: "APICallError",
    message: "fetch failed with [key]",
    statusCode: 503,
    requestID: "req_1",
    cause: { message: "connect for [key]", code: "ECONNREFUSED", errno: -111 },
  });
  const printed = inspect(cause, { depth: 10, showHidden: true });
  expect(printed).toContain("keys-in-errors.test.ts");
  expect(printed).not.toMatch(/conversation|example\.com|responseBody/);
  expectWithout(KEY, cause);
});

it("a cause that is circular, throws when it is read or is not an object is handled (AD-65)", () => {
  const circle: { message: string; cause?: unknown } = { message: "round" };
  circle.cause = circle;
  expect(inspect(safeCause(circle, []), { depth: 10 }).match(/round/g)?.length).toBeLessThan(20);
  const hostile = {
    get message(): string {
      throw new Error("no");
    },
  };
  expect([safeCause(hostile, []), safeCause("text", []), safeCause(null, [])]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

it("a long text full of keys is returned without any part of a key (AD-65)", () => {
  const options = { maxCharacters: 100, secrets: [] };
  for (let before = 0; before < 60; before++) {
    const text = `${"x".repeat(before)} ${`${KEY} `.repeat(1_000)}`;
    expect(withoutKeys(text, options)).not.toMatch(/sk-|0123/);
  }
  expect(withoutKeys(`sk-${"a".repeat(1_000_000)}`, options)).toBe("");
});

/** A server that refuses every request and repeats the key in everything it sends. */
async function repeatingServer(key: string, status: number, type: string): Promise<string> {
  const server = createServer((request, response) => {
    request.resume();
    const message = `No. Your key ${key} is ${key}, and authorization is "${key}".`;
    const error = { type, code: type, message, param: key };
    const headers = {
      "x-api-key": key,
      "set-cookie": `key=${key}`,
      "www-authenticate": `Bearer ${key}`,
      "request-id": key,
    };
    if (status === 200) {
      response.writeHead(status, { ...headers, "content-type": "text/event-stream" });
      response.end(`event: error\ndata: ${JSON.stringify({ type: "error", error })}\n\n`);
      return;
    }
    response.writeHead(status, { ...headers, "content-type": "application/json" });
    response.end(JSON.stringify({ type: "error", error, echo: request.headers }));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  // It listens on a port, so the address is an AddressInfo.
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function failureOf(model: ModelClient): Promise<unknown> {
  return await ask(model).then(
    () => undefined,
    (error: unknown) => error,
  );
}

/** Checks every way in which a program may print an error. */
function expectWithout(key: string, error: unknown): void {
  expect(error).toBeInstanceOf(Error);
  const printed = [
    inspect(error, { depth: 10 }),
    inspect(error, { depth: 10, showHidden: true, getters: true }),
    JSON.stringify(error),
    String(error),
  ];
  for (let each = error; each instanceof Error; each = each.cause)
    printed.push(JSON.stringify(each, Object.getOwnPropertyNames(each)), each.stack ?? "");
  for (const text of printed) expect(text).not.toContain(key);
}
