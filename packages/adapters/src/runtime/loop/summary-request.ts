import { EndToolCall } from "@wink/prompt/adapter";
import type { Session } from "@wink/session";
import type { ContextSummary } from "./context-state.js";
import type { ModelMessage } from "./model-client.js";

/** Asks the model to summarise the conversation. Sent after all other messages. */
export const SUMMARISE: ModelMessage = Object.freeze({
  role: "user",
  text: `The conversation is about to be shortened. Do not call tools and do not continue the task now. Write a summary from which you can continue without the earlier messages:
1. The work done so far, with the paths of the files concerned, and the facts you learned.
2. The work in progress, and the next steps.
3. Errors and dead ends, so that you do not repeat them.
Then list every decision that must stay valid, one per line, between <decisions> and </decisions>. Earlier decisions are kept, so list only new ones.`,
});

const MAX_PINNED_CHARACTERS = 4_000;
const MAX_PINNED_MESSAGES = 20;
const MAX_FILES = 50;
const MAX_DECISIONS = 100;

export interface SummaryFacts {
  /** The model's answer to {@link SUMMARISE}. */
  readonly text: string;
  /** The messages that the summary replaces. */
  readonly replaced: readonly ModelMessage[];
  readonly before: number;
  readonly earlier: ContextSummary | undefined;
  readonly session: Session;
}

/** The message that replaces a part of the conversation. What the user said, files and decisions are pinned. */
export function summaryOf({
  text,
  replaced,
  before,
  earlier,
  session,
}: SummaryFacts): ContextSummary {
  const { pinned } = earlier ?? { pinned: { said: [], decisions: [] } };
  const decisions = [...pinned.decisions, ...decisionsIn(text)].slice(-MAX_DECISIONS);
  const now = replaced.flatMap((message) =>
    message.role === "user" ? [clipped(message.text)] : [],
  );
  const said = [...pinned.said, ...now].slice(-MAX_PINNED_MESSAGES);
  const parts = [
    "The earlier part of this conversation was removed to save space. This is what you must know of it.",
    ...list("Messages of the user", said),
    ...list("Files that you have seen or changed", filesIn(session)),
    ...list("Decisions that stay valid", decisions),
    `## Summary\n\n${withoutDecisions(text) || "The summary is missing. Read the files to find out how far the work is."}`,
  ];
  return {
    before,
    pinned: { said, decisions },
    message: { role: "user", text: parts.join("\n\n") },
  };
}

function list(title: string, items: readonly string[]): readonly string[] {
  return items.length === 0
    ? []
    : [`## ${title}\n\n${items.map((item) => `- ${item}`).join("\n")}`];
}

function clipped(text: string): string {
  return text.length <= MAX_PINNED_CHARACTERS ? text : `${text.slice(0, MAX_PINNED_CHARACTERS)} …`;
}

const DECISIONS = /<decisions>([^<]*)<\/decisions>/g;

function decisionsIn(text: string): readonly string[] {
  return [...text.matchAll(DECISIONS)].flatMap(([, lines = ""]) =>
    lines
      .split("\n")
      .map((line) => line.replace(/^\s*[-*]?\s*/, "").trim())
      .filter(Boolean),
  );
}

function withoutDecisions(text: string): string {
  return text.replace(DECISIONS, "").trim();
}

/** The files that the session's calls used, the most recently used last. */
function filesIn({ events }: Session): readonly string[] {
  const files = new Map<string, string>();
  for (const { payload } of events.of(EndToolCall))
    for (const { path, how } of payload.files ?? []) {
      const isChanged = how !== "view" || files.get(path) === "changed";
      files.delete(path);
      files.set(path, isChanged ? "changed" : "read");
    }
  return [...files].slice(-MAX_FILES).map(([path, how]) => `${path} (${how})`);
}
