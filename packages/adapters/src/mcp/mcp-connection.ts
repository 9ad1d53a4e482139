import {
  Client,
  type Progress,
  ProtocolError,
  type ServerCapabilities,
  StreamableHTTPClientTransport,
  type Transport,
} from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import type { StandardSchemaV1 } from "@standard-schema/spec";
import { abortable } from "@wink/filesystem/internal";
import { withTimeout } from "../runtime/transaction/with-timeout.js";

/** Disables the SDK's timeout, because each request has the timeout of its call. */
const NO_TIMEOUT_MS = 2 ** 31 - 1;
/** How long a server may take to answer a ping or to end its session. */
const SHORT_TIMEOUT_MS = 5_000;
/** How long closing may take. The SDK gives a program four seconds to end before it kills it. */
const CLOSE_TIMEOUT_MS = 10_000;

/** Accepts every reply, because each is checked where it is used. */
const ANY_REPLY: StandardSchemaV1<Reply> = {
  // The client passes on only objects.
  "~standard": { version: 1, vendor: "wink", validate: (value) => ({ value: value as Reply }) },
};

/** An unvalidated reply of a server. */
export type Reply = Readonly<Record<string, unknown>>;

/** A server's error response. The connection is still usable. */
export class McpRefusal extends Error {
  override readonly name = "McpRefusal";
}

/**
 * A connection that is opened on first use, and again after it was lost.
 *
 * A request is sent only once. If the connection is lost, its pending requests reject, and the
 * next request opens a new connection.
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

  /**
   * Rejects with {@link McpRefusal} if the server returns an error, and with another error if it
   * cannot be reached.
   */
  async request(
    method: string,
    params: Reply,
    signal: AbortSignal,
    onProgress?: (progress: Progress) => void,
  ): Promise<Reply> {
    signal.throwIfAborted();
    this.#client ??= this.#connect();
    const connecting = this.#client;
    let client: Client | undefined;
    try {
      client = await abortable(connecting, signal);
      const watched = onProgress === undefined ? {} : { onprogress: onProgress };
      const options = { signal, timeout: NO_TIMEOUT_MS, ...watched };
      return await client.request({ method, params }, ANY_REPLY, options);
    } catch (error) {
      signal.throwIfAborted();
      // The SDK reports a lost connection with an error code that servers use too. Only a lost
      // connection has no transport.
      if (error instanceof ProtocolError && client?.transport !== undefined)
        throw new McpRefusal(error.message, { cause: error });
      await this.#drop(connecting);
      throw error;
    }
  }

  /** What the server offers. Connects if necessary. */
  async capabilities(signal: AbortSignal): Promise<ServerCapabilities> {
    this.#client ??= this.#connect();
    return (await abortable(this.#client, signal)).getServerCapabilities() ?? {};
  }

  /** Allows requests to open connections again after `close`. */
  open(): void {
    this.#closed = false;
  }

  /** Closes the connection and ends the server's program, if there is one. */
  async close(): Promise<void> {
    this.#closed = true;
    if (this.#client !== undefined) await this.#drop(this.#client);
  }

  async #connect(): Promise<Client> {
    if (this.#closed) throw new Error("The section is closed.");
    // Asks for the protocol of 2026-07-28 and falls back to an earlier one.
    const probe = { timeoutMs: this.#connectTimeoutMs / 2 };
    const versionNegotiation = { mode: "auto", probe } as const;
    const client = new Client({ name: "wink", version: "1.0.0" }, { versionNegotiation });
    try {
      const connecting = client.connect(this.#makeTransport(), { timeout: this.#connectTimeoutMs });
      // The SDK's timeout covers only the first of its two messages. A server that ignores the
      // second one would block forever.
      await withTimeout(this.#connectTimeoutMs, connecting);
    } catch (error) {
      await close(client);
      throw error;
    }
    // The SDK reports the end of a program. Other errors only mean unexpected output, and a busy
    // program may not answer a ping.
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
        await withTimeout(SHORT_TIMEOUT_MS, transport.terminateSession()).catch(() => {});
      await close(client);
    } catch {
      // The connection failed, so there is nothing to close.
    }
  }
}

/** Closes with a timeout and ignores errors. */
async function close(client: Client): Promise<void> {
  await withTimeout(CLOSE_TIMEOUT_MS, client.close()).catch(() => {});
}

/**
 * Over HTTP, a request whose connection breaks never settles. So after an error this pings the
 * server, one ping at a time.
 */
function closeWhenSilent(client: Client): void {
  let asking = false;
  client.onerror = async () => {
    if (asking) return;
    asking = true;
    await client.ping({ timeout: SHORT_TIMEOUT_MS }).catch(() => close(client));
    asking = false;
  };
}
