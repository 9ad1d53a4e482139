import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";

export interface HttpSessionOptions {
  readonly idleTimeoutMs: number;
  /** Told when the session is over, however it ended. */
  readonly onClosed: (session: HttpSession) => void;
}

/** One client's session over HTTP: a server of its own, and the requests that are open. */
export class HttpSession {
  readonly #server: McpServer;
  readonly #transport = new StreamableHTTPServerTransport({ sessionIdGenerator: randomUUID });
  readonly #idleTimeoutMs: number;
  #open = 0;
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
    // Its optional members are declared as possibly undefined, which is the same to everybody who calls them.
    await server.connect(session.#transport as Transport);
    return session;
  }

  /** `undefined` until the client has introduced itself. */
  get id(): string | undefined {
    return this.#transport.sessionId;
  }

  async handle(request: IncomingMessage, response: ServerResponse, body?: unknown): Promise<void> {
    clearTimeout(this.#idle);
    this.#open++;
    const over = () => {
      this.#open--;
      if (this.#open === 0 && this.#closing === undefined) this.#waitForNext();
    };
    // A client may have gone by now, and that is not told again.
    if (response.destroyed) over();
    else response.once("close", over);
    await this.#transport.handleRequest(request, response, body);
  }

  /** Ends the session; calls that are under way are undone first. */
  close(): Promise<void> {
    clearTimeout(this.#idle);
    this.#closing ??= this.#server.close();
    return this.#closing;
  }

  #waitForNext(): void {
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => void this.close(), this.#idleTimeoutMs);
    this.#idle.unref();
  }
}
