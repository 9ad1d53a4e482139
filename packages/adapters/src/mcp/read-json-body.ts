import type { IncomingMessage } from "node:http";

export type JsonBody =
  | { readonly value: unknown }
  | { readonly status: 400 | 413 | 503; readonly code: number; readonly reason: string };

/** The refusal when the service's request or memory limit is reached. */
export const NO_ROOM = {
  status: 503,
  code: -32000,
  reason: "The server is handling too many requests. Try again later.",
} as const;

/**
 * Reads the body of a request as JSON, up to `maxBytes`.
 *
 * @param takeRoom reserves memory for a number of bytes; returns false if there is not enough
 */
export async function readJsonBody(
  request: IncomingMessage,
  maxBytes: number,
  takeRoom: (bytes: number) => boolean,
): Promise<JsonBody> {
  const reason = `The request body is too large. At most ${maxBytes} bytes are allowed.`;
  const tooLarge: JsonBody = { status: 413, code: -32600, reason };
  if (Number(request.headers["content-length"]) > maxBytes) return tooLarge;
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  // Keep the connection open, because the refusal is sent over it.
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    // Without an encoding, chunks are buffers.
    const bytes = chunk as Buffer;
    sizeBytes += bytes.length;
    if (sizeBytes > maxBytes) return tooLarge;
    if (!takeRoom(bytes.length)) return NO_ROOM;
    chunks.push(bytes);
  }
  try {
    return { value: JSON.parse(Buffer.concat(chunks).toString("utf8")) };
  } catch {
    return { status: 400, code: -32700, reason: "The body is not JSON." };
  }
}
