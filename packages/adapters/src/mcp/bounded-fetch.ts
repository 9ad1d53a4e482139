/** Maximum size of one message from a server. Programs over stdio have the same limit. */
const MAX_MESSAGE_BYTES = 10_485_760;

/**
 * Like `fetch`, but the response fails when one message exceeds the limit, because messages are
 * buffered in memory.
 */
export async function boundedFetch(url: string | URL, init?: RequestInit): Promise<Response> {
  const response = await fetch(url, init);
  const { body, status, statusText, headers } = response;
  if (body === null) return response;
  const isStream = headers.get("content-type")?.includes("event-stream") ?? false;
  const bounded = body.pipeThrough(endingTooLong(isStream));
  return new Response(bounded, { status, statusText, headers });
}

/**
 * Counts bytes and fails above the limit. In an event stream, an empty line starts a new message.
 */
function endingTooLong(isStream: boolean): TransformStream<Uint8Array, Uint8Array> {
  let sizeBytes = 0;
  let before = "";
  return new TransformStream({
    transform(chunk, controller) {
      const text = before + Buffer.from(chunk).toString("latin1");
      const end = isStream ? endOfEvents(text) : -1;
      sizeBytes = end === -1 ? sizeBytes + chunk.length : text.length - end;
      before = text.slice(-3);
      if (sizeBytes > MAX_MESSAGE_BYTES)
        controller.error(new Error(`a message has more than ${MAX_MESSAGE_BYTES} bytes`));
      else controller.enqueue(chunk);
    },
  });
}

/** The end of the last complete event in `text`, or -1. */
function endOfEvents(text: string): number {
  return Math.max(...["\n\n", "\r\r", "\r\n\r\n"].map((line) => text.lastIndexOf(line)));
}
