import type { ModelSource } from "@wink/prompt";
import { ContentParts } from "./content-parts.js";

type Fields = Readonly<Record<string, unknown>>;

/** What compatible servers add to a turn and need back with it. */
export interface ChatExtras {
  /** Fields of the message that go back with every later request. */
  readonly lasting: Fields;
  /** Fields that go back only with a message that calls tools: some servers refuse them otherwise. */
  readonly untilAnswered: Fields;
  /** More fields of each call, by its id, such as the signature of a thought. */
  readonly calls: Readonly<Record<string, Fields>>;
}

/** Fields with text that servers use for what the model thinks. */
const THOUGHTS = ["reasoning_content", "reasoning"] as const;

/** Fields that are also in the loop's message, or that this class handles by name. */
const HANDLED: readonly string[] = [
  ...["role", "content", "refusal", "tool_calls", "function_call"],
  ...[...THOUGHTS, "reasoning_details"],
];

/** Collects what OpenAI's own API does not have from the pieces of a message. */
export class ChatExtraFields {
  readonly #thoughts = new Map<(typeof THOUGHTS)[number], string>();
  readonly #details: unknown[] = [];
  /** Fields that are not known here. */
  readonly #others: Record<string, unknown> = {};
  readonly #content = new ContentParts();

  /** Adds a piece of the content: a text, or a list with texts and thoughts, as Mistral sends it. */
  addContent(content: unknown): { readonly text: string; readonly thought: string } {
    return this.#content.add(content);
  }

  /** Adds a piece of the message. Returns the text that the model thought in it. */
  add(delta: Fields): string {
    let added = "";
    for (const name of THOUGHTS) {
      const piece = delta[name];
      if (typeof piece !== "string" || piece === "") continue;
      this.#thoughts.set(name, (this.#thoughts.get(name) ?? "") + piece);
      // Servers that send both send the same text.
      added ||= piece;
    }
    const details = delta["reasoning_details"];
    if (Array.isArray(details)) for (const piece of details) this.#addDetail(piece);
    for (const [name, piece] of Object.entries(delta))
      if (!HANDLED.includes(name) && piece !== null && piece !== undefined)
        this.#others[name] = joined(this.#others[name], piece);
    return added;
  }

  /** The sources that the model cites, if the server reports them. */
  get sources(): readonly ModelSource[] {
    const annotations = this.#others["annotations"];
    if (!Array.isArray(annotations)) return [];
    return annotations.filter(isFields).flatMap(({ url_citation: cited }) => {
      if (!isFields(cited) || typeof cited["url"] !== "string") return [];
      const { url, title } = cited;
      return [{ url, ...(typeof title === "string" && { title }) }];
    });
  }

  get thoughts(): string {
    return THOUGHTS.map((name) => this.#thoughts.get(name)).find(Boolean) ?? this.#content.thought;
  }

  /** The data to send back; `undefined` if there is none. */
  extras(calls: ChatExtras["calls"]): ChatExtras | undefined {
    const { size } = this.#thoughts;
    const lasting = {
      ...this.#others,
      ...(this.#content.list !== undefined && { content: this.#content.list }),
      ...(this.#details.length > 0 && { reasoning_details: this.#details }),
    };
    if (size === 0 && Object.keys({ ...lasting, ...calls }).length === 0) return undefined;
    return {
      lasting,
      untilAnswered: Object.fromEntries(this.#thoughts),
      calls,
    };
  }

  /** Pieces with the same index and type are parts of one detail. Their texts are joined. */
  #addDetail(piece: unknown): void {
    const last: unknown = this.#details.at(-1);
    if (!isFields(piece) || !isFields(last) || !isSameDetail(piece, last)) {
      this.#details.push(piece);
      return;
    }
    const grown = Object.entries(piece).map(([name, value]) => {
      const before = last[name];
      const isGrowing = GROWING.includes(name) && typeof before === "string";
      return [name, isGrowing && typeof value === "string" ? before + value : value];
    });
    this.#details[this.#details.length - 1] = { ...last, ...Object.fromEntries(grown) };
  }
}

/** The pieces of a field of unknown meaning: texts and lists grow, other values are replaced. */
function joined(before: unknown, piece: unknown): unknown {
  if (typeof before === "string" && typeof piece === "string") return before + piece;
  return Array.isArray(before) && Array.isArray(piece) ? [...before, ...piece] : piece;
}

const GROWING: readonly string[] = ["text", "summary", "data"];

function isSameDetail(piece: Fields, last: Fields): boolean {
  return (
    piece["type"] === last["type"] &&
    piece["index"] !== undefined &&
    piece["index"] === last["index"]
  );
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
