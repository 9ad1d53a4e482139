import { COMMON_OPTIONS, type ProviderOptions } from "../provider-options.js";

/**
 * A language model of the AI SDK, version 6 (`v3`) or 7 (`v4`), such as `openai("gpt-5.1")` or
 * the result of `wrapLanguageModel`. Only `doStream` is called.
 */
export interface AiSdkLanguageModel {
  readonly specificationVersion: string;
  readonly provider: string;
  readonly modelId: string;
  // The types differ between the versions, so the version is checked at run time.
  doStream(options: never): PromiseLike<{ readonly stream: ReadableStream<unknown> }>;
}

export interface AiSdkModelOptions extends ProviderOptions {
  readonly model: AiSdkLanguageModel;
  /** @default the model's default */
  readonly temperature?: number | undefined;
  /**
   * Provider-specific options by provider name, such as `{ openai: { store: false } }`. @default
   * none
   */
  readonly providerOptions?:
    | Readonly<Record<string, Readonly<Record<string, unknown>>>>
    | undefined;
  /**
   * Additional call options, such as `topP`, merged at every depth. They override all others, except that their `tools`,
   * such as `openai.tools.webSearch()`, are added to those of the prompt, and that the schema of the answer stays.
   * @default none
   */
  readonly extraOptions?: Readonly<Record<string, unknown>> | undefined;
}

/** The names of {@link AiSdkModelOptions}. */
export const AI_SDK_OPTIONS: readonly string[] = [
  ...COMMON_OPTIONS,
  ...["model", "temperature", "providerOptions", "extraOptions"],
];
