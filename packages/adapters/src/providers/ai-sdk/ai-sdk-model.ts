import type { LanguageModelV3, LanguageModelV3StreamPart } from "@ai-sdk/provider";
import { ModelError } from "../../error/model-error.js";
import { requireMethod, requireOptions } from "../../runtime/context/require-options.js";
import { findKnownModel } from "../../runtime/loop/known-models.js";
import type {
  AskOptions,
  ModelClient,
  ModelRequest,
  ModelTurn,
} from "../../runtime/loop/model-client.js";
import { askProvider, requireAsk } from "../ask-provider.js";
import type { IdleTimeout } from "../idle-timeout.js";
import { watchedStream } from "../watched-stream.js";
import {
  AI_SDK_OPTIONS,
  type AiSdkLanguageModel,
  type AiSdkModelOptions,
} from "./ai-sdk-options.js";
import { readStreamTurn } from "./ai-sdk-turn.js";
import { callOptions } from "./call-options.js";
import { unsentSettings } from "./unsent-settings.js";

/**
 * A language model of the AI SDK, one turn per call. For `new ModelAdapter(…)` and
 * `RecordingModel`.
 */
export class AiSdkModel implements ModelClient {
  readonly name = "ai-sdk";
  readonly #options: AiSdkModelOptions;

  constructor(options: AiSdkModelOptions) {
    requireOptions("ai-sdk", options, AI_SDK_OPTIONS);
    requireMethod("ai-sdk: option 'model'", options.model, {
      name: "doStream",
      expected: "a model, such as openai('gpt-5.4') from @ai-sdk/openai",
    });
    this.#options = options;
  }

  get model(): string {
    return this.#options.model.modelId;
  }

  /** Gateways put the name of the provider before the one of the model. */
  get contextWindowTokens(): number | undefined {
    const { modelId } = this.#options.model;
    return findKnownModel(modelId.slice(modelId.lastIndexOf("/") + 1))?.contextWindowTokens;
  }

  get provider(): string {
    return providerName(this.#options.model.provider);
  }

  async ask(request: ModelRequest, options: AskOptions): Promise<ModelTurn> {
    requireAsk("ai-sdk", request, options);
    const { signal, ...listeners } = options;
    const { idleTimeoutMs } = this.#options;
    // A language model does not expose its key.
    const secrets = () => [];
    return await askProvider({ signal, idleTimeoutMs, secrets }, (watch) =>
      this.#ask(request, watch, listeners),
    );
  }

  async #ask(
    request: ModelRequest,
    watch: IdleTimeout,
    listeners: Omit<AskOptions, "signal">,
  ): Promise<ModelTurn> {
    const model = knownModel(this.#options.model);
    const options = callOptions(request, this.#options, watch.signal);
    const { stream, request: sent } = await model.doStream(options);
    const parts = watchedStream<LanguageModelV3StreamPart>(stream, watch);
    const turn = await readStreamTurn(parts, listeners);
    const unsent = unsentSettings(request.settings, sent?.body);
    return unsent.length === 0
      ? turn
      : { ...turn, warnings: [...(turn.warnings ?? []), ...unsent] };
  }
}

/** Checks the version. The fields used here are the same in both versions, except for images. */
function knownModel(model: AiSdkLanguageModel): Pick<LanguageModelV3, "doStream"> {
  const { specificationVersion } = model;
  if (specificationVersion !== "v3" && specificationVersion !== "v4")
    throw new ModelError("INVALID_REQUEST", {
      reason: `the model must be a language model of AI SDK 6 or 7 (v3 or v4), got ${JSON.stringify(specificationVersion)}`,
    });
  // The version was checked above.
  return model as unknown as Pick<LanguageModelV3, "doStream">;
}

/** The names of OpenTelemetry's conventions, by the names of the AI SDK's providers. */
const PROVIDERS: Readonly<Record<string, string>> = {
  "amazon-bedrock": "aws.bedrock",
  azure: "azure.ai.openai",
  google: "gcp.gemini",
  mistral: "mistral_ai",
  xai: "x_ai",
};

/** The provider of a name such as `anthropic.messages`. */
function providerName(provider: string): string {
  const [name = provider] = provider.split(".");
  return PROVIDERS[name] ?? name;
}
