import type { IncomingMessage } from "node:http";
import { hasToken } from "./bearer-token.js";
import type { ServeHttpOptions } from "./serve-http-options.js";

const LOOPBACK = ["localhost", "127.0.0.1", "[::1]"];

/** What the guard checks requests against. */
export interface HttpGuardTarget {
  /** The address that the service listens on; `undefined` for a Unix socket. */
  readonly host: string | undefined;
  /** `undefined` if `authorize` or the mode of the socket decides. */
  readonly token: string | undefined;
}

export interface HttpRefusal {
  readonly status: 401 | 403;
  readonly reason: string;
}

/**
 * Returns why a request is refused, or `undefined` if it is allowed.
 *
 * A web page can make a browser send requests to a server on the user's machine: directly, which
 * `origin` shows, or with DNS rebinding, which `host` shows. Other users of the machine can send
 * any headers, but they do not have the token.
 */
export async function refuse(
  request: IncomingMessage,
  { host: listensOn = "localhost", token }: HttpGuardTarget,
  {
    allowedHosts,
    allowedOrigins = [],
    authorize,
  }: Pick<ServeHttpOptions, "allowedHosts" | "allowedOrigins" | "authorize">,
): Promise<HttpRefusal | undefined> {
  const { host = "", origin } = request.headers;
  const own = listensOn.includes(":") ? `[${listensOn}]` : listensOn;
  const hosts = (allowedHosts ?? [...LOOPBACK, own]).map((name) => name.toLowerCase());
  if (!hosts.includes(host.toLowerCase().replace(/:\d+$/, "")))
    return { status: 403, reason: "This host name is not served." };
  if (origin !== undefined && !allowedOrigins.includes(origin))
    return { status: 403, reason: "Web pages of this origin are not served." };
  if (isPreflight(request)) return undefined;
  if (authorize !== undefined)
    return (await authorize(request)) ? undefined : { status: 401, reason: "Not authorized." };
  if (token === undefined || hasToken(request, token)) return undefined;
  return {
    status: 401,
    reason:
      "Not authorized. Send the token that the server printed, as the header 'Authorization: Bearer <token>'.",
  };
}

/** A CORS preflight, which has no credentials. It is answered only with {@link corsHeaders}. */
export function isPreflight({ method, headers }: IncomingMessage): boolean {
  const asks = headers["access-control-request-method"] !== undefined;
  return method === "OPTIONS" && headers.origin !== undefined && asks;
}

/** The CORS headers for a page of an allowed origin. */
export function corsHeaders({ headers }: IncomingMessage): Readonly<Record<string, string>> {
  if (headers.origin === undefined) return {};
  return {
    "access-control-allow-origin": headers.origin,
    "access-control-allow-methods": "GET, POST, DELETE",
    "access-control-allow-headers":
      "content-type, authorization, mcp-session-id, mcp-protocol-version, last-event-id",
    "access-control-expose-headers": "mcp-session-id",
    vary: "origin",
  };
}
