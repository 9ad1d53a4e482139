import { AdapterError } from "../error/adapter-error.js";
import { ModelError } from "../error/model-error.js";
import { invalid, requireOptions } from "../runtime/context/require-options.js";
import { UNLIMITED } from "../runtime/loop/context-window.js";
import {
  MODEL_ADAPTER_OPTIONS,
  ModelAdapter,
  type ModelAdapterOptions,
} from "../runtime/loop/model-adapter.js";
import type {
  AskOptions,
  ModelClient,
  ModelRequest,
  ModelTurn,
} from "../runtime/loop/model-client.js";
import { type Cassette, type CassetteEntry, isCassette } from "./cassette.js";
import { describeDifference } from "./describe-difference.js";
import { DEFAULT_IGNORED_PATTERNS, ignoredInPrompt } from "./ignored-patterns.js";

export interface ReplayAdapterOptions extends ModelAdapterOptions {
  readonly cassette: Cassette;
  /**
   * Texts that match these patterns are ignored when a request is compared with the recorded one. With `[]`,
   * every character is compared. The default patterns ignore durations in messages but not in the
   * prompt and tools, because the author wrote those. @default DEFAULT_IGNORED_PATTERNS
   */
  readonly ignoredPatterns?: readonly RegExp[] | undefined;
}

/**
 * Replays a run with the recorded responses of a model, without a network.
 *
 * Rejects with `REQUEST_CHANGED` and a diff when a request differs from the recorded one in more
 * than times, durations and ids.
 */
export class ReplayAdapter extends ModelAdapter {
  constructor(given: ReplayAdapterOptions) {
    requireOptions("ReplayAdapter", given, [
      ...MODEL_ADAPTER_OPTIONS,
      "cassette",
      "ignoredPatterns",
    ]);
    if (!isCassette(given.cassette))
      throw invalid("cassette", "it is not a recorded run. Pass parseCassette(json).");
    const { cassette, ignoredPatterns = DEFAULT_IGNORED_PATTERNS, ...options } = given;
    super(new ReplayModel(cassette, ignoredPatterns), {
      ...options,
      context: options.context ?? cassette.context ?? UNLIMITED,
      // Do not wait between retries in a replay.
      retry: { ...options.retry, random: () => 0 },
    });
  }
}

class ReplayModel implements ModelClient {
  readonly name: string;
  readonly #entries: readonly CassetteEntry[];
  /** The entries that were not replayed yet, in order. */
  readonly #left: CassetteEntry[];
  readonly #patterns: readonly RegExp[];

  constructor({ model, entries }: Cassette, patterns: readonly RegExp[]) {
    this.name = model;
    this.#entries = entries;
    this.#left = [...entries];
    this.#patterns = patterns;
  }

  async ask(request: ModelRequest, { signal, onText }: AskOptions): Promise<ModelTurn> {
    signal.throwIfAborted();
    const { deltas, turn, error } = this.#take(request);
    for (const delta of deltas) onText(delta);
    if (turn !== undefined) return turn;
    const { code = "MALFORMED", message } = error ?? {};
    throw new ModelError(code, { reason: message });
  }

  /**
   * Takes the first entry that matches the request, because concurrent runs, such as those of
   * subagents, ask in any order.
   */
  #take(request: ModelRequest): CassetteEntry {
    const [next] = this.#left;
    if (next === undefined)
      throw new AdapterError("CASSETTE_ENDED", {
        subject: "cassette",
        reason: `the recorded run has ${this.#entries.length} requests, and this run made one more. Record it again`,
      });
    const entry = this.#left.find((each) => this.#difference(each, request) === undefined);
    if (entry === undefined)
      throw new AdapterError("REQUEST_CHANGED", {
        subject: `request ${this.#entries.indexOf(next) + 1}`,
        reason: `it differs from the recorded one. Record the run again if the change is wanted.\n${this.#difference(next, request)}`,
      });
    this.#left.splice(this.#left.indexOf(entry), 1);
    return entry;
  }

  #difference(entry: CassetteEntry, present: ModelRequest): string | undefined {
    const { messages: _, ...recordedPrompt } = entry.request;
    const { messages: __, ...presentPrompt } = present;
    const written = ignoredInPrompt(this.#patterns);
    const changed = describeDifference(recordedPrompt, presentPrompt, written) !== undefined;
    return describeDifference(entry.request, present, changed ? written : this.#patterns);
  }
}
