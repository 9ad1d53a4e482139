import { isAdapterError } from "@wink/adapters";
import type { createMcpServer } from "@wink/adapters/mcp";
import { type HttpService, serveHttp } from "@wink/adapters/mcp";
import { CliError } from "../terminal/cli-error.js";
import { EXIT_CODES } from "../terminal/exit-codes.js";
import type { Io } from "../terminal/io.js";
import { remark, sayJson } from "../terminal/print.js";
import { readTokenFile, writeTokenFile } from "./token-file.js";

const TOKEN_VARIABLE = "WINK_MCP_TOKEN";

/** Where clients connect: a local port with a token, or a socket that only its owner can open. */
export type McpAddress =
  | { readonly port: number; readonly tokenFile: string | undefined }
  | { readonly socketPath: string };

export interface ServeOverHttpOptions {
  readonly connect: () => ReturnType<typeof createMcpServer>;
  readonly address: McpAddress;
  readonly onError: (error: unknown) => void;
  readonly signal: AbortSignal;
  /** Print the address as JSON on stdout. */
  readonly json: boolean;
  /** The served files and what happens to changes, for people and for `json`. */
  readonly about: {
    readonly what: string;
    readonly whereabouts: string;
    readonly directory: string;
    readonly mode: string;
  };
}

/**
 * Serves until `signal` aborts. A client needs the token, or must be the user who started the
 * server.
 */
export async function serveOverHttp(io: Io, options: ServeOverHttpOptions): Promise<void> {
  const { connect, address, onError, signal, json, about } = options;
  const given = "port" in address ? await tokenFor(io, address.tokenFile) : undefined;
  const place = "port" in address ? { port: address.port } : address;
  await using service = await start(connect, { ...place, token: given?.token, onError });
  const isNew = given?.token === undefined;
  if ("port" in address && isNew && address.tokenFile !== undefined && service.token !== undefined)
    await writeTokenFile(address.tokenFile, service.token);
  const { what, whereabouts, directory, mode } = about;
  if ("socketPath" in address) {
    const { socketPath: socket } = address;
    if (json) sayJson(io, { url: service.url.href, socket, directory, mode });
    remark(io, `wink mcp: serving ${what} on the socket ${socket}. ${whereabouts}`);
    remark(io, "Only you can connect to it.");
  } else {
    const { token, url } = service;
    const shown = given === undefined ? { token } : {};
    if (json) sayJson(io, { url: url.href, ...shown, directory, mode });
    remark(io, `wink mcp: serving ${what} at ${url}. ${whereabouts}`);
    remark(io, "Only clients that send its token are served.");
    if (given !== undefined) showConfiguration(io, url, given.shownAs);
    else if (!json && token !== undefined) showConfiguration(io, url, token);
  }
  await aborted(signal);
}

/**
 * A given or saved token, and how to write it without showing it. `undefined` for a new token,
 * which is shown.
 */
interface GivenToken {
  /** `undefined` if the file is not written yet. */
  readonly token: string | undefined;
  readonly shownAs: string;
}

async function tokenFor(io: Io, tokenFile: string | undefined): Promise<GivenToken | undefined> {
  if (tokenFile !== undefined)
    return { token: await readTokenFile(tokenFile), shownAs: `<the token in ${tokenFile}>` };
  const token = io.env[TOKEN_VARIABLE];
  return token === undefined ? undefined : { token, shownAs: `\${${TOKEN_VARIABLE}}` };
}

function showConfiguration(io: Io, url: URL, token: string): void {
  const headers = { Authorization: `Bearer ${token}` };
  const server = { type: "http", url: url.href, headers };
  remark(io, "For a client with a configuration file:");
  remark(io, `  ${JSON.stringify({ mcpServers: { wink: server } })}`);
}

async function start(...args: Parameters<typeof serveHttp>): Promise<HttpService> {
  try {
    return await serveHttp(...args);
  } catch (error) {
    if (!isAdapterError(error)) throw error;
    throw new CliError(error.message, { exitCode: EXIT_CODES.refused, cause: error });
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
