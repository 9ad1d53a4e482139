import type { LanguageModelV3StreamPart, SharedV3ProviderMetadata } from "@ai-sdk/provider";
import type { ModelToolCall, ProviderData } from "../../runtime/loop/model-client.js";
import { parseCallInput } from "../parse-call-input.js";

/**
 * A content part in the form in which it is sent back. The provider's metadata is in
 * `providerOptions`.
 */
type ContentItem = { providerOptions?: SharedV3ProviderMetadata } & (
  | { readonly type: "text" | "reasoning"; text: string }
  | ({ readonly type: "tool-call" } & ModelToolCall)
);

/** Builds a turn from the parts of its stream. */
export class AssistantContent {
  readonly #items: ContentItem[] = [];
  /** Text and reasoning parts that have not ended, by id. */
  readonly #open = new Map<string, ContentItem & { text: string }>();

  add(part: LanguageModelV3StreamPart): void {
    switch (part.type) {
      case "text-start":
      case "reasoning-start":
        this.#begin(part.type === "text-start" ? "text" : "reasoning", part);
        break;
      case "text-delta":
      case "reasoning-delta":
        this.#grow(part, part.delta);
        break;
      case "text-end":
      case "reasoning-end":
        this.#grow(part, "");
        break;
      case "tool-call":
        // Skip calls that the provider executes itself.
        if (part.providerExecuted) break;
        this.#call(part);
        break;
    }
  }

  get text(): string {
    return this.#items.map((part) => (part.type === "text" ? part.text : "")).join("");
  }

  get toolCalls(): readonly ModelToolCall[] {
    return this.#items.flatMap((part) => {
      if (part.type !== "tool-call") return [];
      const { toolCallId, toolName } = part;
      return [{ toolCallId, toolName, arguments: part.arguments }];
    });
  }

  /** All parts in order, if the provider sent metadata or reasoning. */
  get providerData(): ProviderData | undefined {
    const noted = (part: ContentItem) =>
      part.type === "reasoning" || part.providerOptions !== undefined;
    return this.#items.some(noted) ? { aiSdk: this.#items.flatMap(toPrompt) } : undefined;
  }

  #begin(type: "text" | "reasoning", { id, providerMetadata }: Piece): void {
    const item = { type, text: "" };
    this.#open.set(`${type} ${id}`, item);
    this.#items.push(item);
    note(item, providerMetadata);
  }

  #grow({ type, id, providerMetadata }: Piece & { readonly type: string }, delta: string): void {
    const kind = type.startsWith("text") ? "text" : "reasoning";
    if (!this.#open.has(`${kind} ${id}`)) this.#begin(kind, { id });
    const item = this.#open.get(`${kind} ${id}`);
    if (item === undefined) return;
    item.text += delta;
    note(item, providerMetadata);
  }

  #call(part: LanguageModelV3StreamPart & { type: "tool-call" }): void {
    const { toolCallId, toolName, input, providerMetadata } = part;
    const item: ContentItem = { type: "tool-call", toolCallId, toolName, arguments: input || "{}" };
    this.#items.push(item);
    note(item, providerMetadata);
  }
}

interface Piece {
  readonly id: string;
  readonly providerMetadata?: SharedV3ProviderMetadata;
}

/** Later metadata replaces earlier metadata, because providers send it when it is complete. */
function note(item: ContentItem, metadata: SharedV3ProviderMetadata | undefined): void {
  if (metadata !== undefined) item.providerOptions = metadata;
}

function toPrompt(item: ContentItem): readonly unknown[] {
  if (item.type !== "tool-call") return item.type === "text" && item.text === "" ? [] : [item];
  const { arguments: json, ...call } = item;
  return [{ ...call, input: parseCallInput(json) }];
}
