export { type OpenAIAgentsTool, toOpenAIAgentsTools } from "./interop/openai-agents-tools.js";
