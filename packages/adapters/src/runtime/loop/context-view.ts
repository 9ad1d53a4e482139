import { headOf, tailOf } from "../context/clip.js";
import { type ContextState, READ_RESULT, resultPath } from "./context-state.js";
import type { ModelMessage } from "./model-client.js";

/** A short result is not worth clearing. */
const MIN_CLEARED_CHARACTERS = 400;

type ToolMessage = ModelMessage & { readonly role: "tool" };

/**
 * The messages that the model sees. A message that is not changed stays the same object, and a shortened one is made
 * once, so that the recorder sees which messages two requests share.
 */
export class ContextView {
  readonly maxResultCharacters: number;
  readonly #cleared = new WeakMap<ModelMessage, ModelMessage>();
  readonly #cut = new Map<number, WeakMap<ModelMessage, ModelMessage>>();

  constructor(maxResultCharacters: number) {
    this.maxResultCharacters = maxResultCharacters;
  }

  of(messages: readonly ModelMessage[], state: ContextState): ModelMessage[] {
    const { summary } = state;
    const from = summary?.before ?? 0;
    const rest = messages.slice(from).map((each, at) => this.seen(each, from + at, state));
    return summary === undefined ? rest : [summary.message, ...rest];
  }

  /** Whether the result is stored in a file. */
  isLong(message: ModelMessage): message is ToolMessage {
    return isLonger(message, this.maxResultCharacters);
  }

  cleared(message: ModelMessage): ModelMessage {
    return isClearable(message) ? this.#removed(message) : message;
  }

  /** What the model sees of the message at this place of the conversation. */
  seen(message: ModelMessage, at: number, state: ContextState): ModelMessage {
    const { clearedBefore, saved, shrunkBefore = Number.POSITIVE_INFINITY } = state;
    if (at < clearedBefore) return this.cleared(message);
    const shrunk = at < shrunkBefore ? state.maxResultCharacters : undefined;
    const maxCharacters = shrunk ?? this.maxResultCharacters;
    if (message.role !== "tool") return message;
    if (maxCharacters === 0) return this.#removed(message);
    return isLonger(message, maxCharacters) ? this.#cutTo(maxCharacters, message, saved) : message;
  }

  #removed(message: ToolMessage): ModelMessage {
    return remembered(this.#cleared, message, () => {
      const { text, images, ...rest } = message;
      const note = `(This result of ${amount(text)} was removed to save space. ${again(rest)})`;
      return images === undefined && note.length >= text.length ? message : { ...rest, text: note };
    });
  }

  #cutTo(maxCharacters: number, message: ToolMessage, saved: ReadonlySet<string>): ModelMessage {
    const cut = this.#cut.get(maxCharacters) ?? new WeakMap();
    this.#cut.set(maxCharacters, cut);
    return remembered(cut, message, () => {
      const { text, toolCallId } = message;
      const where = saved.has(toolCallId)
        ? `All of it is in '${resultPath(toolCallId)}'.`
        : again(message);
      const part = Math.floor(maxCharacters / 4);
      const note = `(The middle of this result of ${amount(text)} is left out. ${where})`;
      return { ...message, text: `${headOf(text, part)}\n\n${note}\n\n${tailOf(text, part)}` };
    });
  }
}

function isLonger(message: ModelMessage, maxCharacters: number): message is ToolMessage {
  return message.role === "tool" && message.text.length > maxCharacters;
}

export function isClearable(message: ModelMessage): message is ToolMessage {
  if (message.role !== "tool") return false;
  return message.text.length >= MIN_CLEARED_CHARACTERS || message.images !== undefined;
}

function amount(text: string): string {
  return `${text.length.toLocaleString("en")} characters`;
}

function again({ toolCallId }: Pick<ToolMessage, "toolCallId">): string {
  return `Call ${READ_RESULT} with "${toolCallId}" to read it.`;
}

function remembered(
  known: WeakMap<ModelMessage, ModelMessage>,
  message: ModelMessage,
  make: () => ModelMessage,
): ModelMessage {
  const before = known.get(message);
  if (before !== undefined) return before;
  const made = make();
  known.set(message, made);
  return made;
}
