import type { Anthropic } from "@anthropic-ai/sdk";
import { requireOptions } from "../../runtime/context/require-options.js";
import { findKnownModel } from "../../runtime/loop/known-models.js";
import type {
  AskOptions,
  ModelClient,
  ModelRequest,
  ModelTurn,
} from "../../runtime/loop/model-client.js";
import { askProvider, requireAsk } from "../ask-provider.js";
import { clientOptions, requestOptions } from "../client-options.js";
import type { IdleTimeout } from "../idle-timeout.js";
import { loadSdk } from "../load-sdk.js";
import { requireClient, requireModel } from "../provider-options.js";
import { watchedResponse } from "../watched-response.js";
import { ANTHROPIC_OPTIONS, type AnthropicModelOptions } from "./anthropic-options.js";
import { messagesRequest } from "./messages-request.js";
import { readMessagesTurn } from "./messages-turn.js";

const PACKAGE = "@anthropic-ai/sdk";

/** An Anthropic model, one turn per call. For `new ModelAdapter(…)` and `RecordingModel`. */
export class AnthropicModel implements ModelClient {
  readonly name = "anthropic";
  readonly model: string;
  readonly contextWindowTokens: number | undefined;
  readonly #options: AnthropicModelOptions;
  #client: Anthropic | undefined;

  constructor(options: AnthropicModelOptions) {
    requireOptions("anthropic", options, ANTHROPIC_OPTIONS);
    requireModel("anthropic", options.model);
    requireClient("anthropic", options.client, "messages");
    this.#options = options;
    this.model = options.model;
    this.#client = options.client;
    this.contextWindowTokens = findKnownModel(options.model)?.contextWindowTokens;
  }

  async ask(request: ModelRequest, options: AskOptions): Promise<ModelTurn> {
    requireAsk("anthropic", request, options);
    const { signal, ...listeners } = options;
    const { idleTimeoutMs } = this.#options;
    const secrets = () => [this.#options.apiKey, this.#client?.apiKey, this.#client?.authToken];
    return await askProvider({ signal, idleTimeoutMs, secrets }, (watch) =>
      this.#ask(request, watch, listeners),
    );
  }

  async #ask(
    request: ModelRequest,
    watch: IdleTimeout,
    listeners: Omit<AskOptions, "signal">,
  ): Promise<ModelTurn> {
    const client = await this.#connect();
    const { Stream } = await loadSdk(PACKAGE, () => import("@anthropic-ai/sdk/streaming"));
    const body = messagesRequest(request, this.#options);
    const response = await client.messages
      .create(body, { ...requestOptions(watch), ...betaHeaders(this.#options.betas) })
      .asResponse();
    const events = Stream.fromSSEResponse<Anthropic.RawMessageStreamEvent>(
      watchedResponse(response, watch),
      new AbortController(),
      client,
    );
    return readMessagesTurn(events, listeners);
  }

  async #connect(): Promise<Anthropic> {
    if (this.#client !== undefined) return this.#client;
    const { Anthropic } = await loadSdk(PACKAGE, () => import("@anthropic-ai/sdk"));
    this.#client = new Anthropic(clientOptions(this.#options));
    return this.#client;
  }
}

function betaHeaders(betas: readonly string[] = []) {
  return betas.length === 0 ? {} : { headers: { "anthropic-beta": betas.join(",") } };
}
