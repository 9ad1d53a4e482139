import { ModelAdapter, type ModelAdapterOptions } from "../../runtime/loop/model-adapter.js";
import { modelOptions } from "../provider-options.js";
import { OpenAIModel } from "./openai-model.js";
import { OPENAI_OPTIONS, type OpenAIModelOptions } from "./openai-options.js";

export interface OpenAIAdapterOptions extends OpenAIModelOptions, ModelAdapterOptions {}

/** Runs prompts with an OpenAI model or a compatible server. Requires the package `openai`. */
export class OpenAIAdapter extends ModelAdapter {
  constructor(options: OpenAIAdapterOptions) {
    super(new OpenAIModel(modelOptions("openai", options, OPENAI_OPTIONS)), options);
  }
}
