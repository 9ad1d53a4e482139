import type { IncomingMessage, ServerResponse } from "node:http";
import {
  type NodeIncomingMessageLike,
  toNodeHandler,
  toWebRequest,
} from "@modelcontextprotocol/node";
import {
  createMcpHandler,
  isLegacyRequest,
  type McpHttpHandler,
  type McpServer,
} from "@modelcontextprotocol/server";
import { PromptServer } from "./create-mcp-server.js";

/**
 * Requests in the protocol of 2026-07-28, which has no sessions: each has its own server. A client cancels a call by
 * ending its request.
 */
export class ModernRequests {
  readonly #handler: McpHttpHandler;
  readonly #handle: ReturnType<typeof toNodeHandler>;

  constructor(connect: () => Promise<McpServer> | McpServer, onError: (error: unknown) => void) {
    this.#handler = createMcpHandler(
      async () => {
        const server = await connect();
        if (server instanceof PromptServer)
          server.onToolsChanged = () => this.#handler.notify.toolsChanged();
        return server;
      },
      { legacy: "reject", onerror: onError },
    );
    this.#handle = toNodeHandler(this.#handler);
  }

  async accepts(request: IncomingMessage, body: unknown): Promise<boolean> {
    return !(await isLegacyRequest(await toWebRequest(asNode(request), body), body));
  }

  async handle(request: IncomingMessage, response: ServerResponse, body: unknown): Promise<void> {
    await this.#handle(asNode(request), response, body);
  }

  async close(): Promise<void> {
    await this.#handler.close();
  }
}

/** Only optional members differ, which Node declares as possibly undefined. */
function asNode(request: IncomingMessage): NodeIncomingMessageLike {
  return request as NodeIncomingMessageLike;
}
