export { OpenAIAdapter, type OpenAIAdapterOptions } from "./providers/openai/openai-adapter.js";
export { OpenAIModel } from "./providers/openai/openai-model.js";
export type { OpenAIModelOptions } from "./providers/openai/openai-options.js";
