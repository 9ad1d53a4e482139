export type { InteropOptions } from "./interop/interop-options.js";
export { type ClaudeAgentServer, toClaudeAgentServer } from "./mcp/claude-agent-server.js";
export type { McpServerOptions } from "./mcp/create-mcp-server.js";
