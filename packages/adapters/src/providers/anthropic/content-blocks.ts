import { ModelError } from "../../error/model-error.js";
import type { AskOptions } from "../../runtime/loop/model-client.js";

/** A block as the provider sent it. Unknown kinds are kept, because they must be sent back. */
export type Block = Readonly<Record<string, unknown>> & { readonly type: string };

/** A block, and the text of its input if the provider streamed it. */
export interface StreamedBlock {
  readonly block: Block;
  readonly json: string;
}

/** Builds the blocks of a message from their stream. */
export class ContentBlocks {
  readonly #blocks: { block: Block; json: string }[] = [];
  readonly #listeners: Pick<AskOptions, "onText" | "onThought">;

  constructor(listeners: Pick<AskOptions, "onText" | "onThought">) {
    this.#listeners = listeners;
  }

  get all(): readonly StreamedBlock[] {
    // The array has gaps if the provider omitted an index.
    return this.#blocks.filter(Boolean);
  }

  start(index: number, block: unknown): void {
    if (!isBlock(block)) throw new ModelError("MALFORMED");
    this.#blocks[index] = { block, json: "" };
  }

  grow(index: number, delta: unknown): void {
    const growing = this.#blocks[index];
    if (!isBlock(delta)) throw new ModelError("MALFORMED");
    if (growing === undefined) return;
    if (delta.type === "input_json_delta") growing.json += String(delta["partial_json"] ?? "");
    else if (delta.type === "citations_delta") growing.block = withCitation(growing.block, delta);
    // Signatures come in one piece.
    else if (delta.type === "signature_delta")
      growing.block = { ...growing.block, signature: delta["signature"] };
    else growing.block = withTexts(growing.block, delta);
    this.#tell(delta);
  }

  #tell(delta: Block): void {
    const { onText, onThought } = this.#listeners;
    if (delta.type === "text_delta" && typeof delta["text"] === "string") onText(delta["text"]);
    if (delta.type === "thinking_delta" && typeof delta["thinking"] === "string")
      onThought?.(delta["thinking"]);
  }
}

function withCitation(block: Block, { citation }: Block): Block {
  const before = Array.isArray(block["citations"]) ? block["citations"] : [];
  return { ...block, citations: [...before, citation] };
}

/** Appends the texts of a delta to the fields of the same name, for every kind of block. */
function withTexts(block: Block, { type: _, ...pieces }: Block): Block {
  const grown = Object.entries(pieces).map(([name, piece]) => {
    const before = block[name];
    const isText = typeof before === "string" && typeof piece === "string";
    return [name, isText ? before + piece : piece];
  });
  return { ...block, ...Object.fromEntries(grown) };
}

function isBlock(value: unknown): value is Block {
  return (
    typeof value === "object" && value !== null && "type" in value && typeof value.type === "string"
  );
}
