import type { OutputFormat } from "./conversation.js";

/** Options for the models of every provider. */
export interface ProviderOptions {
  /** Maximum number of output tokens per turn. @default the provider's own limit */
  readonly maxOutputTokens?: number | undefined;
  /**
   * How the model receives the schema of its final answer. @default "schema" if the provider
   * supports the schema
   */
  readonly outputFormat?: OutputFormat | undefined;
  /**
   * Maximum time without data, before the first byte and between two. After that the turn is
   * retried. A response that keeps sending data is ended only by the run's deadline. @default
   * 120_000
   */
  readonly idleTimeoutMs?: number | undefined;
}
