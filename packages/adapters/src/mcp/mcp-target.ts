import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { boundedFetch } from "./bounded-fetch.js";

/** A program that is started, and ended with the section. */
export interface McpCommand {
  readonly command: string;
  /** @default none */
  readonly args?: readonly string[] | undefined;
  /** Added to the few variables that every program gets. @default none */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** @default the directory of this process */
  readonly cwd?: string | undefined;
  /** Where the program's own messages go. @default "ignore" */
  readonly stderr?: "ignore" | "inherit" | undefined;
}

/** A server that runs elsewhere, over streamable HTTP. */
export interface McpUrl {
  readonly url: string | URL;
  /** Sent with each request, such as `authorization`. @default none */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** Anything else: called for each connection. */
export interface McpTransport {
  readonly transport: () => Transport;
}

/** Which server is mounted. */
export type McpTarget = McpCommand | McpUrl | McpTransport;

/** A way to the server for one connection; `undefined` when not exactly one is named. */
export function transportTo(
  target: Partial<McpCommand & McpUrl & McpTransport>,
): Transport | undefined {
  const {
    command,
    args = [],
    env = {},
    cwd,
    stderr = "ignore",
    url,
    headers = {},
    transport,
  } = target;
  if ([command, url, transport].filter((each) => each !== undefined).length !== 1) return undefined;
  if (transport !== undefined) return transport();
  if (url !== undefined && !URL.canParse(String(url))) return undefined;
  if (url !== undefined)
    // Its optional members are declared as possibly undefined, which is the same to everybody who calls them.
    return new StreamableHTTPClientTransport(new URL(url), {
      fetch: boundedFetch,
      requestInit: { headers: { ...headers } },
    }) as Transport;
  if (command === undefined) return undefined;
  return new StdioClientTransport({
    ...{ command, args: [...args], env: { ...env }, stderr },
    ...(cwd === undefined ? {} : { cwd }),
  });
}
