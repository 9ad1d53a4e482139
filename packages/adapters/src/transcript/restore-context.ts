import type { RenderedSection } from "@wink/prompt";
import {
  type ContextState,
  type ContextSummary,
  EMPTY_CONTEXT,
  type SystemText,
} from "../runtime/loop/context-state.js";
import { tokenRatio } from "../runtime/loop/count-tokens.js";
import type { ModelUsage } from "../runtime/loop/model-client.js";
import { Conversations, requestOf, sectionsOf } from "./conversation.js";
import type { TranscriptRecords } from "./read-transcript.js";
import type { ContextNoted, ModelAsked } from "./transcript-record.js";

const RESULT = ".result";

/** What the loop of an evaluation had decided about its context, so that it sends the same next request. */
export function restoreContext(records: TranscriptRecords, run: number): ContextState {
  const conversations = new Conversations();
  let state: ContextState = EMPTY_CONTEXT;
  let asked: ModelAsked | undefined;
  let counted: { readonly asked: ModelAsked; readonly usage: ModelUsage } | undefined;
  const saved = new Set<string>();
  for (const record of records.records) {
    if (record.kind === "ask") conversations.add(record);
    if (record.kind === "outcome" && record.status === "succeeded" && record.call.endsWith(RESULT))
      saved.add(record.call.slice(0, -RESULT.length));
    if (record.run !== run) continue;
    if (record.kind === "ask") {
      asked = record;
      state = { ...state, system: systemOf(records, record) };
    }
    if (record.kind === "turn" && asked !== undefined) counted = { asked, usage: record.usage };
    if (record.kind === "context") state = { ...state, ...changeOf(records, record) };
  }
  const ratio =
    counted && tokenRatio(requestOf(records, conversations, counted.asked), counted.usage);
  return { ...state, saved, ...(ratio !== undefined && { tokenRatio: ratio }) };
}

function changeOf(
  records: TranscriptRecords,
  { clearedBefore, limitTokens, maxResultCharacters, shrunkBefore, summary }: ContextNoted,
): Partial<ContextState> {
  const limits = { clearedBefore, limitTokens, maxResultCharacters, shrunkBefore };
  if (summary === undefined) return limits;
  const restored: ContextSummary = {
    before: summary.before,
    // The recorder wrote these parts.
    message: records.part(summary.message) as ContextSummary["message"],
    pinned: records.part(summary.pinned) as ContextSummary["pinned"],
  };
  // With a new summary, the system text is rendered again.
  return { ...limits, summary: restored, ...(summary.isNew && { system: undefined }) };
}

function systemOf(records: TranscriptRecords, ask: ModelAsked): SystemText {
  const sections: RenderedSection[] = [];
  let text = "";
  for (const { path, title, visibility, text: part } of sectionsOf(records, ask)) {
    sections.push({ path, title, visibility, start: text.length, end: text.length + part.length });
    text += part;
  }
  return { text, sections };
}
