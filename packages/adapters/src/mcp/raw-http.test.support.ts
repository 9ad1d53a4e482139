import { type ClientRequest, request } from "node:http";
import { authorization } from "./mcp-clients.test.support.js";
import type { HttpService } from "./serve-http.js";

export const JSON_HEADERS = {
  "content-type": "application/json",
  accept: "application/json, text/event-stream",
};

export const HELLO = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "test", version: "1.0.0" },
  },
};

export interface RawRequest {
  readonly method: string;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** @default the service's path */
  readonly path?: string | undefined;
  /** Whether to send the token. @default true */
  readonly hasToken?: boolean | undefined;
}

export interface RawAnswer {
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

/** Uses `node:http`, because `fetch` does not let the caller set the host. */
export function send(service: HttpService, sent: RawRequest): Promise<RawAnswer> {
  const { promise, outgoing } = start(service, sent);
  outgoing.end(sent.body);
  return promise;
}

/** Starts a request. The caller sends its body. */
export function start(
  service: HttpService,
  { method, headers = {}, signal, path, hasToken = true }: RawRequest,
): { readonly promise: Promise<RawAnswer>; readonly outgoing: ClientRequest } {
  const { promise, resolve, reject } = withResolvers<RawAnswer>();
  const url = path === undefined ? service.url : new URL(path, service.url);
  const all = { ...(hasToken ? authorization(service) : {}), ...headers };
  const outgoing = request(url, { method, headers: all, ...(signal && { signal }) }, (response) => {
    let body = "";
    response.on("error", () => {});
    response.on("data", (chunk) => {
      body += chunk;
    });
    response.on("close", () =>
      resolve({ status: response.statusCode, headers: response.headers, body }),
    );
  });
  outgoing.on("error", reject);
  return { promise, outgoing };
}

export function post(
  service: HttpService,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
  options: Omit<RawRequest, "method" | "headers" | "body"> = {},
): Promise<RawAnswer> {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const all = { ...JSON_HEADERS, ...headers };
  return send(service, { ...options, method: "POST", headers: all, body: text });
}

function withResolvers<T>() {
  let resolve: (value: T) => void = () => {};
  let reject: (error: unknown) => void = () => {};
  const promise = new Promise<T>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve, reject };
}
