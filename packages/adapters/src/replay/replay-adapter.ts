import { ModelAdapter, type ModelAdapterOptions } from "../loop/model-adapter.js";
import type { AskOptions, ModelClient, ModelRequest, ModelTurn } from "../loop/model-client.js";
import { ModelError } from "../loop/model-error.js";
import { ALIKE_BY_DEFAULT, type Alike } from "./alike.js";
import type { Cassette } from "./cassette.js";
import { CassetteError } from "./cassette-error.js";
import { describeDifference } from "./describe-difference.js";

export interface ReplayAdapterOptions extends ModelAdapterOptions {
  readonly cassette: Cassette;
  /**
   * What counts as equal when a request is compared with the recorded one. With `[]`, nothing does.
   * @default ALIKE_BY_DEFAULT
   */
  readonly alike?: Alike | undefined;
}

/**
 * Runs a prompt again with what a model said when the run was recorded, with no network.
 *
 * Rejects with `request_changed` and a diff when the model would be shown anything
 * else than it was then, but for times, durations and ids.
 */
export class ReplayAdapter extends ModelAdapter {
  constructor({ cassette, alike = ALIKE_BY_DEFAULT, ...options }: ReplayAdapterOptions) {
    super(new ReplayModel(cassette, alike), {
      ...options,
      // What was waited for once need not be waited for again.
      retry: { ...options.retry, random: () => 0 },
    });
  }
}

class ReplayModel implements ModelClient {
  readonly name: string;
  readonly #cassette: Cassette;
  readonly #alike: Alike;
  #next = 0;

  constructor(cassette: Cassette, alike: Alike) {
    this.name = cassette.model;
    this.#cassette = cassette;
    this.#alike = alike;
  }

  async ask(request: ModelRequest, { signal, onText }: AskOptions): Promise<ModelTurn> {
    signal.throwIfAborted();
    const { entries } = this.#cassette;
    const index = this.#next++;
    const entry = entries[index];
    if (entry === undefined)
      throw new CassetteError(
        "cassette_ended",
        `the model was asked ${entries.length} times when the run was recorded, and now once more`,
      );
    const difference = describeDifference(entry.request, request, this.#alike);
    if (difference !== undefined)
      throw new CassetteError(
        "request_changed",
        `request ${index + 1} is not the one that was recorded\n${difference}`,
      );
    for (const delta of entry.deltas) onText(delta);
    if (entry.turn !== undefined) return entry.turn;
    const { code = "malformed", message } = entry.error ?? {};
    throw new ModelError(code, { reason: message });
  }
}
