import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import type { BoundPrompt } from "@wink/prompt";
import type { Session } from "@wink/session";
import { createMcpServer, type McpServerOptions } from "./create-mcp-server.js";

/** What `mcpServers` of the Claude Agent SDK takes for a server in the same process. */
export interface ClaudeAgentServer {
  readonly type: "sdk";
  readonly name: string;
  readonly instance: McpServer;
}

/**
 * A prompt's tools for `query` of the Claude Agent SDK, as an MCP server in this process.
 *
 * There its tools are called `mcp__<name>__<tool>`, for `allowedTools`. Each call is a
 * transaction over files and session. A server has one connection: make one for each
 * query. Opens the prompt and does not close it.
 */
export async function toClaudeAgentServer(
  prompt: BoundPrompt,
  session: Session,
  options: McpServerOptions = {},
): Promise<ClaudeAgentServer> {
  const { name = "wink" } = options;
  return { type: "sdk", name, instance: await createMcpServer(prompt, session, options) };
}
