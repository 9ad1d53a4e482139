import type {
  LanguageModelV3StreamPart,
  LanguageModelV3ToolCall,
  LanguageModelV3ToolResult,
  SharedV3ProviderMetadata,
} from "@ai-sdk/provider";
import type { ModelSource } from "@wink/prompt";
import type { ModelToolCall, ProviderData } from "../../runtime/loop/model-client.js";
import { omitUndefined } from "../omit-undefined.js";
import { parseCallInput } from "../parse-call-input.js";

/**
 * A content part in the form in which it is sent back. The provider's metadata is in
 * `providerOptions`.
 */
type ContentItem = { providerOptions?: SharedV3ProviderMetadata } & (
  | { readonly type: "text" | "reasoning"; text: string }
  | ({ readonly type: "tool-call" } & ModelToolCall)
  // A part of the provider's own tools. It is sent back unchanged.
  | { readonly type: "own"; readonly part: Readonly<Record<string, unknown>> }
);

/** Parts about the stream itself, and parts whose content a later part repeats. */
const NOT_CONTENT: readonly string[] = [
  ...["stream-start", "response-metadata", "finish", "ping", "raw", "error"],
  ...["tool-input-start", "tool-input-delta", "tool-input-end", "tool-approval-request"],
];

/** Builds a turn from the parts of its stream. */
export class AssistantContent {
  readonly #items: ContentItem[] = [];
  readonly #sources: ModelSource[] = [];
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
        // Only version 4 of the specification has citations here, so they are not in the type.
        for (const { source } of (part as Partial<Cited>).citations ?? []) this.#cite(source);
        break;
      case "tool-call":
        if (part.providerExecuted) this.#own(ownCall(part), part.providerMetadata);
        else this.#call(part);
        break;
      case "tool-result":
        // A preliminary result is followed by the final one.
        if (!part.preliminary) this.#own(ownResult(part), part.providerMetadata);
        break;
      case "source":
        this.#cite(part);
        break;
      default:
        if (!NOT_CONTENT.includes(part.type)) this.#unchanged(part);
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

  get thoughts(): string {
    return this.#items.map((part) => (part.type === "reasoning" ? part.text : "")).join("");
  }

  get sources(): readonly ModelSource[] | undefined {
    return this.#sources.length === 0 ? undefined : this.#sources;
  }

  /** All parts in order, if the provider sent metadata, reasoning, or results of its own tools. */
  get providerData(): ProviderData | undefined {
    const noted = (part: ContentItem) =>
      part.type === "reasoning" || part.type === "own" || part.providerOptions !== undefined;
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

  /** A page may be a source of the answer and be cited by several parts of it. */
  #cite({ url, title }: ModelSource): void {
    if (!this.#sources.some((known) => known.url === url && known.title === title))
      this.#sources.push(omitUndefined({ url, title }));
  }

  /** A file, or a part of a kind that is not known here. */
  #unchanged(part: object & { readonly providerMetadata?: SharedV3ProviderMetadata }): void {
    const { providerMetadata, ...content } = part;
    this.#own(asJson(content), providerMetadata);
  }

  #own(
    part: Readonly<Record<string, unknown>>,
    metadata: SharedV3ProviderMetadata | undefined,
  ): void {
    const item: ContentItem = { type: "own", part };
    this.#items.push(item);
    note(item, metadata);
  }

  #call(part: LanguageModelV3StreamPart & { type: "tool-call" }): void {
    const { toolCallId, toolName, input, providerMetadata } = part;
    const item: ContentItem = { type: "tool-call", toolCallId, toolName, arguments: input || "{}" };
    this.#items.push(item);
    note(item, providerMetadata);
  }
}

interface Cited {
  readonly citations: readonly { readonly source: ModelSource }[];
}

interface Piece {
  readonly id: string;
  readonly providerMetadata?: SharedV3ProviderMetadata;
}

/** Later metadata replaces earlier metadata, because providers send it when it is complete. */
function note(item: ContentItem, metadata: SharedV3ProviderMetadata | undefined): void {
  if (metadata !== undefined) item.providerOptions = metadata;
}

/** The part as the transcript can store it. Models may generate files as bytes. */
function asJson(content: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const base64 = (value: unknown): unknown =>
    value instanceof Uint8Array ? Buffer.from(value).toString("base64") : value;
  const { data } = content;
  // Version 4 of the specification wraps the data of a file.
  const isWrapped = typeof data === "object" && data !== null && "data" in data;
  if (data === undefined) return content;
  return { ...content, data: isWrapped ? { ...data, data: base64(data.data) } : base64(data) };
}

/** A call that the provider runs itself. The loop must not run it. */
function ownCall({ toolCallId, toolName, input }: LanguageModelV3ToolCall) {
  const call = { type: "tool-call", toolCallId, toolName, providerExecuted: true };
  return { ...call, input: parseCallInput(input || "{}") };
}

function ownResult({ toolCallId, toolName, result, isError = false }: LanguageModelV3ToolResult) {
  const output = { type: isError ? "error-json" : "json", value: result };
  return { type: "tool-result", toolCallId, toolName, output };
}

function toPrompt(item: ContentItem): readonly unknown[] {
  if (item.type === "own")
    return [{ ...item.part, ...omitUndefined({ providerOptions: item.providerOptions }) }];
  if (item.type !== "tool-call") return item.type === "text" && item.text === "" ? [] : [item];
  const { arguments: json, ...call } = item;
  return [{ ...call, input: parseCallInput(json) }];
}
