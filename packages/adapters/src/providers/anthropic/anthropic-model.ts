import type { Anthropic } from "@anthropic-ai/sdk";
import type { AskOptions, ModelClient, ModelRequest, ModelTurn } from "../../loop/model-client.js";
import type { AnswerWatch } from "../answer-watch.js";
import { askProvider } from "../ask-provider.js";
import { defined } from "../defined.js";
import { loadSdk } from "../load-sdk.js";
import { NO_TIMEOUT_MS } from "../provider-options.js";
import { watchedResponse } from "../watched-response.js";
import type { AnthropicModelOptions } from "./anthropic-options.js";
import { messagesRequest } from "./messages-request.js";
import { readMessagesTurn } from "./messages-turn.js";

const PACKAGE = "@anthropic-ai/sdk";

/** A model of Anthropic, one turn at a time. For `new ModelAdapter(…)` and `RecordingModel`. */
export class AnthropicModel implements ModelClient {
  readonly name = "anthropic";
  readonly #options: AnthropicModelOptions;
  #client: Anthropic | undefined;

  constructor(options: AnthropicModelOptions) {
    this.#options = options;
    this.#client = options.client;
  }

  ask(request: ModelRequest, { signal, onText }: AskOptions): Promise<ModelTurn> {
    const { idleTimeoutMs } = this.#options;
    return askProvider({ signal, idleTimeoutMs }, (watch) => this.#ask(request, watch, onText));
  }

  async #ask(
    request: ModelRequest,
    watch: AnswerWatch,
    onText: AskOptions["onText"],
  ): Promise<ModelTurn> {
    const client = await this.#connect();
    const { Stream } = await loadSdk(PACKAGE, () => import("@anthropic-ai/sdk/streaming"));
    // The loop asks again, and the watch knows when nothing comes.
    const options = { signal: watch.signal, maxRetries: 0, timeout: NO_TIMEOUT_MS };
    const body = messagesRequest(request, this.#options);
    const response = await client.messages.create(body, options).asResponse();
    const events = Stream.fromSSEResponse<Anthropic.RawMessageStreamEvent>(
      watchedResponse(response, watch),
      new AbortController(),
      client,
    );
    return readMessagesTurn(events, onText);
  }

  async #connect(): Promise<Anthropic> {
    if (this.#client !== undefined) return this.#client;
    const { Anthropic } = await loadSdk(PACKAGE, () => import("@anthropic-ai/sdk"));
    const { baseURL } = this.#options;
    // A server of one's own mostly wants no key, but the client will not do without one.
    const apiKey = this.#options.apiKey ?? (baseURL === undefined ? undefined : "none");
    this.#client = new Anthropic({
      ...defined({ apiKey, baseURL }),
      // What cannot be read would be printed, contents and all.
      logLevel: "off",
    });
    return this.#client;
  }
}
