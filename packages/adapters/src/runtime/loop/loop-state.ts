import type { RenderedPrompt, RunUsage } from "@wink/prompt";
import type { ContextState } from "./context-state.js";
import type { ModelMessage, ModelTurn } from "./model-client.js";

/** Where an evaluation continues. All of it comes from the transcript. */
export interface LoopState {
  /** The number of the evaluation on its session. */
  readonly run: number;
  /** The conversation before `turn`. */
  readonly messages: readonly ModelMessage[];
  /** The next turn of the model, from 0. */
  readonly turn: number;
  readonly usage: RunUsage;
  /** How many answers were sent back because they did not match the template's output. */
  readonly outputRetries: number;
  /** How often missing work was sent back. @default 0 */
  readonly completionRetries?: number | undefined;
  /** The records of `turn` in the transcript, if the model has already answered it. */
  readonly open: OpenTurn | undefined;
  /** What the loop decided about the messages that the model sees. @default nothing */
  readonly context?: ContextState | undefined;
  /** The messages of the last request, and how often `turn` was requested. */
  readonly asked: { readonly messages: readonly ModelMessage[]; readonly attempts: number };
}

/** A turn that the model has answered and that is not over. */
export interface OpenTurn {
  readonly answer: Pick<ModelTurn, "text" | "toolCalls" | "stopReason" | "providerData">;
  /** The answers of the calls that have ended, by the id of the call. */
  readonly answers: ReadonlyMap<string, ModelMessage>;
  /** What the transcript says about the calls that are made again. */
  readonly stopped: ReadonlyMap<string, ModelMessage>;
  /** The names of the tools that the model could call. */
  readonly tools: ReadonlySet<string>;
  /** The session's last event when the last of these calls ended. */
  readonly sequence: number;
}

/** A message that the loop added to the conversation, and why. */
export interface AddedMessage {
  readonly reason: "feedback" | "output" | "completion";
  readonly message: ModelMessage;
}

/**
 * The prompt with the tools that the model was offered. A call of the same turn may have made further tools available
 * since, which the model did not know.
 */
export function offeredTo<Output>(
  { tools }: OpenTurn,
  rendered: RenderedPrompt<Output>,
): RenderedPrompt<Output> {
  if (rendered.tools.every(({ name }) => tools.has(name))) return rendered;
  const offered = rendered.tools.filter(({ name }) => tools.has(name));
  const { prompt, text, filesystem, output, feedback, descriptor, sections, completion } = rendered;
  return Object.freeze({
    ...{ prompt, text, filesystem, output, feedback, descriptor, sections, completion },
    tools: Object.freeze(offered),
    tool: (name: string) => offered.find((tool) => tool.name === name),
  });
}
