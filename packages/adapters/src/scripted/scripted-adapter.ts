import { describeKind } from "@wink/filesystem/internal";
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
import { requireTurn, type ScriptedTurn } from "./scripted-turn.js";

export interface ScriptedAdapterOptions extends ModelAdapterOptions {
  /**
   * A list of turns, or a function that is called for each turn. Entries of the list may be
   * functions too.
   */
  readonly turns:
    | readonly (ScriptedTurn | ((request: ModelRequest) => ScriptedTurn))[]
    | ((request: ModelRequest, index: number) => ScriptedTurn);
}

/** Runs prompts with a scripted model, for tests and offline use. */
export class ScriptedAdapter extends ModelAdapter {
  readonly #model: ScriptedModel;

  constructor(options: ScriptedAdapterOptions) {
    requireOptions("ScriptedAdapter", options, [...MODEL_ADAPTER_OPTIONS, "turns"]);
    requireTurns(options.turns);
    const model = new ScriptedModel(options.turns);
    super(model, { ...options, context: { ...UNLIMITED, ...options.context } });
    this.#model = model;
  }

  /** The requests that the model received, in order. */
  get requests(): readonly ModelRequest[] {
    return this.#model.requests;
  }

  /** Throws if some turns of the list were not used. */
  assertFinished(): void {
    const { left } = this.#model;
    if (left > 0)
      throw new Error(`ScriptedAdapter: the run did not use the last ${left} turns of the script.`);
  }
}

class ScriptedModel implements ModelClient {
  readonly name = "scripted";
  readonly requests: ModelRequest[] = [];
  readonly #turns: ScriptedAdapterOptions["turns"];
  #calls = 0;

  constructor(turns: ScriptedAdapterOptions["turns"]) {
    this.#turns = turns;
  }

  get left(): number {
    return typeof this.#turns === "function" ? 0 : this.#turns.length - this.requests.length;
  }

  async ask(request: ModelRequest, { signal, onText }: AskOptions): Promise<ModelTurn> {
    signal.throwIfAborted();
    const index = this.requests.push(structuredClone(request)) - 1;
    const turn = this.#turn(request, index);
    requireTurn(`ScriptedAdapter: turn ${index + 1}`, turn);
    turn.expect?.(request);
    if (turn.error !== undefined) throw turn.error;
    const text = asText(turn.text ?? "");
    if (text !== "") onText(text);
    this.#calls = Math.max(this.#calls, ...usedNumbers(request));
    const toolCalls = (turn.calls ?? []).map(({ tool, input = {}, toolCallId }) => ({
      toolCallId: toolCallId ?? `call-${++this.#calls}`,
      toolName: tool,
      arguments: asText(input),
    }));
    const { stopReason = "end", usage = { inputTokens: 0, outputTokens: 0 } } = turn;
    return { text, toolCalls, usage, stopReason };
  }

  #turn(request: ModelRequest, index: number): ScriptedTurn {
    if (typeof this.#turns === "function") return this.#turns(request, index);
    const turn = this.#turns[index];
    if (turn === undefined)
      throw new Error(
        `ScriptedAdapter: the script has ${this.#turns.length} turns and the run asked for one more. Add a turn.`,
      );
    return typeof turn === "function" ? turn(request) : turn;
  }
}

/** Names a mistake in a script when it is written, not when the turn is reached. */
function requireTurns(turns: unknown): void {
  if (typeof turns === "function") return;
  if (!Array.isArray(turns))
    throw invalid(
      "ScriptedAdapter",
      `option 'turns' must be an array or a function, got ${describeKind(turns)}.`,
    );
  for (const [index, turn] of turns.entries())
    if (typeof turn !== "function") requireTurn(`ScriptedAdapter: turns[${index}]`, turn);
}

/** The numbers of calls that another process made, whose ids must not be used again. */
function usedNumbers({ messages }: ModelRequest): readonly number[] {
  return messages.flatMap((message) => {
    if (message.role !== "assistant") return [];
    const ids = message.toolCalls.map(({ toolCallId }) => /^call-(\d+)$/.exec(toolCallId)?.[1]);
    return ids.flatMap((id) => (id === undefined ? [] : [Number(id)]));
  });
}

function asText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
