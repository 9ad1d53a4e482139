import type { ProviderOptions } from "../provider-options.js";

/**
 * A language model of the AI SDK, version 6 (`v3`) or 7 (`v4`), such as `openai("gpt-5.1")`
 * or what `wrapLanguageModel` makes. Only `doStream` is called.
 */
export interface AiSdkLanguageModel {
  readonly specificationVersion: string;
  readonly provider: string;
  readonly modelId: string;
  // What it takes and streams differs between the versions, and is told apart when it is called.
  doStream(options: never): PromiseLike<{ readonly stream: ReadableStream<unknown> }>;
}

export interface AiSdkModelOptions extends ProviderOptions {
  readonly model: AiSdkLanguageModel;
  /** @default the model's own */
  readonly temperature?: number | undefined;
  /** What only one provider knows, by its name, such as `{ openai: { store: false } }`. @default none */
  readonly providerOptions?:
    | Readonly<Record<string, Readonly<Record<string, unknown>>>>
    | undefined;
  /** More fields of the model's call, such as `topP`. They win over everything else. @default none */
  readonly extraOptions?: Readonly<Record<string, unknown>> | undefined;
}
