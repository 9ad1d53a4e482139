/** Settings of the model for one evaluation. They win over the adapter's own options. */
export interface ModelSettings {
  /** @default the adapter's, else the model's default */
  readonly temperature?: number | undefined;
  /**
   * How much the model thinks before it answers. Each model supports some of these; providers refuse the others.
   *
   * @default the adapter's, else the model's default
   */
  readonly effort?: "none" | "minimal" | "low" | "medium" | "high" | "xhigh" | "max" | undefined;
  /** Maximum number of output tokens per turn. @default the adapter's, else the provider's */
  readonly maxOutputTokens?: number | undefined;
  /** How fast and at which price the provider serves requests, in its own words. @default the provider's */
  readonly serviceTier?: string | undefined;
  /**
   * Whether the model must call a tool: as it decides, not at all, any of them, or this one.
   *
   * Applies to the first turn only, because a model that must call a tool in each turn never ends. Use the tool name that
   * the model sees. @default "auto"
   */
  readonly toolChoice?: "auto" | "none" | "required" | { readonly tool: string } | undefined;
  /**
   * Fields of the request body by provider, such as `{ anthropic: { top_k: 40 } }`. For a model of the AI SDK, its
   * provider options. They cannot replace the prompt's tools or the schema of the answer. @default none
   */
  readonly providerOptions?:
    | Readonly<Record<string, Readonly<Record<string, unknown>>>>
    | undefined;
}
