import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { expect, it, onTestFinished } from "vitest";
import { McpSection } from "./mcp-section.js";

it("a foreign server that stops responding after the handshake times out, and its connection is closed (AD-66)", async () => {
  const url = await greetingServer();
  const section = McpSection.create({ key: "other", url, connectTimeoutMs: 300 });
  await expect(section).rejects.toMatchObject({ code: "UNREACHABLE" });
});

it("a transport that never starts times out (AD-66)", async () => {
  const never = () => new Promise<never>(() => {});
  const transport = (): Transport => ({ start: never, send: never, close: async () => {} });
  const section = McpSection.create({ key: "other", transport, connectTimeoutMs: 300 });
  await expect(section).rejects.toMatchObject({ code: "UNREACHABLE" });
});

/** Answers the first request, but no notification. */
async function greetingServer(): Promise<string> {
  const server = createServer(async (request, response) => {
    if (request.method !== "POST") return;
    const { id, params } = (await json(request)) as {
      readonly id?: number;
      readonly params?: { readonly protocolVersion?: string };
    };
    if (id === undefined) return;
    const protocolVersion = params?.protocolVersion;
    const serverInfo = { name: "greeting", version: "1.0.0" };
    const result = { protocolVersion, capabilities: { tools: {} }, serverInfo };
    response.writeHead(200, { "content-type": "application/json", "mcp-session-id": "one" });
    response.end(JSON.stringify({ jsonrpc: "2.0", id, result }));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  // It listens on a port, so the address is an AddressInfo.
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
}
