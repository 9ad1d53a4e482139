import type { PostgresServer } from "@wink/store/sql/internal";
import type { WakeUp } from "../worker/wake-up.js";

/** A client of `pg` that receives notifications. */
interface ListeningClient {
  query(text: string): Promise<unknown>;
  release(isBroken?: boolean): void;
  on(
    event: string,
    listener: (message: { readonly payload?: string | undefined }) => void,
  ): unknown;
  removeAllListeners(event: string): unknown;
}

/** Wakes waiting calls when the server notifies that a request was added or ended. */
export class PostgresListener {
  readonly #server: PostgresServer;
  readonly #channel: string;
  readonly #queue: string;
  readonly #wakeUp: WakeUp;
  /** Ends the connection. */
  #release: Promise<(() => void) | undefined> | undefined;

  constructor(server: PostgresServer, channel: string, queue: string, wakeUp: WakeUp) {
    this.#server = server;
    this.#channel = channel;
    this.#queue = queue;
    this.#wakeUp = wakeUp;
  }

  /** Starts to listen, if it does not. Without a connection, waiting calls only poll. */
  async listen(): Promise<void> {
    this.#release ??= this.#connect().catch(() => {
      this.#release = undefined;
      return undefined;
    });
    await this.#release;
  }

  async close(): Promise<void> {
    const release = await this.#release;
    this.#release = undefined;
    release?.();
  }

  /** Returns a function that ends the connection. */
  async #connect(): Promise<() => void> {
    const pool = await this.#server.pool();
    // The clients of `pg` have these methods; the store uses fewer.
    const client = (await pool.connect()) as unknown as ListeningClient;
    let isReleased = false;
    const release = () => {
      if (isReleased) return;
      isReleased = true;
      this.#release = undefined;
      client.removeAllListeners("notification");
      // It still listens, so the pool must not use it again.
      client.release(true);
    };
    client.on("error", release);
    client.on("notification", ({ payload }) => {
      if (payload === this.#queue) this.#wakeUp.wake();
    });
    try {
      await client.query(`LISTEN "${this.#channel}"`);
    } catch (error) {
      release();
      throw error;
    }
    return release;
  }
}
