import type { IncomingMessage } from "node:http";

const LOOPBACK = ["localhost", "127.0.0.1", "[::1]"];

export interface HttpGuardOptions {
  /** Host names under which clients reach the service, without port. @default those of this machine alone, and the one it listens on */
  readonly allowedHosts?: readonly string[] | undefined;
  /** Origins of web pages that may use the service, such as `https://app.example`. @default none */
  readonly allowedOrigins?: readonly string[] | undefined;
  /**
   * Whether a request may go on, such as one with the right `authorization`. Browsers' questions
   * whether a page may ask at all come without that, and are not asked about.
   * @default all that reach the service
   */
  readonly authorize?: ((request: IncomingMessage) => boolean | Promise<boolean>) | undefined;
}

export interface Refusal {
  readonly status: 401 | 403;
  readonly reason: string;
}

/**
 * Why a request is turned away, if it is.
 *
 * A web page can make a browser send requests to a server on the reader's own machine:
 * directly, which `origin` shows, or by giving its own name that machine's address, which
 * `host` shows.
 */
export async function refuse(
  request: IncomingMessage,
  listensOn: string,
  { allowedHosts, allowedOrigins = [], authorize }: HttpGuardOptions,
): Promise<Refusal | undefined> {
  const { host = "", origin } = request.headers;
  const own = listensOn.includes(":") ? `[${listensOn}]` : listensOn;
  const hosts = (allowedHosts ?? [...LOOPBACK, own]).map((name) => name.toLowerCase());
  if (!hosts.includes(host.toLowerCase().replace(/:\d+$/, "")))
    return { status: 403, reason: "This host name is not served." };
  if (origin !== undefined && !allowedOrigins.includes(origin))
    return { status: 403, reason: "Web pages of this origin are not served." };
  const isPreflight = request.method === "OPTIONS";
  if (authorize !== undefined && !isPreflight && !(await authorize(request)))
    return { status: 401, reason: "Not authorized." };
  return undefined;
}

/** What a browser must be told to let a page of an allowed origin use the service. */
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
