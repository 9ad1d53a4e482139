import type { IncomingMessage } from "node:http";

export type JsonBody =
  | { readonly value: unknown }
  | { readonly status: 400 | 413 | 503; readonly code: number; readonly reason: string };

/** Refuses requests for which there is no room now. */
export const NO_ROOM = {
  status: 503,
  code: -32000,
  reason: "The server is handling too many requests. Try again later.",
} as const;

/**
 * The body of a request as JSON. Reads no more than `maxBytes`.
 *
 * @param takeRoom whether there is room in memory for so many bytes more
 */
export async function readJsonBody(
  request: IncomingMessage,
  maxBytes: number,
  takeRoom: (bytes: number) => boolean,
): Promise<JsonBody> {
  const reason = `A request has at most ${maxBytes} bytes.`;
  const tooLarge: JsonBody = { status: 413, code: -32600, reason };
  if (Number(request.headers["content-length"]) > maxBytes) return tooLarge;
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  // The connection stays open, for the answer that refuses the rest.
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    // Without an encoding, chunks are bytes.
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
