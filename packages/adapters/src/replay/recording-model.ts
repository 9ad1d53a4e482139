import type { AskOptions, ModelClient, ModelRequest, ModelTurn } from "../loop/model-client.js";
import { isModelError } from "../loop/model-error.js";
import type { Cassette, CassetteEntry } from "./cassette.js";

/** A model that writes down what another one was shown and said. */
export class RecordingModel implements ModelClient {
  readonly name: string;
  readonly #model: ModelClient;
  readonly #entries: CassetteEntry[] = [];

  constructor(model: ModelClient) {
    this.name = model.name;
    this.#model = model;
  }

  /** What was recorded so far. It holds everything that the model was shown: mind what you share. */
  get cassette(): Cassette {
    return { version: 1, model: this.name, entries: [...this.#entries] };
  }

  async ask(request: ModelRequest, options: AskOptions): Promise<ModelTurn> {
    const shown = structuredClone(request);
    const deltas: string[] = [];
    const onText = (text: string) => {
      deltas.push(text);
      options.onText(text);
    };
    try {
      const turn = await this.#model.ask(request, { ...options, onText });
      this.#entries.push({ request: shown, deltas, turn });
      return turn;
    } catch (error) {
      // What is not the provider's doing, such as an abort, happens again by itself or not at all.
      if (isModelError(error)) {
        const { code, message, retryAfterMs } = error;
        const reason = message.slice(code.length + 2);
        this.#entries.push({
          request: shown,
          deltas,
          error: { code, message: reason, retryAfterMs },
        });
      }
      throw error;
    }
  }
}
