export { type AiSdkToolOutput, toAiSdkTools } from "./interop/ai-sdk-tools.js";
export { isToolCallError, ToolCallError } from "./interop/tool-call-error.js";
export { AiSdkAdapter, type AiSdkAdapterOptions } from "./providers/ai-sdk/ai-sdk-adapter.js";
export { AiSdkModel } from "./providers/ai-sdk/ai-sdk-model.js";
export type { AiSdkLanguageModel, AiSdkModelOptions } from "./providers/ai-sdk/ai-sdk-options.js";
