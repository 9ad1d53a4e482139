import type { ModelSettings } from "@wink/prompt";
import { mergeBody } from "../merge-body.js";
import { omitUndefined } from "../omit-undefined.js";
import type { AiSdkModelOptions } from "./ai-sdk-options.js";

/**
 * The options with the run's settings. Version 4 of the specification has an option for the effort. For version 3 and
 * for the service tier, each provider has its own option.
 */
export function aiSdkOptions(
  options: AiSdkModelOptions,
  settings: ModelSettings = {},
): AiSdkModelOptions {
  const { effort, serviceTier, providerOptions } = settings;
  const { specificationVersion, provider } = options.model;
  const isV3 = specificationVersion === "v3";
  // `openai.responses` and `openai.chat` both read `openai`.
  const [name = provider] = provider.split(".");
  const effortOption = name === "anthropic" ? "effort" : "reasoningEffort";
  const own = omitUndefined({ [effortOption]: isV3 ? effort : undefined, serviceTier });
  const given = {
    ...mergeBody(options.providerOptions ?? {}, {
      ...(Object.keys(own).length > 0 && { [name]: own }),
    }),
  };
  return { ...options, providerOptions: mergeBody(given, providerOptions) };
}
