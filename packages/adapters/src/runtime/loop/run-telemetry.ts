import type { BoundPrompt, PromptResponse, RenderedTool } from "@wink/prompt";
import type { Session } from "@wink/session";
import type { ToolOutcome } from "../call/tool-outcome.js";
import type { ModelClient, ModelToolCall } from "./model-client.js";

/** A run that is about to start. */
export interface WatchedRun {
  /** The adapter's name. */
  readonly adapter: string;
  readonly prompt: BoundPrompt;
  readonly session: Session;
  readonly signal: AbortSignal | undefined;
}

/**
 * Observes one run.
 *
 * Each method calls `work` once before it returns, and returns its result.
 */
export interface RunWatch {
  turn<T>(turn: number, work: () => Promise<T>): Promise<T>;
  /** Returns the client to use instead of `client`. */
  client(client: ModelClient): ModelClient;
  /** @param tool the called tool; `undefined` if it does not exist */
  call(
    call: ModelToolCall,
    tool: RenderedTool | undefined,
    work: () => Promise<ToolOutcome>,
  ): Promise<ToolOutcome>;
}

/** Observes the runs of an adapter, like `openTelemetry()`. Must not throw. */
export interface RunTelemetry {
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
