export { type Agent, type AgentContext, type AgentWorkspace, defineAgent } from "@wink/adapters";
