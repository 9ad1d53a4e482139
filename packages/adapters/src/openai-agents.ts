export type { InteropOptions } from "./interop/interop-options.js";
export { type OpenAIAgentsTool, toOpenAIAgentsTools } from "./interop/openai-agents-tools.js";
