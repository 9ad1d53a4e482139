import type { OpenAI } from "openai";
import type { AskOptions, ModelClient, ModelRequest, ModelTurn } from "../../loop/model-client.js";
import type { AnswerWatch } from "../answer-watch.js";
import { askProvider } from "../ask-provider.js";
import { defined } from "../defined.js";
import { loadSdk } from "../load-sdk.js";
import { NO_TIMEOUT_MS } from "../provider-options.js";
import { watchedResponse } from "../watched-response.js";
import { chatRequest } from "./chat-request.js";
import { readChatTurn } from "./chat-turn.js";
import type { OpenAIModelOptions } from "./openai-options.js";
import { responsesRequest } from "./responses-request.js";
import { readResponsesTurn } from "./responses-turn.js";

/** A model of OpenAI, or of a compatible server, one turn at a time. For `new ModelAdapter(…)` and `RecordingModel`. */
export class OpenAIModel implements ModelClient {
  readonly name = "openai";
  readonly #options: OpenAIModelOptions;
  #client: OpenAI | undefined;

  constructor(options: OpenAIModelOptions) {
    this.#options = options;
    this.#client = options.client;
  }

  ask(request: ModelRequest, { signal, onText }: AskOptions): Promise<ModelTurn> {
    const { idleTimeoutMs, api } = this.#options;
    return askProvider({ signal, idleTimeoutMs }, (watch) =>
      api === "chat"
        ? this.#askChat(request, watch, onText)
        : this.#askResponses(request, watch, onText),
    );
  }

  async #askResponses(
    request: ModelRequest,
    watch: AnswerWatch,
    onText: AskOptions["onText"],
  ): Promise<ModelTurn> {
    const client = await this.#connect();
    const body = responsesRequest(request, this.#options);
    const response = await client.responses.create(body, requestOptions(watch)).asResponse();
    return readResponsesTurn(await this.#events(response, watch, client), onText);
  }

  async #askChat(
    request: ModelRequest,
    watch: AnswerWatch,
    onText: AskOptions["onText"],
  ): Promise<ModelTurn> {
    const client = await this.#connect();
    const body = chatRequest(request, this.#options);
    const response = await client.chat.completions.create(body, requestOptions(watch)).asResponse();
    return readChatTurn(await this.#events(response, watch, client), onText);
  }

  async #events<Event>(
    response: Response,
    watch: AnswerWatch,
    client: OpenAI,
  ): Promise<AsyncIterable<Event>> {
    const { Stream } = await loadSdk("openai", () => import("openai/streaming"));
    return Stream.fromSSEResponse(watchedResponse(response, watch), new AbortController(), client);
  }

  async #connect(): Promise<OpenAI> {
    if (this.#client !== undefined) return this.#client;
    const { OpenAI } = await loadSdk("openai", () => import("openai"));
    const { baseURL } = this.#options;
    // A server of one's own mostly wants no key, but the client will not do without one.
    const apiKey = this.#options.apiKey ?? (baseURL === undefined ? undefined : "none");
    this.#client = new OpenAI({
      ...defined({ apiKey, baseURL }),
      // What cannot be read would be printed, contents and all.
      logLevel: "off",
    });
    return this.#client;
  }
}

/** The loop asks again, and the watch knows when nothing comes. */
function requestOptions({ signal }: AnswerWatch) {
  return { signal, maxRetries: 0, timeout: NO_TIMEOUT_MS };
}
