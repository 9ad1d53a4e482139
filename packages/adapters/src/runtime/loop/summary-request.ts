import { EndToolCall } from "@wink/prompt/adapter";
import type { Session } from "@wink/session";
import type { ContextSummary } from "./context-state.js";
import { clipToTokens, tokensOfText } from "./count-tokens.js";
import type { ModelMessage, ModelRequest } from "./model-client.js";

/** Asks the model to summarise the conversation. Sent after all other messages. */
export const SUMMARISE: ModelMessage = Object.freeze({
  role: "user",
  text: `The conversation is about to be shortened. Do not call tools and do not continue the task now. Write a summary from which you can continue without the earlier messages:
1. The work done so far, with the paths of the files concerned, and the facts you learned.
2. The work in progress, and the next steps.
3. Errors and dead ends, so that you do not repeat them.
Then list every decision that must stay valid, one per line, between <decisions> and </decisions>. Earlier decisions are kept, so list only new ones.`,
});

/**
 * The request for a summary. It begins like the one before it, so it is served from the cache. The schema of the final
 * answer and a forced call would prevent a summary.
 */
export function summaryRequest(request: ModelRequest): ModelRequest {
  const { toolChoice: _, ...settings } = request.settings ?? {};
  return {
    ...request,
    messages: [...request.messages, SUMMARISE],
    outputSchema: null,
    ...(request.settings !== undefined && { settings }),
  };
}

const MAX_FILES = 50;
/** The first message is the task, so it may have half of the tokens of all messages. */
const FIRST_MESSAGE = 0.5;
/** A shorter part of a text is of no use. */
const MIN_PART_TOKENS = 70;
/** The parts of the tokens for pinned messages that the list of files and the model's text may have. */
const FILES = 0.5;
const TEXT = 2;

const SUMMARY = "## Summary\n\n";
/** How many tokens are kept of each call of a removed turn, and of each result. */
const REMOVED_TOKENS = 50;

export interface SummaryFacts {
  /** The model's answer to {@link SUMMARISE}. */
  readonly text: string;
  /** The messages that the summary replaces. */
  readonly replaced: readonly ModelMessage[];
  readonly before: number;
  readonly earlier: ContextSummary | undefined;
  readonly session: Session;
  /** How many tokens the pinned messages may have, and the decisions. */
  readonly maxPinnedTokens: number;
}

/** The message that replaces a part of the conversation. What the user said, files and decisions are pinned. */
export function summaryOf({
  text,
  replaced,
  before,
  earlier,
  session,
  maxPinnedTokens,
}: SummaryFacts): ContextSummary {
  const { pinned } = earlier ?? { pinned: { said: [], decisions: [] } };
  const decisions = newest([...pinned.decisions, ...decisionsIn(text)], maxPinnedTokens);
  const now = replaced.flatMap((message) => (message.role === "user" ? [message.text] : []));
  const said = pinnedMessages([...pinned.said, ...now], maxPinnedTokens);
  const files = newest(filesIn(session), maxPinnedTokens * FILES);
  const written = clipToTokens(withoutDecisions(text), maxPinnedTokens * TEXT);
  const parts = [
    "The earlier part of this conversation was removed to save space. This is what you must know of it.",
    ...list("Messages of the user", said),
    ...list("Files that you have seen or changed", files),
    ...list("Decisions that stay valid", decisions),
    `${SUMMARY}${written || "The summary is missing. Read the files to find out how far the work is."}`,
  ];
  return {
    before,
    pinned: { said, decisions },
    message: { role: "user", text: parts.join("\n\n") },
  };
}

/** What the summary says about a turn that does not fit into the window, after its earlier text. */
export function removedTurn(
  turn: readonly ModelMessage[],
  earlier: ContextSummary | undefined,
): string {
  const calls = turn.flatMap((message) => {
    if (message.role === "user") return [];
    const shown = clipToTokens(message.text, REMOVED_TOKENS);
    if (message.role === "tool") return [`- Result of ${message.toolName}: ${shown}`];
    return message.toolCalls.map(
      ({ toolName, arguments: input }) => `- ${toolName}(${clipToTokens(input, REMOVED_TOKENS)})`,
    );
  });
  const note = "Your last turn was too long, so it was removed. Its calls were made:";
  const [, before = ""] = earlier?.message.text.split(SUMMARY, 2) ?? [];
  return [before, [note, ...calls, "Make smaller calls."].join("\n")].join("\n\n");
}

function list(title: string, items: readonly string[]): readonly string[] {
  return items.length === 0
    ? []
    : [`## ${title}\n\n${items.map((item) => `- ${item}`).join("\n")}`];
}

/** The first message, because it is the task, and as many of the newest as there is room for. */
function pinnedMessages(said: readonly string[], maxTokens: number): readonly string[] {
  const [first, ...later] = said;
  if (first === undefined) return [];
  const task = clipToTokens(first, maxTokens * FIRST_MESSAGE);
  return [task, ...newest(later, Math.max(0, maxTokens - tokensOfText(task)))];
}

/** The last texts, as many as there is room for. Of the oldest one that is kept, a part may be missing. */
function newest(texts: readonly string[], maxTokens: number): readonly string[] {
  const kept: string[] = [];
  let left = maxTokens;
  for (const text of texts.toReversed()) {
    const shown = clipToTokens(text, left);
    if (left < MIN_PART_TOKENS && shown !== text) break;
    kept.unshift(shown);
    left -= tokensOfText(shown);
  }
  return kept;
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
