import type { OutputFormat } from "./conversation.js";

/** What can be said of a model whoever provides it. */
export interface ProviderOptions {
  /** Most tokens of one turn. @default the provider's own limit */
  readonly maxOutputTokens?: number | undefined;
  /** How the model learns what its last answer must be. @default "schema", where the schema fits */
  readonly outputFormat?: OutputFormat | undefined;
  /**
   * Longest silence, before the first byte and between two; then the turn is asked for again.
   * What never falls silent is ended by the run's deadline alone.
   * @default 120_000
   */
  readonly idleTimeoutMs?: number | undefined;
}
