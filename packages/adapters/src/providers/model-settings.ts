import type { ModelSettings } from "@wink/prompt";
import { omitUndefined } from "./omit-undefined.js";

/** The options of a model with the settings that the run gave, which win. */
export function withSettings<Options extends object>(
  options: Options,
  settings: ModelSettings | undefined,
): Options {
  const { temperature, effort, maxOutputTokens, serviceTier } = settings ?? {};
  // The provider refuses a value that it does not know.
  return { ...options, ...omitUndefined({ temperature, effort, maxOutputTokens, serviceTier }) };
}
