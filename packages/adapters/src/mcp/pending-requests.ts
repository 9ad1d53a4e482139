import type { JSONRPCMessage, RequestId, Transport } from "@modelcontextprotocol/server";

/**
 * The requests of one client that its server has received and not answered.
 *
 * A request outlives its HTTP connection, because losing the connection does not cancel it. A
 * connection outlives its request, because a cancelled request is never answered.
 */
export class PendingRequests {
  readonly #pending = new Map<RequestId, () => void>();
  readonly #onCancelled: (id: RequestId) => void;

  /** @param onCancelled called for each request that the client cancels */
  constructor(onCancelled: (id: RequestId) => void) {
    this.#onCancelled = onCancelled;
  }

  get size(): number {
    return this.#pending.size;
  }

  /** Observes all messages of `transport`, which must already be connected. */
  watch(transport: Transport): void {
    const { onmessage } = transport;
    const send = transport.send.bind(transport);
    transport.onmessage = (message, extra) => {
      if ("method" in message && "id" in message) this.#begin(message.id);
      onmessage?.(message, extra);
      const cancelled = cancelledBy(message);
      if (cancelled === undefined) return;
      this.#end(cancelled);
      this.#onCancelled(cancelled);
    };
    transport.send = async (message, options) => {
      try {
        await send(message, options);
      } finally {
        if (!("method" in message) && message.id !== undefined) this.#end(message.id);
      }
    };
  }

  /** Resolves when no request in `body` is pending. */
  async settled(body: unknown): Promise<void> {
    for (const id of requestIdsOf(body)) {
      const answer = this.#pending.get(id);
      if (answer === undefined) continue;
      await new Promise<void>((resolve) => {
        this.#pending.set(id, () => {
          answer();
          resolve();
        });
      });
    }
  }

  /** Ends all requests, for a closed session, which cannot send answers. */
  endAll(): void {
    for (const id of [...this.#pending.keys()]) this.#end(id);
  }

  #begin(id: RequestId): void {
    // If a client reuses an id, the earlier request ends.
    this.#end(id);
    this.#pending.set(id, () => {});
  }

  #end(id: RequestId): void {
    const end = this.#pending.get(id);
    this.#pending.delete(id);
    end?.();
  }
}

/** The ids of the requests in the body of a POST, which contains one message or an array. */
export function requestIdsOf(body: unknown): readonly RequestId[] {
  return [body].flat().flatMap((message: unknown) => {
    if (typeof message !== "object" || message === null) return [];
    if (!("method" in message && "id" in message)) return [];
    return isRequestId(message.id) ? [message.id] : [];
  });
}

function cancelledBy(message: JSONRPCMessage): RequestId | undefined {
  if (!("method" in message) || message.method !== "notifications/cancelled") return undefined;
  const id = message.params?.["requestId"];
  return isRequestId(id) ? id : undefined;
}

function isRequestId(value: unknown): value is RequestId {
  return typeof value === "string" || typeof value === "number";
}
