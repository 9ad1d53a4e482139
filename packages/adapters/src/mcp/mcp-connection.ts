import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { McpError, ResultSchema } from "@modelcontextprotocol/sdk/types.js";
import { abortable } from "../runtime/context/abortable.js";
import { within } from "../runtime/transaction/within.js";

/** A request has the time limit of its call; the SDK's own is put out of its way. */
const NO_TIMEOUT_MS = 2 ** 31 - 1;
/** How long a server may take to answer a ping, or to end its session. */
const SHORT_TIMEOUT_MS = 5_000;
/** How long closing may take. The SDK gives a program four seconds to end before it kills it. */
const CLOSE_TIMEOUT_MS = 10_000;

/** What a server sent back: nothing about it is known. */
export type Reply = Readonly<Record<string, unknown>>;

/** A server's answer that says no. Its connection is as good as before. */
export class McpRefusal extends Error {
  override readonly name = "McpRefusal";
}

/**
 * A connection that is made when it is needed, and again when it was lost.
 *
 * A request is sent once: whoever waits for one over which the connection was lost
 * hears of it, and the next one makes a new connection.
 */
export class McpConnection {
  readonly #makeTransport: () => Transport;
  readonly #connectTimeoutMs: number;
  #client: Promise<Client> | undefined;
  #closed = false;

  constructor(makeTransport: () => Transport, connectTimeoutMs: number) {
    this.#makeTransport = makeTransport;
    this.#connectTimeoutMs = connectTimeoutMs;
  }

  /** Rejects with {@link McpRefusal} when the server says no, with something else when it cannot be asked. */
  async request(method: string, params: Reply, signal: AbortSignal): Promise<Reply> {
    signal.throwIfAborted();
    this.#client ??= this.#connect();
    const connecting = this.#client;
    let client: Client | undefined;
    try {
      client = await abortable(connecting, signal);
      const options = { signal, timeout: NO_TIMEOUT_MS };
      return await client.request({ method, params }, ResultSchema, options);
    } catch (error) {
      signal.throwIfAborted();
      // A connection that is lost has no transport any more; its error has a code that servers use too.
      if (error instanceof McpError && client?.transport !== undefined)
        throw new McpRefusal(error.message, { cause: error });
      await this.#drop(connecting);
      throw error;
    }
  }

  /** Lets requests make connections again. */
  open(): void {
    this.#closed = false;
  }

  /** Ends the connection, and with it the program if there is one. */
  async close(): Promise<void> {
    this.#closed = true;
    if (this.#client !== undefined) await this.#drop(this.#client);
  }

  async #connect(): Promise<Client> {
    if (this.#closed) throw new Error("The section is closed.");
    const client = new Client({ name: "wink", version: "1.0.0" });
    try {
      const connecting = client.connect(this.#makeTransport(), { timeout: this.#connectTimeoutMs });
      // The SDK bounds only the first of its two messages. A server that does not take the second one would hang it.
      await within(this.#connectTimeoutMs, connecting);
    } catch (error) {
      await close(client);
      throw error;
    }
    // The SDK reports the end of a program. Other output of it is not an error, and it may be too busy for a ping.
    if (!(client.transport instanceof StdioClientTransport)) closeWhenSilent(client);
    return client;
  }

  async #drop(connecting: Promise<Client>): Promise<void> {
    if (this.#client === connecting) this.#client = undefined;
    try {
      const client = await connecting;
      client.onerror = () => {};
      const { transport } = client;
      if (this.#closed && transport instanceof StreamableHTTPClientTransport)
        await within(SHORT_TIMEOUT_MS, transport.terminateSession()).catch(() => {});
      await close(client);
    } catch {
      // There is nothing to close when the connection failed.
    }
  }
}

/** Closing does not wait for ever, and its errors do not matter. */
async function close(client: Client): Promise<void> {
  await within(CLOSE_TIMEOUT_MS, client.close()).catch(() => {});
}

/** Over HTTP a request whose connection breaks is never answered and never fails. So after an error it pings the server, one ping at a time. */
function closeWhenSilent(client: Client): void {
  let asking = false;
  client.onerror = async () => {
    if (asking) return;
    asking = true;
    await client.ping({ timeout: SHORT_TIMEOUT_MS }).catch(() => close(client));
    asking = false;
  };
}
