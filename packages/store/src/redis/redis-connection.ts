import { createHash } from "node:crypto";
import { isStoreError, StoreError } from "../engine/store-error.js";
import { deadline } from "../store/retry.js";

type RedisArgument = string | Buffer;
/** An answer with texts as buffers. */
export type RedisReply = Buffer | number | null | readonly RedisReply[];

/** The part of a client of the package `redis` that is used. */
export interface RedisClient {
  readonly isOpen: boolean;
  connect(): Promise<unknown>;
  on(event: "error", listener: (error: unknown) => void): unknown;
  withTypeMapping(mapping: Readonly<Record<number, unknown>>): {
    sendCommand(
      args: readonly (string | Buffer)[],
      options: { readonly timeout: number },
    ): Promise<unknown>;
  };
  close(): Promise<unknown>;
  destroy(): unknown;
}

type RedisSender = ReturnType<RedisClient["withTypeMapping"]>;

/** A script and its hash. Each runs as one step on the server. */
export interface RedisScript {
  readonly text: string;
  readonly hash: string;
}

export function script(text: string): RedisScript {
  return { text, hash: createHash("sha1").update(text).digest("hex") };
}

const SUBJECT = "store 'redis'";
/** The type numbers of the protocol: bulk strings and simple strings become buffers. */
const BUFFERS = { 36: Buffer, 43: Buffer };
/**
 * The client would make a timer and a signal for each command, which costs more than the rest of it. Every call of the
 * store has a time limit already.
 */
const NO_TIMEOUT = { timeout: 0 };

/** Sends commands. The error of a failed command tells whether it may have been executed. */
export class RedisConnection {
  readonly #client: () => Promise<RedisClient>;
  readonly #timeoutMs: number;
  readonly #drop: () => void;
  /** The sender of the client that was used last. */
  #last: { readonly client: RedisClient; readonly sender: RedisSender } | undefined;

  /** @param drop closes a connection that does not answer, so that the next command opens another */
  constructor(client: () => Promise<RedisClient>, timeoutMs: number, drop: () => void) {
    this.#client = client;
    this.#timeoutMs = timeoutMs;
    this.#drop = drop;
  }

  async send(...args: readonly RedisArgument[]): Promise<RedisReply> {
    const sender = await this.#open();
    return (await this.#answered(sender.sendCommand(args, NO_TIMEOUT))) as RedisReply;
  }

  /** Sends commands in one round trip. */
  async sendAll(commands: readonly (readonly RedisArgument[])[]): Promise<readonly RedisReply[]> {
    const sender = await this.#open();
    const replies = await this.#answered(
      Promise.allSettled(commands.map((args) => sender.sendCommand(args, NO_TIMEOUT))),
    );
    return replies.map((reply) => {
      if (reply.status === "rejected") throw translate(reply.reason);
      return reply.value as RedisReply;
    });
  }

  async #answered<T>(reply: Promise<T>): Promise<T> {
    try {
      return await deadline({ timeoutMs: this.#timeoutMs }).race(reply);
    } catch (error) {
      if (!isStoreError(error)) throw translate(error);
      this.#drop();
      throw new StoreError("UNKNOWN", SUBJECT, undefined, { cause: error });
    }
  }

  /** Runs a script. It is sent with its text only if the server does not know it yet. */
  async run(
    { text, hash }: RedisScript,
    keys: readonly string[],
    args: readonly (RedisArgument | number | Uint8Array)[],
  ): Promise<RedisReply> {
    const rest = [String(keys.length), ...keys, ...args.map(toArgument)];
    try {
      return await this.send("EVALSHA", hash, ...rest);
    } catch (error) {
      if (!isStoreError(error) || !isReply(error.cause, "NOSCRIPT")) throw error;
      return await this.send("EVAL", text, ...rest);
    }
  }

  async #open(): Promise<RedisSender> {
    try {
      const client = await this.#client();
      if (this.#last?.client !== client)
        this.#last = { client, sender: client.withTypeMapping(BUFFERS) };
      return this.#last.sender;
    } catch (error) {
      if (isStoreError(error)) throw error;
      if (isReply(error, "NOAUTH|WRONGPASS|NOPERM")) throw translate(error);
      if (isReply(error, "ERR"))
        throw new StoreError(
          "ARGUMENT_INVALID",
          SUBJECT,
          "the server refused the password or the number of the database",
          { cause: error },
        );
      throw new StoreError("UNREACHABLE", SUBJECT, undefined, { cause: error });
    }
  }
}

export function toArgument(value: RedisArgument | number | Uint8Array): RedisArgument {
  if (typeof value === "number") return String(value);
  if (typeof value === "string" || Buffer.isBuffer(value)) return value;
  return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
}

function isReply(error: unknown, codes: string): boolean {
  return error instanceof Error && new RegExp(`^(?:${codes})\\b`).test(error.message);
}

function translate(cause: unknown): StoreError {
  const as = (code: "UNREACHABLE" | "FULL" | "ARGUMENT_INVALID" | "UNKNOWN", reason?: string) =>
    new StoreError(code, SUBJECT, reason, { cause });
  if (isReply(cause, "OOM")) return as("FULL", "the memory of the server is full");
  if (isReply(cause, "MISCONF")) return as("FULL", "the server cannot write to its disk");
  if (isReply(cause, "NOSCRIPT|LOADING|BUSY|READONLY|MASTERDOWN|CLUSTERDOWN|TRYAGAIN"))
    return as("UNREACHABLE", "the server cannot write at the moment. Nothing was changed");
  if (isReply(cause, "NOAUTH|WRONGPASS|NOPERM"))
    return as("ARGUMENT_INVALID", "the server refused the credentials");
  const name = cause instanceof Error ? cause.constructor.name : "";
  const isUnsent = /^Client(Offline|Closed)Error$|^ConnectionTimeoutError$/.test(name);
  return as(isUnsent ? "UNREACHABLE" : "UNKNOWN");
}
