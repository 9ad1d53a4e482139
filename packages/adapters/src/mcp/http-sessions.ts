import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { HttpSession } from "./http-session.js";

export interface HttpSessionsOptions {
  readonly connect: () => Promise<McpServer> | McpServer;
  readonly maxSessions: number;
  readonly idleTimeoutMs: number;
  readonly onError: (error: unknown) => void;
}

/** The sessions of a service. When there is no room for another one, it ends the one that was not used for the longest time. */
export class HttpSessions {
  readonly #options: HttpSessionsOptions;
  /** The least recently used first. */
  readonly #sessions = new Set<HttpSession>();
  readonly #ending = new Set<Promise<void>>();
  #starting = 0;

  constructor(options: HttpSessionsOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#sessions.size;
  }

  /** The session with this id, which counts as used now. */
  use(id: string | readonly string[]): HttpSession | undefined {
    const found = [...this.#sessions].find((session) => session.id === id);
    if (found === undefined) return undefined;
    this.#sessions.delete(found);
    this.#sessions.add(found);
    return found;
  }

  /** A new session, or `undefined` when there are as many as there may be and every client waits for an answer. */
  async begin(): Promise<HttpSession | undefined> {
    const { connect, maxSessions, idleTimeoutMs } = this.#options;
    if (this.#sessions.size + this.#starting >= maxSessions && !this.#endUnused()) return undefined;
    this.#starting++;
    try {
      const session = await HttpSession.start(await connect(), {
        idleTimeoutMs,
        onClosed: (ended) => this.#sessions.delete(ended),
      });
      this.#sessions.add(session);
      return session;
    } finally {
      this.#starting--;
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#ending, ...[...this.#sessions].map((session) => session.close())]);
  }

  /** Whether there was a session to end. Its client begins a new one with its next request. */
  #endUnused(): boolean {
    const unused = [...this.#sessions].find(({ isBusy }) => !isBusy);
    if (unused === undefined) return false;
    this.#sessions.delete(unused);
    const ending = unused.close().catch(this.#options.onError);
    this.#ending.add(ending);
    void ending.then(() => this.#ending.delete(ending));
    return true;
  }
}
