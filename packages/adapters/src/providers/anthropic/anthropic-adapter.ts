import { ModelAdapter, type ModelAdapterOptions } from "../../runtime/loop/model-adapter.js";
import { modelOptions } from "../provider-options.js";
import { AnthropicModel } from "./anthropic-model.js";
import { ANTHROPIC_OPTIONS, type AnthropicModelOptions } from "./anthropic-options.js";

export interface AnthropicAdapterOptions extends AnthropicModelOptions, ModelAdapterOptions {}

/** Runs prompts with an Anthropic model. Requires the package `@anthropic-ai/sdk`. */
export class AnthropicAdapter extends ModelAdapter {
  constructor(options: AnthropicAdapterOptions) {
    super(new AnthropicModel(modelOptions("anthropic", options, ANTHROPIC_OPTIONS)), options);
  }
}
