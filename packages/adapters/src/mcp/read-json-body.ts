import type { IncomingMessage } from "node:http";

export type JsonBody =
  | { readonly value: unknown }
  | { readonly status: 400 | 413; readonly code: number; readonly reason: string };

/** The body of a request as JSON. Reads no more than `maxBytes`. */
export async function readJsonBody(request: IncomingMessage, maxBytes: number): Promise<JsonBody> {
  const reason = `A request has at most ${maxBytes} bytes.`;
  const tooLarge: JsonBody = { status: 413, code: -32600, reason };
  if (Number(request.headers["content-length"]) > maxBytes) return tooLarge;
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  for await (const chunk of request) {
    // Without an encoding, chunks are bytes.
    const bytes = chunk as Buffer;
    sizeBytes += bytes.length;
    if (sizeBytes > maxBytes) return tooLarge;
    chunks.push(bytes);
  }
  try {
    return { value: JSON.parse(Buffer.concat(chunks).toString("utf8")) };
  } catch {
    return { status: 400, code: -32700, reason: "The body is not JSON." };
  }
}
