import type {
  AskOptions,
  ModelClient,
  ModelRequest,
  ModelTurn,
} from "../runtime/loop/model-client.js";
import { isModelError } from "../runtime/loop/model-error.js";
import type { Cassette, CassetteEntry } from "./cassette.js";

/** A model that writes down what another one was shown and said. */
export class RecordingModel implements ModelClient {
  readonly name: string;
  readonly #model: ModelClient;
  /** In the order in which the model was asked; empty where nothing came of it yet. */
  readonly #entries: (CassetteEntry | undefined)[] = [];

  constructor(model: ModelClient) {
    this.name = model.name;
    this.#model = model;
  }

  /** What was recorded so far. It holds everything that the model was shown: mind what you share. */
  get cassette(): Cassette {
    return {
      version: 1,
      model: this.name,
      entries: this.#entries.filter((entry) => entry !== undefined),
    };
  }

  async ask(request: ModelRequest, options: AskOptions): Promise<ModelTurn> {
    const index = this.#entries.push(undefined) - 1;
    const shown = structuredClone(request);
    const deltas: string[] = [];
    const onText = (text: string) => {
      deltas.push(text);
      options.onText(text);
    };
    try {
      const turn = await this.#model.ask(request, { ...options, onText });
      this.#entries[index] = { request: shown, deltas, turn };
      return turn;
    } catch (error) {
      // What is not the provider's doing, such as an abort, happens again by itself or not at all.
      if (isModelError(error)) {
        const { code, message, retryAfterMs } = error;
        const reason = message.slice(code.length + 2);
        const said = { code, message: reason, retryAfterMs };
        this.#entries[index] = { request: shown, deltas, error: said };
      }
      throw error;
    }
  }
}
