import { ModelAdapter, type ModelAdapterOptions } from "../../runtime/loop/model-adapter.js";
import { modelOptions } from "../provider-options.js";
import { AiSdkModel } from "./ai-sdk-model.js";
import { AI_SDK_OPTIONS, type AiSdkModelOptions } from "./ai-sdk-options.js";

export interface AiSdkAdapterOptions extends AiSdkModelOptions, ModelAdapterOptions {}

/** Runs prompts with any language model of the AI SDK. */
export class AiSdkAdapter extends ModelAdapter {
  constructor(options: AiSdkAdapterOptions) {
    super(new AiSdkModel(modelOptions("ai-sdk", options, AI_SDK_OPTIONS)), options);
  }
}
