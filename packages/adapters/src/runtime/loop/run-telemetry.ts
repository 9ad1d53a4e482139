import type { BoundPrompt, PromptResponse, RenderedTool } from "@wink/prompt";
import type { Session } from "@wink/session";
import type { ToolOutcome } from "../call/tool-outcome.js";
import type { ModelClient, ModelToolCall } from "./model-client.js";

/** A run that is about to begin. */
export interface WatchedRun {
  /** The adapter's name. */
  readonly adapter: string;
  readonly prompt: BoundPrompt;
  readonly session: Session;
  readonly signal: AbortSignal | undefined;
}

/**
 * Watches one run.
 *
 * Each method calls `work` once and before it returns, and passes on what comes of it.
 */
export interface RunWatch {
  turn<T>(turn: number, work: () => Promise<T>): Promise<T>;
  /** The client that is asked in place of `client`. */
  client(client: ModelClient): ModelClient;
  /** @param tool what the model called; `undefined` when there is no such tool */
  call(
    call: ModelToolCall,
    tool: RenderedTool | undefined,
    work: () => Promise<ToolOutcome>,
  ): Promise<ToolOutcome>;
}

/** Watches the runs of an adapter, such as `openTelemetry()` does. It must not throw. */
export interface RunTelemetry {
  run<Output>(
    run: WatchedRun,
    work: (watch: RunWatch) => Promise<PromptResponse<Output>>,
  ): Promise<PromptResponse<Output>>;
}

/** For a run that nobody watches. */
export const unwatched: RunWatch = Object.freeze({
  turn: <T>(_: number, work: () => Promise<T>) => work(),
  client: (client: ModelClient) => client,
  call: (_: unknown, __: unknown, work: () => Promise<ToolOutcome>) => work(),
});
