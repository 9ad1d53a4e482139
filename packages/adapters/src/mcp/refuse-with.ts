import type { ServerResponse } from "node:http";
import { NO_ROOM } from "./read-json-body.js";

/** Answers that the service is full and says when to try again. */
export function refuseBusy(response: ServerResponse): undefined {
  response.setHeader("retry-after", "1");
  return refuseWith(response, NO_ROOM.status, NO_ROOM.code, NO_ROOM.reason);
}

/** Answers with a JSON-RPC error and closes the connection. */
export function refuseWith(
  response: ServerResponse,
  status: number,
  code: number,
  message: string,
): undefined {
  // Close the connection, because the unread rest of a body would be read as the next request.
  response.writeHead(status, { "content-type": "application/json", connection: "close" });
  response.end(JSON.stringify({ jsonrpc: "2.0", error: { code, message }, id: null }));
  return undefined;
}
