import type { ModelSettings } from "@wink/prompt";
import { invalid } from "../runtime/context/require-options.js";
import type { ModelMessage, ModelRequest, ModelTool } from "../runtime/loop/model-client.js";
import type { TranscriptRecords } from "./read-transcript.js";
import type { ModelAsked, PartId, RecordedSection } from "./transcript-record.js";

/** A section of a prompt that a model was shown. */
export interface ShownSection {
  readonly path: string;
  readonly title: string;
  readonly visibility: "full" | "summary";
  readonly text: string;
}

/** The parts of the messages of each request: those of the run's previous request, with the changes. */
export class Conversations {
  readonly #messages = new Map<ModelAsked, readonly PartId[]>();
  readonly #last = new Map<number, readonly PartId[]>();

  add(ask: ModelAsked): void {
    const kept = (this.#last.get(ask.run) ?? []).slice(0, ask.keep);
    const messages = [...kept, ...ask.add];
    this.#last.set(ask.run, messages);
    this.#messages.set(ask, messages);
  }

  messageIds(ask: ModelAsked): readonly PartId[] {
    return this.#messages.get(ask) ?? [];
  }
}

/** The sections that a request showed to the model. */
export function sectionsOf(records: TranscriptRecords, ask: ModelAsked): readonly ShownSection[] {
  // The recorder wrote these parts.
  const sections = records.part(ask.prompt) as readonly RecordedSection[];
  return sections.map(({ text, ...section }) => ({
    ...section,
    text: records.part(text) as string,
  }));
}

/** The request of a record, exactly as the model got it. */
export function requestOf(
  records: TranscriptRecords,
  conversations: Conversations,
  ask: ModelAsked,
): ModelRequest {
  if (typeof ask !== "object" || ask === null)
    throw invalid("requestOf", "pass a record of the kind 'ask'.");
  // The recorder wrote these parts.
  const tools = records.part(ask.tools) as readonly PartId[];
  return {
    instructions: sectionsOf(records, ask)
      .map(({ text }) => text)
      .join(""),
    tools: tools.map((id) => records.part(id) as ModelTool),
    messages: conversations.messageIds(ask).map((id) => records.part(id) as ModelMessage),
    outputSchema: ask.output === undefined ? null : (records.part(ask.output) as never),
    ...(ask.settings !== undefined && { settings: records.part(ask.settings) as ModelSettings }),
  };
}
