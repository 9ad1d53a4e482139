import type { ModelSettings } from "@wink/prompt";
import { withSettings } from "../model-settings.js";
import { omitUndefined } from "../omit-undefined.js";
import type { OpenAIModelOptions } from "./openai-options.js";

/** The options with the run's settings. The effort is a part of `reasoning`. */
export function openAIOptions(
  options: OpenAIModelOptions,
  settings: ModelSettings = {},
): OpenAIModelOptions {
  const { effort, ...others } = settings;
  const { reasoning } = options;
  return {
    ...withSettings(options, others),
    ...omitUndefined({ reasoning: effort === undefined ? reasoning : { ...reasoning, effort } }),
  };
}
