import { isModelError } from "../error/model-error.js";
import { requireMethod } from "../runtime/context/require-options.js";
import type {
  AskOptions,
  ModelClient,
  ModelRequest,
  ModelTurn,
} from "../runtime/loop/model-client.js";
import type { Cassette, CassetteEntry } from "./cassette.js";

/** Wraps a model and records its requests and responses. */
export class RecordingModel implements ModelClient {
  readonly name: string;
  readonly #model: ModelClient;
  /** In request order. An entry is `undefined` until its request has ended. */
  readonly #entries: (CassetteEntry | undefined)[] = [];

  constructor(model: ModelClient) {
    requireMethod("RecordingModel", model, { name: "ask", expected: "a ModelClient with ask()" });
    this.name = model.name;
    this.#model = model;
  }

  /**
   * Everything recorded so far. It contains all that the model was shown, so check it before you
   * share it.
   */
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
      // Only provider errors are recorded. Others, such as an abort, do not come from the model.
      if (isModelError(error)) {
        const { code, reason, retryAfterMs } = error;
        const recorded = { code, message: reason, retryAfterMs };
        this.#entries[index] = { request: shown, deltas, error: recorded };
      }
      throw error;
    }
  }
}
