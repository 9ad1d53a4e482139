import type { RunKey, TurnRow } from "../../model/run-overview.js";
import type { MessageView, PromptView } from "../../model/run-views.js";
import type { RunSource } from "../../source/run-source.js";
import { DiffList } from "../diff/diff-list.js";
import { useAnswer } from "../state/use-answer.js";

/** A turn with its request. */
interface TurnRequest {
  readonly turn: TurnRow;
  readonly view: PromptView;
}

interface LastMessageProps {
  readonly run: RunKey;
  readonly now: TurnRequest;
  readonly before: TurnRequest | undefined;
}

/**
 * The last message of the request, if the loop wrote it. Sections that changed since the first request are there,
 * because the text before them stays the same for the provider's cache.
 */
export function LastMessage({ run, now, before }: LastMessageProps) {
  const mine = useAnswer(questionOf(run, now), (source) => lastOf(source, run, now));
  const earlier = useAnswer(before && questionOf(run, before), (source) =>
    before ? lastOf(source, run, before) : Promise.resolve(undefined),
  );
  const [text, old] = [textOf(mine.value), textOf(before && earlier.value)];
  if (text === "") return null;
  const file = {
    path: "last message.md",
    label: text === old ? "unchanged" : "changed",
    isOpen: true,
  };
  return (
    <section class="block" aria-label="Last message of the request">
      <DiffList
        label="Changes of the last message"
        files={[{ ...file, before: old, after: text }]}
        onToggle={() => {}}
      />
    </section>
  );
}

function questionOf(run: RunKey, { turn, view }: TurnRequest): string {
  return `${run}/last/${turn.index}/${view.messages}`;
}

async function lastOf(
  source: RunSource,
  run: RunKey,
  { turn, view: { messages } }: TurnRequest,
): Promise<MessageView | undefined> {
  if (messages === 0) return undefined;
  return (await source.messages(run, turn.from, messages - 1, messages)).messages[0];
}

function textOf(message: MessageView | undefined): string {
  return message?.role === "user" ? `${message.text}\n` : "";
}
