export { type Agent, type AgentContext, type AgentWorkspace, defineAgent } from "./agent/agent.js";
