import { ModelError } from "../../error/model-error.js";

type Part = Readonly<Record<string, unknown>>;

/**
 * The content of a message. Most servers stream it as text. Mistral streams a list of texts, thoughts and references,
 * which must be sent back as a list: https://docs.mistral.ai/capabilities/reasoning
 */
export class ContentParts {
  readonly #parts: Part[] = [];
  #isList = false;
  #thought = "";

  /** The parts, if the server sent a list. */
  get list(): readonly Part[] | undefined {
    return this.#isList ? this.#parts : undefined;
  }

  get thought(): string {
    return this.#thought;
  }

  /** Adds a piece and returns what it says. */
  add(content: unknown): { readonly text: string; readonly thought: string } {
    if (content === null || content === undefined) return { text: "", thought: "" };
    this.#isList ||= typeof content !== "string";
    const pieces = typeof content === "string" ? [{ type: "text", text: content }] : content;
    if (!Array.isArray(pieces) || !pieces.every(isPart)) throw new ModelError("MALFORMED");
    for (const piece of pieces) this.#append(piece);
    const text = pieces.map(textOf).join("");
    const thought = pieces.flatMap(thoughtsOf).map(textOf).join("");
    this.#thought += thought;
    return { text, thought };
  }

  #append(piece: Part): void {
    const last = this.#parts.at(-1);
    const isSame = last !== undefined && last["type"] === piece["type"];
    if (isSame && piece["type"] === "text")
      this.#parts[this.#parts.length - 1] = { ...last, text: textOf(last) + textOf(piece) };
    else if (isSame && piece["type"] === "thinking") {
      const thinking = [...thoughtsOf(last), ...thoughtsOf(piece)];
      this.#parts[this.#parts.length - 1] = { ...last, ...piece, thinking };
    } else this.#parts.push(piece);
  }
}

function textOf({ type, text }: Part): string {
  return type === "text" && typeof text === "string" ? text : "";
}

function thoughtsOf({ type, thinking }: Part): readonly Part[] {
  return type === "thinking" && Array.isArray(thinking) ? thinking.filter(isPart) : [];
}

function isPart(value: unknown): value is Part {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
