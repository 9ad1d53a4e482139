import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import type { McpServer } from "@modelcontextprotocol/server";
import { onTestFinished } from "vitest";
import { createMcpServer } from "./create-mcp-server.js";
import { editor } from "./editor.test.support.js";
import { type HttpService, serveHttp } from "./serve-http.js";
import type { ServeHttpOptions } from "./serve-http-options.js";

/** The command that starts a compiled program of these tests. */
export function program(name: string): { readonly command: string; readonly args: string[] } {
  const compiled = `../../dist/mcp/${name.replace(/\.ts$/, ".js")}`;
  return {
    command: process.execPath,
    args: [fileURLToPath(new URL(compiled, import.meta.url))],
  };
}

/**
 * The official client, closed after the test. With a long timeout, because a busy machine starts
 * programs slowly.
 */
export async function connect(transport: Transport): Promise<Client> {
  const client = new Client({ name: "test", version: "1.0.0" });
  onTestFinished(() => client.close());
  await client.connect(transport, { timeout: 100_000 });
  return client;
}

export async function overStdio(name = "editor-server.test.program.ts"): Promise<Client> {
  return await connect(new StdioClientTransport({ ...program(name), stderr: "inherit" }));
}

export async function overHttp(service: HttpService): Promise<Client> {
  const requestInit = { headers: authorization(service) };
  return await connect(
    new StreamableHTTPClientTransport(service.url, { requestInit }) as Transport,
  );
}

/** The header with the token of a service. */
export function authorization({ token }: HttpService): Record<string, string> {
  return token === undefined ? {} : { authorization: `Bearer ${token}` };
}

export async function inMemory(server: McpServer): Promise<Client> {
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  // A transport of the first SDK, as other programs use it.
  await server.connect(theirs as never);
  return await connect(ours);
}

/** One editor served over HTTP to any number of clients. */
export async function httpEditor(options: ServeHttpOptions = {}) {
  const made = editor();
  const service = await serveHttp(() => createMcpServer(made.prompt, made.session), {
    graceMs: 0,
    ...options,
  });
  onTestFinished(() => service.close());
  return { ...made, service };
}

/** Calls a tool. The cast excludes an old form of answers that no server here uses. */
export async function call(
  client: Client,
  name: string,
  args: Record<string, unknown> = {},
): Promise<CallToolResult> {
  const params = { name, arguments: args };
  return (await client.callTool(params, undefined, { timeout: 100_000 })) as CallToolResult;
}

export function textOf({ content }: CallToolResult): string {
  return content.map((part) => (part.type === "text" ? part.text : `[${part.type}]`)).join("\n");
}
