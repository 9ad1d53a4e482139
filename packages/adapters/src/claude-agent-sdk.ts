export { type ClaudeAgentServer, toClaudeAgentServer } from "./mcp/claude-agent-server.js";
export { ClaudeAgentAdapter } from "./providers/claude-agent/claude-agent-adapter.js";
export type {
  ClaudeAgentAdapterOptions,
  ClaudeAgentModelOptions,
  ClaudeQuery,
} from "./providers/claude-agent/claude-agent-options.js";
