import type {
  BoundPrompt,
  Budget,
  Deadline,
  PromptResponse,
  RenderedPrompt,
  RenderedTool,
} from "@wink/prompt";
import type { Session } from "@wink/session";
import type { ToolOutcome } from "../call/tool-outcome.js";
import type { ContextChange } from "./context-state.js";
import type { ContextOptions } from "./context-window.js";
import type { AddedMessage, LoopState } from "./loop-state.js";
import type { ModelClient, ModelMessage, ModelToolCall } from "./model-client.js";
import type { ModelPrices } from "./model-prices.js";

/** A run that is about to start. */
export interface WatchedRun {
  /** The adapter's name. */
  readonly adapter: string;
  readonly prompt: BoundPrompt;
  readonly session: Session;
  readonly signal: AbortSignal | undefined;
  /** Which evaluation on the session: 1, 2, … */
  readonly run: number;
  /** The state from which the evaluation continues. `undefined` for a new evaluation. */
  readonly from?: LoopState | undefined;
  readonly maxTurns: number;
  readonly deadline: Deadline | undefined;
  readonly budget: Budget | undefined;
  readonly prices: ModelPrices | undefined;
  /** How the conversation is kept inside the model's context window. @default as the adapter decides */
  readonly context?: ContextOptions | undefined;
}

/**
 * Observes one run.
 *
 * Each method calls `work` once before it returns, and returns its result.
 */
export interface RunWatch {
  /** The conversation begins with these messages. @default ignored */
  began?(messages: readonly ModelMessage[]): void;
  /** The prompt was rendered for the next request. @default ignored */
  rendered?(rendered: RenderedPrompt): void;
  /** The loop added messages to the conversation at the end of a turn. @default ignored */
  added?(messages: readonly AddedMessage[]): void;
  turn<T>(turn: number, work: () => Promise<T>): Promise<T>;
  /** The loop decided which messages the model sees. Returns the hash of a new summary. @default ignored */
  contextChanged?(change: ContextChange): string | undefined;
  /**
   * Returns the client to use instead of `client`.
   *
   * @param purpose `summary` if the request is not a turn of the conversation
   */
  client(client: ModelClient, purpose?: "summary"): ModelClient;
  /** @param tool the called tool; `undefined` if it does not exist */
  call(
    call: ModelToolCall,
    tool: RenderedTool | undefined,
    work: () => Promise<ToolOutcome>,
  ): Promise<ToolOutcome>;
}

/** Observes the runs of an adapter, like `openTelemetry()`. Must not throw. */
export interface RunTelemetry {
  /** Observes a call of another framework's loop. @default not observed */
  call?(
    call: ModelToolCall,
    tool: RenderedTool | undefined,
    work: () => Promise<ToolOutcome>,
    signal: AbortSignal | undefined,
  ): Promise<ToolOutcome>;
  run<Output>(
    run: WatchedRun,
    work: (watch: RunWatch) => Promise<PromptResponse<Output>>,
  ): Promise<PromptResponse<Output>>;
}

/** For a run without telemetry. */
export const unwatched: RunWatch = Object.freeze({
  turn: <T>(_: number, work: () => Promise<T>) => work(),
  client: (client: ModelClient) => client,
  call: (_: unknown, __: unknown, work: () => Promise<ToolOutcome>) => work(),
});

/** Observes runs with both. `inner` is closer to the work. */
export function watchedByBoth(outer: RunTelemetry, inner: RunTelemetry): RunTelemetry {
  return {
    run: (run, work) =>
      outer.run(run, (outerWatch) =>
        inner.run(run, (innerWatch) => work(new BothWatches(outerWatch, innerWatch))),
      ),
  };
}

class BothWatches implements RunWatch {
  readonly #outer: RunWatch;
  readonly #inner: RunWatch;

  constructor(outer: RunWatch, inner: RunWatch) {
    this.#outer = outer;
    this.#inner = inner;
  }

  began(messages: readonly ModelMessage[]): void {
    this.#outer.began?.(messages);
    this.#inner.began?.(messages);
  }

  rendered(rendered: RenderedPrompt): void {
    this.#outer.rendered?.(rendered);
    this.#inner.rendered?.(rendered);
  }

  added(messages: readonly AddedMessage[]): void {
    this.#outer.added?.(messages);
    this.#inner.added?.(messages);
  }

  turn<T>(turn: number, work: () => Promise<T>): Promise<T> {
    return this.#outer.turn(turn, () => this.#inner.turn(turn, work));
  }

  contextChanged(change: ContextChange): string | undefined {
    const outer = this.#outer.contextChanged?.(change);
    return this.#inner.contextChanged?.(change) ?? outer;
  }

  client(client: ModelClient, purpose?: "summary"): ModelClient {
    return this.#outer.client(this.#inner.client(client, purpose), purpose);
  }

  call(
    call: ModelToolCall,
    tool: RenderedTool | undefined,
    work: () => Promise<ToolOutcome>,
  ): Promise<ToolOutcome> {
    return this.#outer.call(call, tool, () => this.#inner.call(call, tool, work));
  }
}
