import type { IncomingMessage } from "node:http";
import { hasToken } from "./bearer-token.js";

const LOOPBACK = ["localhost", "127.0.0.1", "[::1]"];

export interface HttpGuardOptions {
  /** Host names under which clients reach the service, without port. @default those of this machine alone, and the one it listens on */
  readonly allowedHosts?: readonly string[] | undefined;
  /** Origins of web pages that may use the service, such as `https://app.example`. @default none */
  readonly allowedOrigins?: readonly string[] | undefined;
  /**
   * Decides about each request before its body is read, and replaces the token. A browser's question whether a page may
   * send requests at all comes without credentials, and is not asked about.
   * @default whether the request has the token of the service
   */
  readonly authorize?: ((request: IncomingMessage) => boolean | Promise<boolean>) | undefined;
}

/** What the guard checks requests against. */
export interface HttpGuardTarget {
  /** The address that the service listens on; `undefined` on a socket of the filesystem. */
  readonly host: string | undefined;
  /** `undefined` where `authorize`, or the mode of the socket, decides. */
  readonly token: string | undefined;
}

export interface HttpRefusal {
  readonly status: 401 | 403;
  readonly reason: string;
}

/**
 * Why a request is refused, or `undefined` when it is not.
 *
 * A web page can make a browser send requests to a server on the reader's own machine:
 * directly, which `origin` shows, or by giving its own name that machine's address, which
 * `host` shows. Other users of the machine send what they like, and do not have the token.
 */
export async function refuse(
  request: IncomingMessage,
  { host: listensOn = "localhost", token }: HttpGuardTarget,
  { allowedHosts, allowedOrigins = [], authorize }: HttpGuardOptions,
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

/** A browser asks for an allowed page, without credentials. Only the headers of {@link corsHeaders} are answered. */
export function isPreflight({ method, headers }: IncomingMessage): boolean {
  const asks = headers["access-control-request-method"] !== undefined;
  return method === "OPTIONS" && headers.origin !== undefined && asks;
}

/** The headers with which a browser lets a page of an allowed origin use the service. */
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
