import { accessTo } from "../model/provider-access.js";
import { CliError } from "../terminal/cli-error.js";
import type { Io } from "../terminal/io.js";
import type { Check } from "./check.js";

const PROVIDERS = ["openai", "anthropic"] as const;

/**
 * Checks which models are usable. It reports that a key is set, never the key, and makes no
 * request.
 */
export function checkModels(io: Io): readonly Check[] {
  return PROVIDERS.map((provider) => {
    const name = provider;
    try {
      const { apiKey, baseURL } = accessTo(provider, io);
      const found = [
        ...(apiKey === undefined ? [] : ["a key"]),
        ...(baseURL === undefined ? [] : ["a custom address"]),
      ];
      return { name, status: "ok", message: `${provider} has ${found.join(" and ")}.` };
    } catch (error) {
      if (!(error instanceof CliError)) throw error;
      const variable = `${provider.toUpperCase()}_API_KEY`;
      return {
        ...{ name, status: "warning", message: `No key is set for ${provider}.` },
        action: `Set ${variable} to use --model ${provider}:<model>; scripted and replayed models need none.`,
      };
    }
  });
}
