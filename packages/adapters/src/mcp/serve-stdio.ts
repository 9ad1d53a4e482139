import { once } from "node:events";
import type { Readable, Writable } from "node:stream";
import type { McpServer } from "@modelcontextprotocol/server";
import { StdioServerTransport, serveStdio as serve } from "@modelcontextprotocol/server/stdio";
import { requireFunction, requireOptions } from "../runtime/context/require-options.js";

/**
 * Serves one client over standard input and output, in the protocol of 2026-07-28 or an earlier one. `connect` creates
 * its server.
 *
 * Resolves when the client has disconnected or `signal` aborts, and running calls are rolled back. Does not end the
 * process.
 */
export async function serveStdio(
  connect: () => Promise<McpServer> | McpServer,
  options: {
    /** Stops the service. @default none */
    readonly signal?: AbortSignal | undefined;
    /** @default process.stdin */
    readonly input?: Readable | undefined;
    /** Nothing else may write to this stream. @default process.stdout */
    readonly output?: Writable | undefined;
    /** Receives errors of the connection. @default ignores them */
    readonly onError?: ((error: unknown) => void) | undefined;
  } = {},
): Promise<void> {
  requireFunction("serveStdio", connect ?? null);
  requireOptions("serveStdio", options, ["signal", "input", "output", "onError"]);
  const { signal, input = process.stdin, output = process.stdout, onError } = options;
  if (signal?.aborted) return;
  const over = new AbortController();
  const end = () => over.abort();
  const ended = once(over.signal, "abort");
  for (const event of ["end", "close"]) input.once(event, end);
  // A killed client causes a broken pipe on the next write, even after the end.
  output.on("error", end);
  if (input.readableEnded || input.destroyed) end();
  signal?.addEventListener("abort", end, { once: true });
  const servers = new Set<McpServer>();
  const service = serve(
    async () => {
      const server = await connect();
      servers.add(server);
      return server;
    },
    {
      transport: new StdioServerTransport(input, output),
      onerror: (error) => onError?.(error),
    },
  );
  try {
    await ended;
  } finally {
    signal?.removeEventListener("abort", end);
    for (const event of ["end", "close"]) input.off(event, end);
    await service.close();
    await Promise.all([...servers].map((server) => server.close()));
  }
}
