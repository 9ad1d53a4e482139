export { type ClaudeAgentServer, toClaudeAgentServer } from "./interop/claude-agent-server.js";
export type { InteropOptions } from "./interop/interop-options.js";
export type { McpServerOptions } from "./mcp/create-mcp-server.js";
