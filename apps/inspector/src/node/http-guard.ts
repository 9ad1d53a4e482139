import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";

export interface Refusal {
  readonly status: 401 | 403 | 405 | 414;
  readonly message: string;
}

export interface GuardOptions {
  readonly port: number;
  readonly token: string;
}

/** Questions are short: ids and numbers, and the text of a search. */
const MAX_URL_CHARACTERS = 8_192;

/**
 * Why a request is refused, or `undefined` if it is allowed.
 *
 * Any web page can make a browser send requests to this server: directly, which `Origin` and `Sec-Fetch-Site` show, or
 * with DNS rebinding, which `Host` shows. So every route is checked, the page too. Other users of the machine can send
 * any header, but they do not have the token.
 */
export function refuseRequest(
  request: IncomingMessage,
  { port, token }: GuardOptions,
): Refusal | undefined {
  const { host = "", origin, "sec-fetch-site": site, authorization = "" } = request.headers;
  const names = ["127.0.0.1", "localhost", "[::1]"].map((name) => `${name}:${port}`);
  if (!names.includes(host.toLowerCase()))
    return { status: 403, message: "This host name is not served." };
  if (origin !== undefined && !names.some((name) => origin === `http://${name}`))
    return { status: 403, message: "Pages of other origins are not served." };
  const isPage = request.url === "/";
  if (site !== undefined && site !== "same-origin" && !(isPage && site === "none"))
    return { status: 403, message: "Pages of other sites are not served." };
  if (request.method === "OPTIONS")
    return { status: 403, message: "Other origins are not served." };
  if (request.method !== "GET") return { status: 405, message: "Only GET is served." };
  if ((request.url ?? "").length > MAX_URL_CHARACTERS)
    return { status: 414, message: "The request is too long." };
  // The page has no data and no token, so it may be read by anyone who reaches it.
  if (isPage || hasToken(authorization, token)) return undefined;
  return {
    status: 401,
    message: "Open the address that `wink inspect` printed: it has the token.",
  };
}

function hasToken(authorization: string, token: string): boolean {
  const [, sent = ""] = /^Bearer +(\S+)$/i.exec(authorization) ?? [];
  // Hashes have equal lengths, which `timingSafeEqual` requires.
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(sent), digest(token));
}
