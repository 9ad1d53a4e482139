import { describeKind } from "@wink/filesystem/internal";
import { invalid } from "../runtime/context/require-options.js";
import { MODEL_ADAPTER_OPTIONS } from "../runtime/loop/model-adapter.js";

/** The options that the adapter of every provider takes. */
export const COMMON_OPTIONS: readonly string[] = [
  ...MODEL_ADAPTER_OPTIONS,
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

/** Throws `ARGUMENT_INVALID` if the model's name is missing. */
export function requireModel(subject: string, model: unknown): void {
  if (typeof model !== "string" || model === "")
    throw invalid(
      subject,
      `option 'model' must be the name of a model, got ${describeKind(model)}`,
    );
}
