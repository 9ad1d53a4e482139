import type { OpenAI } from "openai";
import { requireOneOf, requireOptions } from "../../runtime/context/require-options.js";
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
import { chatRequest } from "./chat-request.js";
import { readChatTurn } from "./chat-turn.js";
import { OPENAI_OPTIONS, type OpenAIModelOptions } from "./openai-options.js";
import { responsesRequest } from "./responses-request.js";
import { readResponsesTurn } from "./responses-turn.js";

/**
 * A model of OpenAI or a compatible server, one turn per call. For `new ModelAdapter(…)` and
 * `RecordingModel`.
 */
export class OpenAIModel implements ModelClient {
  readonly name = "openai";
  readonly model: string;
  readonly contextWindowTokens: number | undefined;
  readonly #options: OpenAIModelOptions;
  #client: OpenAI | undefined;

  constructor(options: OpenAIModelOptions) {
    requireOptions("openai", options, OPENAI_OPTIONS);
    requireOneOf("openai: option 'api'", options.api, ["responses", "chat"]);
    requireModel("openai", options.model);
    requireClient("openai", options.client, "chat");
    this.#options = options;
    this.model = options.model;
    this.#client = options.client;
    this.contextWindowTokens = findKnownModel(options.model)?.contextWindowTokens;
  }

  async ask(request: ModelRequest, options: AskOptions): Promise<ModelTurn> {
    requireAsk("openai", request, options);
    const { signal, ...listeners } = options;
    const { idleTimeoutMs, api } = this.#options;
    const secrets = () => [this.#options.apiKey, this.#client?.apiKey];
    return await askProvider({ signal, idleTimeoutMs, secrets }, (watch) =>
      api === "chat"
        ? this.#askChat(request, watch, listeners)
        : this.#askResponses(request, watch, listeners),
    );
  }

  async #askResponses(
    request: ModelRequest,
    watch: IdleTimeout,
    listeners: Omit<AskOptions, "signal">,
  ): Promise<ModelTurn> {
    const client = await this.#connect();
    const body = responsesRequest(request, this.#options);
    const response = await client.responses.create(body, requestOptions(watch)).asResponse();
    return readResponsesTurn(await this.#events(response, watch, client), listeners);
  }

  async #askChat(
    request: ModelRequest,
    watch: IdleTimeout,
    listeners: Omit<AskOptions, "signal">,
  ): Promise<ModelTurn> {
    const client = await this.#connect();
    const body = chatRequest(request, this.#options);
    const response = await client.chat.completions.create(body, requestOptions(watch)).asResponse();
    return readChatTurn(await this.#events(response, watch, client), listeners);
  }

  async #events<Event>(
    response: Response,
    watch: IdleTimeout,
    client: OpenAI,
  ): Promise<AsyncIterable<Event>> {
    const { Stream } = await loadSdk("openai", () => import("openai/streaming"));
    return Stream.fromSSEResponse(watchedResponse(response, watch), new AbortController(), client);
  }

  async #connect(): Promise<OpenAI> {
    if (this.#client !== undefined) return this.#client;
    const { OpenAI } = await loadSdk("openai", () => import("openai"));
    this.#client = new OpenAI(clientOptions(this.#options));
    return this.#client;
  }
}
