export { type ClaudeAgentServer, toClaudeAgentServer } from "./mcp/claude-agent-server.js";
