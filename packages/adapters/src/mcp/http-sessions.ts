import type { McpServer } from "@modelcontextprotocol/server";
import { HttpSession } from "./http-session.js";

export interface HttpSessionsOptions {
  readonly connect: () => Promise<McpServer> | McpServer;
  readonly maxSessions: number;
  readonly idleTimeoutMs: number;
  readonly onError: (error: unknown) => void;
}

/**
 * The sessions of a service. When the limit is reached, the least recently used session is
 * closed.
 */
export class HttpSessions {
  readonly #options: HttpSessionsOptions;
  /** Least recently used first. */
  readonly #sessions = new Set<HttpSession>();
  readonly #ending = new Set<Promise<void>>();
  #starting = 0;

  constructor(options: HttpSessionsOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#sessions.size;
  }

  /** Returns the session with this id and marks it as used. */
  use(id: string | readonly string[]): HttpSession | undefined {
    const found = [...this.#sessions].find((session) => session.id === id);
    if (found === undefined) return undefined;
    this.#sessions.delete(found);
    this.#sessions.add(found);
    return found;
  }

  /** Starts a session. `undefined` if the limit is reached and every session is busy. */
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

  /**
   * Closes the least recently used session, if there is one that is not busy. Its client starts a
   * new session with its next request.
   */
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
