import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { isInitializeRequest } from "@modelcontextprotocol/sdk/types.js";
import { complain } from "../runtime/context/complain.js";
import { MAX_TIMER_MS } from "../runtime/context/longest-timer.js";
import { createToken, requireToken } from "./bearer-token.js";
import { corsHeaders, type HttpGuardOptions, isPreflight, refuse } from "./http-guard.js";
import type { HttpSession } from "./http-session.js";
import { HttpSessions } from "./http-sessions.js";
import { listenOnSocket } from "./listen-on-socket.js";
import { NO_ROOM, readJsonBody } from "./read-json-body.js";
import { type MeteredRequest, RequestMeter } from "./request-meter.js";

/** How long the headers of a request may take; the whole request has its own limit. */
const MAX_HEADERS_MS = 10_000;
/** How often Node looks for requests that take too long. */
const MAX_CHECK_INTERVAL_MS = 5_000;

export interface ServeHttpOptions extends HttpGuardOptions {
  /** @default 0, a free one */
  readonly port?: number | undefined;
  /** The address to listen on. @default "127.0.0.1", this machine alone */
  readonly host?: string | undefined;
  /** A socket in the filesystem to listen on instead, which only the user of this process can connect to. @default none */
  readonly socketPath?: string | undefined;
  /**
   * The secret that clients send as `Authorization: Bearer <token>`; see `HttpService.token`.
   * @default 256 random bits; none with `authorize`, and none on a socket
   */
  readonly token?: string | undefined;
  /** @default "/mcp" */
  readonly path?: string | undefined;
  /** @default 4_194_304 */
  readonly maxBodyBytes?: number | undefined;
  /** Requests with a body that are not answered yet; more are refused. @default 64 */
  readonly maxRequests?: number | undefined;
  /** What the bodies of these take in all; more is refused. @default 33_554_432 */
  readonly maxBufferedBytes?: number | undefined;
  /** How long a client may take to send a request. @default 30_000 */
  readonly requestTimeoutMs?: number | undefined;
  /** @default 512 */
  readonly maxConnections?: number | undefined;
  /** Clients at one time; one more ends the session that was not used for the longest time. @default 64 */
  readonly maxSessions?: number | undefined;
  /** How long a client may be silent, with no connection open, before its session ends. @default 1_800_000 */
  readonly idleTimeoutMs?: number | undefined;
  /** How long `close` lets calls finish before it undoes them. @default 5_000 */
  readonly graceMs?: number | undefined;
  /** Receives errors that occurred while a request was answered. @default they are ignored */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/**
 * Serves clients over streamable HTTP, each with its own session and server, which
 * `connect` makes: of one prompt and session for all, or of new ones for each.
 *
 * Only clients that have the service's token are served, over this machine's own names, and no web pages, unless the
 * options say otherwise. Resolves when it listens.
 */
export async function serveHttp(
  connect: () => Promise<McpServer> | McpServer,
  options: ServeHttpOptions = {},
): Promise<HttpService> {
  const service = new HttpService(connect, options);
  await service.listen();
  return service;
}

/** A running service. Made by `serveHttp`. */
export class HttpService implements AsyncDisposable {
  readonly #token: string | undefined;
  readonly #options: ServeHttpOptions;
  readonly #http: Server;
  readonly #sessions: HttpSessions;
  readonly #meter: RequestMeter;
  /** Calls that are not answered yet, from their first byte on. */
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
    const onError = (error: unknown) => complain(options.onError, error);
    this.#sessions = new HttpSessions({ connect, maxSessions, idleTimeoutMs, onError });
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
    // A client that asks before it sends a body is told to send it only when the body will be read.
    this.#http.on("checkContinue", answer);
  }

  /** What clients must send as `Authorization: Bearer <token>`. `undefined` where `authorize` or the socket's mode decides. */
  get token(): string | undefined {
    return this.#token;
  }

  /** Where clients find it; on a socket, the address that they send over it. */
  get url(): URL {
    const { host = "127.0.0.1", path = "/mcp" } = this.#options;
    if (this.port === undefined) return new URL(path, "http://localhost");
    const shown = host.includes(":") ? `[${host}]` : host;
    return new URL(path, `http://${shown}:${this.port}`);
  }

  /** `undefined` on a socket in the filesystem. */
  get port(): number | undefined {
    const address = this.#http.address();
    return typeof address === "object" ? address?.port : undefined;
  }

  /** How many clients have a session now. */
  get sessionCount(): number {
    return this.#sessions.size;
  }

  /** How many requests with a body are not answered yet. */
  get requestCount(): number {
    return this.#meter.requestCount;
  }

  /** What the bodies of these take. */
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

  /** Takes no further requests, lets calls finish for a while, undoes the others, and ends. */
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
    await this.#sessions.close();
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
      complain(this.#options.onError, error);
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
    if (this.#closing) return refuseWith(response, 503, -32000, "The service is ending.");
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
      // A client may leave before its call has ended, and stay when it was cancelled.
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
    const session = await this.#sessionFor(request, response, body.value);
    await session?.handle(request, response, body.value);
    // A client that did not get a session id cannot come back to end the session.
    if (session && session.id === undefined) await session.close();
  }

  /** Has `close` wait for an answer. Resolves when it is sent, or its client has left. */
  #track(response: ServerResponse): Promise<void> {
    const answered = new Promise<void>((resolve) => {
      if (response.destroyed) resolve();
      else response.once("close", resolve);
    });
    this.#open.add(answered);
    void answered.then(() => this.#open.delete(answered));
    return answered;
  }

  /** The session that a request belongs to, or a new one; `undefined` when it was refused. */
  async #sessionFor(
    { headers }: IncomingMessage,
    response: ServerResponse,
    body: unknown,
  ): Promise<HttpSession | undefined> {
    const id = headers["mcp-session-id"];
    if (id !== undefined) {
      const known = this.#sessions.use(id);
      if (known === undefined)
        refuseWith(response, 404, -32001, "There is no such session; begin a new one.");
      return known;
    }
    if (!isInitializeRequest(body))
      return refuseWith(response, 400, -32000, "A session begins with an initialize request.");
    const session = await this.#sessions.begin();
    if (session === undefined) return refuseBusy(response);
    if (this.#closing === undefined) return session;
    await session.close();
    return refuseWith(response, 503, -32000, "The service is ending.");
  }
}

function refuseBusy(response: ServerResponse): undefined {
  response.setHeader("retry-after", "1");
  return refuseWith(response, NO_ROOM.status, NO_ROOM.code, NO_ROOM.reason);
}

function refuseWith(
  response: ServerResponse,
  status: number,
  code: number,
  message: string,
): undefined {
  // The unread rest of a body would be read as the next request.
  response.writeHead(status, { "content-type": "application/json", connection: "close" });
  response.end(JSON.stringify({ jsonrpc: "2.0", error: { code, message }, id: null }));
  return undefined;
}
