import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { isInitializeRequest } from "@modelcontextprotocol/sdk/types.js";
import { complain } from "../complain.js";
import { corsHeaders, type HttpGuardOptions, refuse } from "./http-guard.js";
import { HttpSession } from "./http-session.js";
import { readJsonBody } from "./read-json-body.js";

export interface ServeHttpOptions extends HttpGuardOptions {
  /** @default 0, a free one */
  readonly port?: number | undefined;
  /** The address to listen on. @default "127.0.0.1", this machine alone */
  readonly host?: string | undefined;
  /** @default "/mcp" */
  readonly path?: string | undefined;
  /** @default 4_194_304 */
  readonly maxBodyBytes?: number | undefined;
  /** Clients at one time. @default 64 */
  readonly maxSessions?: number | undefined;
  /** How long a client may be silent, with no connection open, before its session ends. @default 1_800_000 */
  readonly idleTimeoutMs?: number | undefined;
  /** How long `close` lets calls finish before it undoes them. @default 5_000 */
  readonly graceMs?: number | undefined;
  /** Told of what failed while a request was answered. @default nobody is told */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/**
 * Serves clients over streamable HTTP, each with a session and a server of its own, which
 * `connect` makes: of one prompt and session for all, or of new ones for each.
 *
 * Only requests to this machine's own names are served, and none from web pages, unless the
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

/** A service that runs. Made by `serveHttp`. */
export class HttpService implements AsyncDisposable {
  readonly #connect: () => Promise<McpServer> | McpServer;
  readonly #options: ServeHttpOptions;
  readonly #http: Server;
  readonly #sessions = new Set<HttpSession>();
  /** Calls that are not answered yet, from their first byte on. */
  readonly #open = new Set<Promise<void>>();
  #starting = 0;
  #closing: Promise<void> | undefined;

  constructor(connect: () => Promise<McpServer> | McpServer, options: ServeHttpOptions) {
    this.#connect = connect;
    this.#options = options;
    this.#http = createServer((request, response) => void this.#answer(request, response));
  }

  /** Where clients find it. */
  get url(): URL {
    const { host = "127.0.0.1", path = "/mcp" } = this.#options;
    const shown = host.includes(":") ? `[${host}]` : host;
    return new URL(path, `http://${shown}:${this.port}`);
  }

  get port(): number {
    // It listens on a port and not on a pipe.
    return (this.#http.address() as AddressInfo).port;
  }

  /** How many clients have a session now. */
  get sessionCount(): number {
    return this.#sessions.size;
  }

  async listen(): Promise<void> {
    const { port = 0, host = "127.0.0.1" } = this.#options;
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
    this.#http.close();
    await this.#finishOpen();
    await Promise.all([...this.#sessions].map((session) => session.close()));
    this.#http.closeAllConnections();
    await closed;
  }

  async #finishOpen(): Promise<void> {
    const { graceMs = 5_000 } = this.#options;
    let timer: NodeJS.Timeout | undefined;
    let late = false;
    const grace = new Promise<void>((resolve) => {
      timer = setTimeout(() => {
        late = true;
        resolve();
      }, graceMs);
    });
    while (this.#open.size > 0 && !late) await Promise.race([grace, Promise.all(this.#open)]);
    clearTimeout(timer);
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method === "POST") {
      const answered = new Promise<void>((resolve) => void response.once("close", resolve));
      this.#open.add(answered);
      void answered.then(() => this.#open.delete(answered));
    }
    try {
      await this.#route(request, response);
    } catch (error) {
      complain(this.#options.onError, error);
      if (!response.headersSent) refuseWith(response, 500, -32603, "Internal error.");
      else response.destroy();
    }
  }

  async #route(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { path = "/mcp", host = "127.0.0.1", maxBodyBytes = 4_194_304 } = this.#options;
    const refusal = await refuse(request, host, this.#options);
    if (refusal?.status !== 403)
      for (const [name, value] of Object.entries(corsHeaders(request)))
        response.setHeader(name, value);
    if (refusal) return refuseWith(response, refusal.status, -32000, refusal.reason);
    if (request.url?.split("?")[0] !== path)
      return refuseWith(response, 404, -32000, `The service is at ${path}.`);
    if (request.method === "OPTIONS") return void response.writeHead(204).end();
    if (this.#closing) return refuseWith(response, 503, -32000, "The service is ending.");

    const body = request.method === "POST" ? await readJsonBody(request, maxBodyBytes) : undefined;
    if (body && "status" in body) return refuseWith(response, body.status, body.code, body.reason);
    const session = await this.#sessionFor(request, response, body?.value);
    await session?.handle(request, response, body?.value);
    // A client that did not get as far as having a session will not come back to end it.
    if (session && session.id === undefined) await session.close();
  }

  /** The session that a request belongs to, or a new one; `undefined` when it was refused. */
  async #sessionFor(
    { headers }: IncomingMessage,
    response: ServerResponse,
    body: unknown,
  ): Promise<HttpSession | undefined> {
    const id = headers["mcp-session-id"];
    if (id !== undefined) {
      const known = [...this.#sessions].find((session) => session.id === id);
      if (known === undefined)
        refuseWith(response, 404, -32001, "There is no such session; begin a new one.");
      return known;
    }
    if (!isInitializeRequest(body)) {
      refuseWith(response, 400, -32000, "A session begins with an initialize request.");
      return undefined;
    }
    const { maxSessions = 64 } = this.#options;
    if (this.#sessions.size + this.#starting >= maxSessions) {
      refuseWith(response, 503, -32000, `There are ${maxSessions} sessions already.`);
      return undefined;
    }
    const session = await this.#begin();
    if (this.#closing === undefined) return session;
    await session.close();
    return refuseWith(response, 503, -32000, "The service is ending.");
  }

  async #begin(): Promise<HttpSession> {
    const { idleTimeoutMs = 1_800_000 } = this.#options;
    this.#starting++;
    try {
      const session = await HttpSession.start(await this.#connect(), {
        idleTimeoutMs,
        onClosed: (ended) => this.#sessions.delete(ended),
      });
      this.#sessions.add(session);
      return session;
    } finally {
      this.#starting--;
    }
  }
}

function refuseWith(
  response: ServerResponse,
  status: number,
  code: number,
  message: string,
): undefined {
  // What is left of a body that nobody reads would stand before the next request.
  response.writeHead(status, { "content-type": "application/json", connection: "close" });
  response.end(JSON.stringify({ jsonrpc: "2.0", error: { code, message }, id: null }));
  return undefined;
}
