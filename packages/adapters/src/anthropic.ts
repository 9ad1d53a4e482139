export {
  AnthropicAdapter,
  type AnthropicAdapterOptions,
} from "./providers/anthropic/anthropic-adapter.js";
export { AnthropicModel } from "./providers/anthropic/anthropic-model.js";
export type { AnthropicModelOptions } from "./providers/anthropic/anthropic-options.js";
