import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { NodeStreamableHTTPServerTransport } from "@modelcontextprotocol/node";
import type { McpServer, RequestId, Transport } from "@modelcontextprotocol/server";
import { MAX_TIMER_MS } from "../runtime/context/max-timer.js";
import { PendingRequests, requestIdsOf } from "./pending-requests.js";

export interface HttpSessionOptions {
  readonly idleTimeoutMs: number;
  /** Called when the session has ended for any reason. */
  readonly onClosed: (session: HttpSession) => void;
}

/** A pending POST with the ids of its requests. */
interface OpenPost {
  readonly response: ServerResponse;
  readonly ids: Set<RequestId>;
}

/** One client's session over HTTP in the protocols of 2025, with its own server and pending requests. */
export class HttpSession {
  readonly #server: McpServer;
  readonly #transport = new NodeStreamableHTTPServerTransport({ sessionIdGenerator: randomUUID });
  readonly #pending = new PendingRequests((id) => this.#endCancelled(id));
  readonly #posts = new Set<OpenPost>();
  readonly #idleTimeoutMs: number;
  #open = 0;
  #wasUsed = false;
  #idle: NodeJS.Timeout | undefined;
  #closing: Promise<void> | undefined;

  private constructor(server: McpServer, { idleTimeoutMs, onClosed }: HttpSessionOptions) {
    this.#server = server;
    this.#idleTimeoutMs = idleTimeoutMs;
    this.#transport.onclose = () => {
      onClosed(this);
      void this.close();
    };
  }

  static async start(server: McpServer, options: HttpSessionOptions): Promise<HttpSession> {
    const session = new HttpSession(server, options);
    // The cast only concerns optional members that the SDK declares as possibly undefined.
    const transport = session.#transport as Transport;
    await server.connect(transport);
    session.#pending.watch(transport);
    return session;
  }

  /** `undefined` until the client has sent its initialize request. */
  get id(): string | undefined {
    return this.#transport.sessionId;
  }

  /**
   * Whether a request is pending, including the first one. A stream on which the client only
   * listens does not count.
   */
  get isBusy(): boolean {
    return !this.#wasUsed || this.#posts.size > 0 || this.#pending.size > 0;
  }

  /** Resolves when the requests in the body are answered or cancelled. */
  async handle(request: IncomingMessage, response: ServerResponse, body?: unknown): Promise<void> {
    clearTimeout(this.#idle);
    this.#wasUsed = true;
    this.#open++;
    const post: OpenPost = { response, ids: new Set(requestIdsOf(body)) };
    if (request.method === "POST") this.#posts.add(post);
    const over = () => {
      this.#open--;
      this.#posts.delete(post);
      if (this.#open === 0 && this.#closing === undefined) this.#waitForNext();
    };
    // If the client has already disconnected, `close` is not emitted.
    if (response.destroyed) over();
    else response.once("close", over);
    await this.#transport.handleRequest(request, response, body);
    await this.#pending.settled(body);
  }

  /** Closes the session, after rolling back its running calls. */
  close(): Promise<void> {
    clearTimeout(this.#idle);
    this.#closing ??= this.#server.close().finally(() => this.#pending.endAll());
    return this.#closing;
  }

  /** The SDK does not answer a cancelled request and leaves its connection open. */
  #endCancelled(id: RequestId): void {
    for (const { response, ids } of this.#posts)
      if (ids.delete(id) && ids.size === 0) response.end();
  }

  #waitForNext(): void {
    clearTimeout(this.#idle);
    const delayMs = Math.min(this.#idleTimeoutMs, MAX_TIMER_MS);
    this.#idle = setTimeout(() => void this.close(), delayMs);
    this.#idle.unref();
  }
}
