import { once } from "node:events";
import type { Readable, Writable } from "node:stream";
import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { requireMethod, requireOptions } from "../runtime/context/require-options.js";

/**
 * Serves one client over standard input and output.
 *
 * Resolves when the client has disconnected or `signal` aborts, and running calls are rolled
 * back. Does not end the process.
 */
export async function serveStdio(
  server: McpServer,
  options: {
    /** Stops the service. @default none */
    readonly signal?: AbortSignal | undefined;
    /** @default process.stdin */
    readonly input?: Readable | undefined;
    /** Nothing else may write to this stream. @default process.stdout */
    readonly output?: Writable | undefined;
  } = {},
): Promise<void> {
  requireMethod("serveStdio", server, { name: "connect", expected: "an McpServer" });
  requireOptions("serveStdio", options, ["signal", "input", "output"]);
  const { signal, input = process.stdin, output = process.stdout } = options;
  const over = new AbortController();
  const end = () => over.abort();
  const transport = new StdioServerTransport(input, output);
  transport.onclose = end;
  const ended = once(over.signal, "abort");
  for (const event of ["end", "close"]) input.once(event, end);
  // A killed client causes a broken pipe on the next write, even after the end.
  output.on("error", end);
  if (input.readableEnded || input.destroyed) end();
  signal?.addEventListener("abort", end, { once: true });
  try {
    signal?.throwIfAborted();
    await server.connect(transport);
    await ended;
  } catch (error) {
    if (!signal?.aborted) throw error;
  } finally {
    signal?.removeEventListener("abort", end);
    for (const event of ["end", "close"]) input.off(event, end);
    await server.close();
  }
}
