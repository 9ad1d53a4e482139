import type { RenderedPrompt } from "@wink/prompt";
import type { Session } from "@wink/session";
import {
  type ContextChange,
  type ContextState,
  type ContextSummary,
  EMPTY_CONTEXT,
} from "./context-state.js";
import { ContextView, isClearable } from "./context-view.js";
import { estimateTokens, tokenRatio, tokensOf } from "./count-tokens.js";
import { fitContext } from "./fit-context.js";
import type { ModelMessage, ModelRequest, ModelUsage } from "./model-client.js";
import { changedSections, stableText } from "./stable-prompt.js";
import { removedTurn, summaryOf, summaryRequest } from "./summary-request.js";

/** How the conversation is kept inside the model's context window. */
export interface ContextOptions {
  /** How many tokens a request and its answer may have together. @default the model's, if it is known, else 128_000 */
  readonly windowTokens?: number | undefined;
  /** The part of the window that is reserved for the answer. @default 16_000, at most a quarter of the window */
  readonly reservedTokens?: number | undefined;
  /** How many of the last results of tools are never cleared. @default 5 */
  readonly keepResults?: number | undefined;
  /**
   * If a result is longer, the model sees its beginning and end, and the whole result is stored in a file of the
   * workspace. @default 50_000, or 0.4 characters per token of the window if that is less
   */
  readonly maxResultCharacters?: number | undefined;
}

/** For models that are not real and have no window. */
export const UNLIMITED: ContextOptions = Object.freeze({ windowTokens: Number.MAX_SAFE_INTEGER });

/** The names of {@link ContextOptions}. */
export const CONTEXT_OPTIONS: readonly string[] = [
  ...(["windowTokens", "reservedTokens", "keepResults", "maxResultCharacters"] as const),
] satisfies readonly (keyof ContextOptions)[];

/** Sizes of a request, as shares of the window without the part that is reserved for the answer. */
const FULL_AT = 0.8;
const CLEARED_TO = 0.5;
const KEPT_BY_SUMMARY = 0.25;
/** The share for the pinned messages of the user, and the share for the pinned decisions. */
const PINNED = 0.1;
/** Limits the length of a result, so that the last results fit into a small window together. */
const RESULT_CHARACTERS_PER_TOKEN = 0.4;
/** The new limit, as a share of the size of the request that the provider refused as too long. */
const BELOW_REFUSED = 0.9;

/** The request without its conversation and system text. */
type Base = Omit<ModelRequest, "messages" | "instructions">;

export interface PrepareOptions {
  readonly rendered: RenderedPrompt;
  readonly messages: readonly ModelMessage[];
  readonly session: Session;
  /** Called again after each decision, because the tools depend on it. */
  readonly base: () => Base;
  /** Asks the model. `undefined` if it cannot answer now. */
  readonly summarise: (request: ModelRequest) => Promise<string | undefined>;
  /** Called for each decision before the next request. */
  readonly onChange: (change: ContextChange, tokens: ContextTokens) => void;
  /** Called for a new limit, before the conversation is shortened, and for a removed turn. */
  readonly onLimit: (change: ContextChange) => void;
}

interface ContextTokens {
  readonly before: number;
  readonly after: number;
}

/**
 * Keeps the conversation inside the model's context window.
 *
 * A request changes only at its end, so that the provider's cache serves the rest. When it is nearly full, the oldest
 * results are cleared in one step. If that is not enough, the model writes a summary, which replaces the older messages.
 */
export class ContextWindow {
  readonly view: ContextView;
  readonly #maxTokens: number;
  readonly #keepResults: number;
  #state: ContextState;

  constructor(options: ContextOptions, state: ContextState = EMPTY_CONTEXT) {
    const { windowTokens = 128_000, keepResults = 5 } = options;
    const { reservedTokens = Math.min(16_000, windowTokens / 4) } = options;
    const { maxResultCharacters = maxResultIn(windowTokens) } = options;
    this.view = new ContextView(maxResultCharacters);
    this.#maxTokens = windowTokens - reservedTokens;
    this.#keepResults = keepResults;
    this.#state = state;
  }

  get state(): ContextState {
    return this.#state;
  }

  get #limit(): number {
    return Math.min(this.#maxTokens, this.#state.limitTokens ?? this.#maxTokens);
  }

  /** Whether the model cannot see some results in full. */
  get hasHidden(): boolean {
    const { clearedBefore, summary, maxResultCharacters } = this.#state;
    return clearedBefore > 0 || summary !== undefined || maxResultCharacters !== undefined;
  }

  /** The result of the call is in a file. */
  save(toolCallId: string): void {
    this.#state = { ...this.#state, saved: new Set([...this.#state.saved, toolCallId]) };
  }

  /** The provider has counted the tokens of a request. */
  counted(request: ModelRequest, usage: ModelUsage): void {
    const ratio = tokenRatio(request, usage);
    if (ratio !== undefined) this.#state = { ...this.#state, tokenRatio: ratio };
  }

  /** The system text for this rendering. */
  systemFor(rendered: RenderedPrompt): NonNullable<ContextState["system"]> {
    return stableText(this.#state.system, rendered);
  }

  /** The next request. Shortens the conversation first if it is too long. */
  async prepare(options: PrepareOptions): Promise<ModelRequest> {
    const { rendered } = options;
    this.#state = { ...this.#state, system: this.systemFor(rendered) };
    const before = this.#count(this.#request(options));
    if (before <= this.#limit * FULL_AT) return this.#request(options);
    const isSummarised = !this.#clear(options, before) && (await this.#summarise(options));
    this.#state = this.#fitted(options);
    const request = this.#request(options);
    options.onChange(this.#change(isSummarised), { before, after: this.#count(request) });
    return request;
  }

  /**
   * Shortens a request that the provider refused as too long, because the model's window is smaller than assumed.
   * `undefined` if the conversation cannot be shortened.
   */
  async shorten(refused: ModelRequest, options: PrepareOptions): Promise<ModelRequest | undefined> {
    this.#lowerLimit(this.#count(refused), options);
    const isShorter = (request: ModelRequest) =>
      // Without the ratio, which the request for a summary may have changed.
      estimateTokens(request) < estimateTokens(refused);
    const request = await this.prepare(options);
    if (isShorter(request)) return request;
    if (!this.#removeLastTurn(options)) return undefined;
    const last = this.#request(options);
    return isShorter(last) ? last : undefined;
  }

  /** Returns whether there was one. */
  #removeLastTurn(options: PrepareOptions): boolean {
    const { messages } = options;
    const { summary: earlier } = this.#state;
    const turn = messages.slice(earlier?.before ?? 0);
    if (!turn.some(({ role }) => role === "assistant")) return false;
    const text = removedTurn(turn, earlier);
    const summary = this.#summaryOf(text, messages.length, options);
    this.#state = { ...this.#state, summary, clearedBefore: messages.length };
    this.#state = this.#fitted(options);
    options.onLimit(this.#change(false));
    return true;
  }

  #change(isSummarised: boolean): ContextChange {
    const { system: _, saved: __, tokenRatio: ___, ...decisions } = this.#state;
    return { ...decisions, isSummarised };
  }

  #lowerLimit(refusedTokens: number, options: PrepareOptions): void {
    // A request that was larger than the limit does not show that the limit is too high.
    if (refusedTokens > this.#limit) return;
    const limitTokens = Math.floor(refusedTokens * BELOW_REFUSED);
    this.#state = { ...this.#state, limitTokens };
    // Recorded now: a run that stops before its next request does not send the refused one again.
    options.onLimit(this.#change(false));
  }

  #request({ rendered, messages, base }: PrepareOptions, state = this.#state): ModelRequest {
    const system = this.systemFor(rendered);
    const shown = this.view.of(messages, state);
    // If the last message is from the model, add none after it: the model would answer that message instead of
    // continuing.
    const changed =
      shown.at(-1)?.role === "assistant" ? undefined : changedSections(system, rendered);
    const { tools, ...rest } = base();
    return {
      ...{ instructions: system.text, tools },
      messages: changed === undefined ? shown : [...shown, changed],
      ...rest,
    };
  }

  #count(request: ModelRequest): number {
    return Math.ceil(estimateTokens(request) * this.#state.tokenRatio);
  }

  /** Clears the oldest results until half of the window is free. Returns whether that was possible. */
  #clear({ messages }: PrepareOptions, tokens: number): boolean {
    const { clearedBefore, summary, tokenRatio: ratio } = this.#state;
    const results = messages.flatMap((each, at) => (each.role === "tool" ? [at] : []));
    const from = Math.max(clearedBefore, summary?.before ?? 0);
    const candidates = results
      .slice(0, Math.max(0, results.length - this.#keepResults))
      .filter((at) => at >= from);
    let left = tokens;
    let end = clearedBefore;
    for (const at of candidates) {
      const message = messages[at];
      if (message === undefined || !isClearable(message)) continue;
      end = at + 1;
      const shown = this.view.seen(message, at, this.#state);
      left -= (tokensOf(shown) - tokensOf(this.view.cleared(message))) * ratio;
      if (left <= this.#limit * CLEARED_TO) break;
    }
    this.#state = { ...this.#state, clearedBefore: end };
    return left <= this.#limit * CLEARED_TO;
  }

  /** Returns whether there was something to summarise. */
  async #summarise(options: PrepareOptions): Promise<boolean> {
    const { messages, rendered } = options;
    const from = this.#state.summary?.before ?? 0;
    const before = this.#boundary(messages, from);
    if (before <= from) return false;
    const summary = this.#summaryOf(await this.#askForSummary(options, before), before, options);
    const { sections } = rendered;
    const clearedBefore = Math.max(this.#state.clearedBefore, before);
    // The cached beginning is gone, so the system text may change without further cost.
    const system = { text: rendered.text, sections };
    this.#state = { ...this.#state, summary, clearedBefore, system };
    return true;
  }

  #summaryOf(text: string, before: number, { messages, session }: PrepareOptions): ContextSummary {
    const { summary: earlier, tokenRatio: ratio } = this.#state;
    const replaced = messages.slice(earlier?.before ?? 0, before);
    // Rounded, so that a text is not cut again after every request.
    const maxPinnedTokens = (this.#limit * PINNED) / Math.ceil(ratio / 1.5);
    return summaryOf({ text, replaced, before, earlier, session, maxPinnedTokens });
  }

  async #askForSummary(options: PrepareOptions, before: number): Promise<string> {
    const request = this.#summaryRequest(options, before);
    const text = await options.summarise(request);
    if (text !== undefined) return text;
    this.#lowerLimit(this.#count(request), options);
    return (await options.summarise(this.#summaryRequest(options, before))) ?? "";
  }

  /** Asks for a summary of the whole conversation. If that does not fit, of the messages that the summary replaces. */
  #summaryRequest(options: PrepareOptions, before: number): ModelRequest {
    const request = summaryRequest(this.#request(options));
    if (this.#count(request) <= this.#limit) return request;
    const replaced = { ...options, messages: options.messages.slice(0, before) };
    return summaryRequest(this.#request(replaced, this.#fitted(replaced)));
  }

  #fitted(options: PrepareOptions): ContextState {
    return fitContext(this.#state, {
      messageCount: options.messages.length,
      maxResultCharacters: this.view.maxResultCharacters,
      fits: (state) => this.#count(this.#request(options, state)) <= this.#limit * FULL_AT,
    });
  }

  /** Where the messages start that a summary leaves as they are: a turn of the model with its results. */
  #boundary(messages: readonly ModelMessage[], from: number): number {
    const { tokenRatio: ratio } = this.#state;
    let boundary = messages.length;
    let tokens = 0;
    for (let at = messages.length - 1; at > from; at--) {
      const message = messages[at];
      if (message === undefined) break;
      tokens += tokensOf(this.view.seen(message, at, this.#state)) * ratio;
      if (tokens > this.#limit * KEPT_BY_SUMMARY && boundary < messages.length) break;
      if (message.role === "assistant") boundary = at;
    }
    // The last turn is never replaced, even if it is the only one.
    return boundary === messages.length ? from : boundary;
  }
}

function maxResultIn(windowTokens: number): number {
  return Math.floor(Math.min(50_000, windowTokens * RESULT_CHARACTERS_PER_TOKEN));
}
