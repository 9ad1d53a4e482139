import type { McpServer } from "@modelcontextprotocol/server";
import type { BoundPrompt } from "@wink/prompt";
import type { Session } from "@wink/session";
import { createMcpServer, type McpServerOptions } from "./create-mcp-server.js";

/** A server in the same process, for `mcpServers` of the Claude Agent SDK. */
export interface ClaudeAgentServer {
  readonly type: "sdk";
  readonly name: string;
  readonly instance: McpServer;
}

/**
 * Converts a prompt's tools to an MCP server in this process, for `query` of the Claude Agent
 * SDK.
 *
 * In `allowedTools` the tools are named `mcp__<name>__<tool>`. Each call is a transaction over
 * files and session. A server has one connection, so create one for each query. Opens the prompt
 * and does not close it.
 */
export async function toClaudeAgentServer(
  prompt: BoundPrompt,
  session: Session,
  options: McpServerOptions = {},
): Promise<ClaudeAgentServer> {
  const instance = await createMcpServer(prompt, session, options);
  return { type: "sdk", name: options.name ?? "wink", instance };
}
