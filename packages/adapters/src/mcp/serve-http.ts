import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { isInitializeRequest, type McpServer } from "@modelcontextprotocol/server";
import { MAX_TIMER_MS } from "../runtime/context/max-timer.js";
import { reportError } from "../runtime/context/report-error.js";
import { requireFunction, requireOptions } from "../runtime/context/require-options.js";
import { createToken, requireToken } from "./bearer-token.js";
import { corsHeaders, isPreflight, refuse } from "./http-guard.js";
import type { HttpSession } from "./http-session.js";
import { HttpSessions } from "./http-sessions.js";
import { listenOnSocket } from "./listen-on-socket.js";
import { ModernRequests } from "./modern-requests.js";
import { NO_ROOM, readJsonBody } from "./read-json-body.js";
import { refuseBusy, refuseWith } from "./refuse-with.js";
import { type MeteredRequest, RequestMeter } from "./request-meter.js";
import { SERVE_HTTP_OPTIONS, type ServeHttpOptions } from "./serve-http-options.js";

/** Timeout for the headers of a request. The whole request has its own timeout. */
const MAX_HEADERS_MS = 10_000;
/** How often Node checks for requests that take too long. */
const MAX_CHECK_INTERVAL_MS = 5_000;

/**
 * Serves clients over streamable HTTP. `connect` creates a server for each client, either from
 * one shared prompt and session or from new ones.
 *
 * By default only clients with the service's token are served, only under this machine's own
 * names, and no web pages. Resolves when the service listens.
 */
export async function serveHttp(
  connect: () => Promise<McpServer> | McpServer,
  options: ServeHttpOptions = {},
): Promise<HttpService> {
  requireFunction("serveHttp", connect ?? null);
  requireOptions("serveHttp", options, SERVE_HTTP_OPTIONS);
  const service = new HttpService(connect, options);
  await service.listen();
  return service;
}

/** A running service. Created by `serveHttp`. */
export class HttpService implements AsyncDisposable {
  readonly #token: string | undefined;
  readonly #options: ServeHttpOptions;
  readonly #http: Server;
  readonly #sessions: HttpSessions;
  readonly #modern: ModernRequests;
  readonly #meter: RequestMeter;
  /** Calls that are not answered yet, from their first byte. */
  readonly #open = new Set<Promise<void>>();
  #removeSocket: (() => void) | undefined;
  #closing: Promise<void> | undefined;

  constructor(connect: () => Promise<McpServer> | McpServer, options: ServeHttpOptions) {
    const { token, authorize, socketPath, requestTimeoutMs = 30_000 } = options;
    const { maxSessions = 64, idleTimeoutMs = 1_800_000 } = options;
    const { maxRequests = 64, maxBufferedBytes = 33_554_432 } = options;
    const needsToken = authorize === undefined && socketPath === undefined;
    if (token !== undefined) this.#token = requireToken(token);
    else this.#token = needsToken ? createToken() : undefined;
    this.#options = options;
    const onError = (error: unknown) => reportError(options.onError, error, "mcp");
    this.#sessions = new HttpSessions({ connect, maxSessions, idleTimeoutMs, onError });
    this.#modern = new ModernRequests(connect, onError);
    this.#meter = new RequestMeter({ maxRequests, maxBufferedBytes });
    const answer = (request: IncomingMessage, response: ServerResponse) =>
      void this.#answer(request, response);
    this.#http = createServer(
      {
        headersTimeout: Math.min(MAX_HEADERS_MS, requestTimeoutMs),
        requestTimeout: requestTimeoutMs,
        connectionsCheckingInterval: Math.min(
          MAX_CHECK_INTERVAL_MS,
          Math.ceil(requestTimeoutMs / 2),
        ),
      },
      answer,
    );
    this.#http.maxConnections = options.maxConnections ?? 512;
    // A client that sends `Expect: 100-continue` may send its body only when the body will be
    // read.
    this.#http.on("checkContinue", answer);
  }

  /**
   * The token that clients send as `Authorization: Bearer <token>`. `undefined` if `authorize` or
   * the socket's mode decides.
   */
  get token(): string | undefined {
    return this.#token;
  }

  /** The URL of the service. For a Unix socket, the URL to send over it. */
  get url(): URL {
    const { host = "127.0.0.1", path = "/mcp" } = this.#options;
    if (this.port === undefined) return new URL(path, "http://localhost");
    const shown = host.includes(":") ? `[${host}]` : host;
    return new URL(path, `http://${shown}:${this.port}`);
  }

  /** `undefined` for a Unix socket. */
  get port(): number | undefined {
    const address = this.#http.address();
    return typeof address === "object" ? address?.port : undefined;
  }

  /** How many sessions are open. */
  get sessionCount(): number {
    return this.#sessions.size;
  }

  /** How many requests with a body are pending. */
  get requestCount(): number {
    return this.#meter.requestCount;
  }

  /** The total size of the bodies of pending requests. */
  get bufferedBytes(): number {
    return this.#meter.bufferedBytes;
  }

  async listen(): Promise<void> {
    const { port = 0, host = "127.0.0.1", socketPath } = this.#options;
    if (socketPath !== undefined) {
      this.#removeSocket = await listenOnSocket(this.#http, socketPath);
      return;
    }
    this.#http.listen(port, host);
    await once(this.#http, "listening");
  }

  /**
   * Refuses new requests, waits `graceMs` for running calls, rolls back the rest and closes the
   * service.
   */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #close(): Promise<void> {
    const closed = once(this.#http, "close");
    this.#removeSocket?.();
    this.#http.close();
    await this.#finishOpen();
    await Promise.all([this.#sessions.close(), this.#modern.close()]);
    this.#http.closeAllConnections();
    await closed;
  }

  async #finishOpen(): Promise<void> {
    const { graceMs = 5_000 } = this.#options;
    let timer: NodeJS.Timeout | undefined;
    let late = false;
    const grace = new Promise<void>((resolve) => {
      timer = setTimeout(
        () => {
          late = true;
          resolve();
        },
        Math.min(graceMs, MAX_TIMER_MS),
      );
    });
    while (this.#open.size > 0 && !late) await Promise.race([grace, Promise.all(this.#open)]);
    clearTimeout(timer);
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      await this.#route(request, response);
    } catch (error) {
      reportError(this.#options.onError, error, "mcp");
      if (!response.headersSent) refuseWith(response, 500, -32603, "Internal error.");
      else response.destroy();
    }
  }

  async #route(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { path = "/mcp", host = "127.0.0.1", socketPath } = this.#options;
    const guarded = { host: socketPath === undefined ? host : undefined, token: this.token };
    const refusal = await refuse(request, guarded, this.#options);
    if (refusal?.status !== 403)
      for (const [name, value] of Object.entries(corsHeaders(request)))
        response.setHeader(name, value);
    if (refusal?.status === 401) response.setHeader("www-authenticate", "Bearer");
    if (refusal) return refuseWith(response, refusal.status, -32000, refusal.reason);
    if (request.url?.split("?")[0] !== path)
      return refuseWith(response, 404, -32000, `The service is at ${path}.`);
    if (isPreflight(request)) return void response.writeHead(204).end();
    if (this.#closing) return refuseWith(response, 503, -32000, "The service is shutting down.");
    if (request.method === "POST") return await this.#post(request, response);
    await (await this.#sessionFor(request, response, undefined))?.handle(request, response);
  }

  async #post(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const metered = this.#meter.open();
    if (metered === undefined) return refuseBusy(response);
    const answered = this.#track(response);
    try {
      await this.#read(request, response, metered);
    } finally {
      // The call, not the connection, decides: a client may disconnect before its call has ended,
      // and stay connected after cancelling it.
      void answered.then(metered.close);
    }
  }

  async #read(
    request: IncomingMessage,
    response: ServerResponse,
    metered: MeteredRequest,
  ): Promise<void> {
    if (request.headers.expect !== undefined) response.writeContinue();
    const { maxBodyBytes = 4_194_304 } = this.#options;
    const body = await readJsonBody(request, maxBodyBytes, metered.add);
    if (body === NO_ROOM) return refuseBusy(response);
    if ("status" in body) return refuseWith(response, body.status, body.code, body.reason);
    if (await this.#modern.accepts(request, body.value))
      return await this.#modern.handle(request, response, body.value);
    const session = await this.#sessionFor(request, response, body.value);
    await session?.handle(request, response, body.value);
    // A client that did not get a session id cannot return to close the session.
    if (session && session.id === undefined) await session.close();
  }

  /**
   * Makes `close` wait for an answer. Resolves when the answer is sent or the client has
   * disconnected.
   */
  #track(response: ServerResponse): Promise<void> {
    const answered = new Promise<void>((resolve) => {
      if (response.destroyed) resolve();
      else response.once("close", resolve);
    });
    this.#open.add(answered);
    void answered.then(() => this.#open.delete(answered));
    return answered;
  }

  /** Returns the session of a request, or a new one; `undefined` if the request was refused. */
  async #sessionFor(
    { headers }: IncomingMessage,
    response: ServerResponse,
    body: unknown,
  ): Promise<HttpSession | undefined> {
    const id = headers["mcp-session-id"];
    if (id !== undefined) {
      const known = this.#sessions.use(id);
      if (known === undefined)
        refuseWith(
          response,
          404,
          -32001,
          "The session does not exist. Start a new one with an initialize request.",
        );
      return known;
    }
    if (!isInitializeRequest(body))
      return refuseWith(
        response,
        400,
        -32000,
        "The first request of a session must be an initialize request.",
      );
    const session = await this.#sessions.begin();
    if (session === undefined) return refuseBusy(response);
    if (this.#closing === undefined) return session;
    await session.close();
    return refuseWith(response, 503, -32000, "The service is shutting down.");
  }
}
