export { type AiSdkToolOutput, toAiSdkTools } from "./interop/ai-sdk-tools.js";
export type { InteropOptions } from "./interop/interop-options.js";
export { isToolCallError, ToolCallError } from "./interop/tool-call-error.js";
