import { StreamableHTTPClientTransport, type Transport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { boundedFetch } from "./bounded-fetch.js";

/** A program that is started by the section and ended with it. */
export interface McpCommand {
  readonly command: string;
  /** @default none */
  readonly args?: readonly string[] | undefined;
  /** Added to the few variables that every program gets. @default none */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** @default the working directory of this process */
  readonly cwd?: string | undefined;
  /** Where the program's stderr goes. @default "ignore" */
  readonly stderr?: "ignore" | "inherit" | undefined;
}

/** A remote server over streamable HTTP. */
export interface McpUrl {
  readonly url: string | URL;
  /** Headers of every request, such as `authorization`. @default none */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** A custom transport. The function is called for each connection. */
export interface McpTransport {
  readonly transport: () => Transport;
}

/** The server to mount. */
export type McpTarget = McpCommand | McpUrl | McpTransport;

/**
 * Creates the transport for one connection. `undefined` if not exactly one kind of target is
 * given.
 */
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
    // The cast only concerns optional members that the SDK declares as possibly undefined.
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
