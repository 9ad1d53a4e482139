import type { IncomingMessage } from "node:http";

export interface ServeHttpOptions {
  /**
   * Host names under which clients reach the service, without port. @default the loopback names
   * and the host it listens on
   */
  readonly allowedHosts?: readonly string[] | undefined;
  /** Origins of web pages that may use the service, such as `https://app.example`. @default none */
  readonly allowedOrigins?: readonly string[] | undefined;
  /**
   * Authorises each request before its body is read, instead of the token. Not called for a CORS
   * preflight, which has no credentials. @default checks the token of the service
   */
  readonly authorize?: ((request: IncomingMessage) => boolean | Promise<boolean>) | undefined;
  /** @default 0, which selects a free port */
  readonly port?: number | undefined;
  /** The address to listen on. @default "127.0.0.1", which only this machine can reach */
  readonly host?: string | undefined;
  /**
   * A Unix socket to listen on instead. Only the user of this process can connect to it. @default
   * none
   */
  readonly socketPath?: string | undefined;
  /**
   * The secret that clients send as `Authorization: Bearer <token>`; see `HttpService.token`.
   * @default 256 random bits; none with `authorize`, and none on a socket
   */
  readonly token?: string | undefined;
  /** @default "/mcp" */
  readonly path?: string | undefined;
  /** @default 4_194_304 */
  readonly maxBodyBytes?: number | undefined;
  /** Maximum number of pending requests with a body. Further requests are refused. @default 64 */
  readonly maxRequests?: number | undefined;
  /** Maximum total size of their bodies. Further requests are refused. @default 33_554_432 */
  readonly maxBufferedBytes?: number | undefined;
  /** How long a client may take to send a request. @default 30_000 */
  readonly requestTimeoutMs?: number | undefined;
  /** @default 512 */
  readonly maxConnections?: number | undefined;
  /**
   * Maximum number of sessions. Above it, the least recently used session is closed. @default 64
   */
  readonly maxSessions?: number | undefined;
  /**
   * How long a session without an open connection may be idle before it is closed. @default
   * 1_800_000
   */
  readonly idleTimeoutMs?: number | undefined;
  /** How long `close` waits for running calls before it rolls them back. @default 5_000 */
  readonly graceMs?: number | undefined;
  /** Receives errors that occurred while a request was answered. @default prints them */
  readonly onError?: ((error: unknown) => void) | undefined;
}

export const SERVE_HTTP_OPTIONS: readonly (keyof ServeHttpOptions)[] = [
  ...(["allowedHosts", "allowedOrigins", "authorize", "port", "host", "socketPath"] as const),
  ...(["token", "path", "maxBodyBytes", "maxRequests", "maxBufferedBytes"] as const),
  ...(["requestTimeoutMs", "maxConnections", "maxSessions", "idleTimeoutMs"] as const),
  ...(["graceMs", "onError"] as const),
];
