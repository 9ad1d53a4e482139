import { describeKind } from "@wink/filesystem/internal";
import { invalid, requireOptions } from "../runtime/context/require-options.js";
import { MODEL_ADAPTER_OPTIONS } from "../runtime/loop/model-adapter.js";

/** The options that the model of every provider takes. */
export const COMMON_OPTIONS: readonly string[] = [
  "maxOutputTokens",
  "outputFormat",
  "idleTimeoutMs",
];

/** Options for the models of every provider. */
export interface ProviderOptions {
  /** Maximum number of output tokens per turn. @default the provider's own limit */
  readonly maxOutputTokens?: number | undefined;
  /**
   * How the model receives the schema of its final answer: with the provider's structured output,
   * or in the instructions, for models and servers without it. @default "schema" if the provider
   * supports the schema
   */
  readonly outputFormat?: "schema" | "instructions" | undefined;
  /**
   * Maximum time without data, before the first byte and between two. After that the turn is
   * retried. A response that keeps sending data is ended only by the run's deadline. @default
   * 120_000
   */
  readonly idleTimeoutMs?: number | undefined;
}

/** The options of an adapter that its model takes. Throws `ARGUMENT_INVALID` for a name that neither of them has. */
export function modelOptions<Options extends object>(
  subject: string,
  options: Options,
  known: readonly string[],
): Options {
  requireOptions(subject, options, [...MODEL_ADAPTER_OPTIONS, ...known]);
  const own = Object.entries(options).filter(([name]) => !MODEL_ADAPTER_OPTIONS.includes(name));
  // Only optional properties were removed.
  return Object.fromEntries(own) as Options;
}

/** Throws `ARGUMENT_INVALID` if the model's name is missing. */
export function requireModel(subject: string, model: unknown): void {
  if (typeof model !== "string" || model === "")
    throw invalid(
      subject,
      `option 'model' must be the name of a model, got ${describeKind(model)}`,
    );
}

/** Throws `ARGUMENT_INVALID` if the client is not one of the provider's SDK. */
export function requireClient(subject: string, client: object | undefined, member: string): void {
  if (client === undefined || member in client) return;
  throw invalid(
    subject,
    `option 'client' must be a client of the provider's SDK, with '${member}'`,
  );
}
