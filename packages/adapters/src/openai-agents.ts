export type { InteropOptions } from "./interop/interop-options.js";
export { toOpenAIAgentsTools } from "./interop/openai-agents-tools.js";
