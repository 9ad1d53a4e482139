import { CliError } from "../terminal/cli-error.js";
import { EXIT_CODES } from "../terminal/exit-codes.js";
import type { Io } from "../terminal/io.js";

/** The environment variables for key and address that each provider's own programs use. */
const VARIABLES = {
  openai: { key: "OPENAI_API_KEY", address: "OPENAI_BASE_URL" },
  anthropic: { key: "ANTHROPIC_API_KEY", address: "ANTHROPIC_BASE_URL" },
} as const;

export interface ProviderAccess {
  readonly apiKey: string | undefined;
  readonly baseURL: string | undefined;
}

/** Reads the key and address from the environment. A custom server needs no key. */
export function accessTo(provider: keyof typeof VARIABLES, { env }: Io): ProviderAccess {
  const { key, address } = VARIABLES[provider];
  const apiKey = env[key] || undefined;
  const baseURL = env[address] || undefined;
  if (apiKey !== undefined || baseURL !== undefined) return { apiKey, baseURL };
  throw new CliError(`The key for this model is missing: set ${key}.`, {
    exitCode: EXIT_CODES.unavailable,
    hint: "Without a key, use --model scripted (if the agent has a script) or --model replay:<file>.",
  });
}
