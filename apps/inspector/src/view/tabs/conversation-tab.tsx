import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { MessageView } from "../../model/run-views.js";
import { plural } from "../format/numbers.js";
import type { Selection } from "../list/selection.js";
import { JsonView } from "../parts/json-view.js";
import { LongText } from "../parts/long-text.js";
import { Empty, Pending } from "../parts/pending.js";
import { useInspector } from "../state/inspector.js";
import { useAnswer } from "../state/use-answer.js";

const PAGE = 40;

/** The conversation up to the selected event. The newest messages are at the end. */
export function ConversationTab({ selection }: { readonly selection: Selection }) {
  const { run, sequence } = selection;
  const [pages, setPages] = useState(1);
  const count = useAnswer(`${run}/${sequence}/messages`, (source) =>
    source.messages(run, sequence, 0, 0),
  );
  const total = count.value?.total;
  const from = Math.max(0, (total ?? 0) - pages * PAGE);
  const answer = useAnswer(
    total === undefined ? undefined : `${run}/${sequence}/messages/${from}`,
    (source) => source.messages(run, sequence, from, Math.min(total ?? 0, from + 200)),
  );
  const list = useRef<HTMLDivElement>(null);
  const isLoaded = answer.value !== undefined;
  useLayoutEffect(() => {
    list.current?.querySelector(".now")?.scrollIntoView({ block: "start" });
  }, [run, sequence, isLoaded]);
  if (count.problem !== undefined) return <p class="failure">{count.problem}</p>;
  if (total === 0)
    return (
      <Empty title="No messages yet">The model had not been asked anything at this event.</Empty>
    );
  return (
    <Pending answer={answer} what="the conversation">
      {({ messages }) => (
        <div ref={list}>
          {from > 0 && (
            <p class="note">
              <button type="button" class="link" onClick={() => setPages(pages + 1)}>
                Show earlier messages ({from} more)
              </button>
            </p>
          )}
          {messages.map((message, index) => (
            <Message
              key={`${from + index}${message.id}`}
              message={message}
              turn={selection.turn?.index}
            />
          ))}
          <p class="note">
            {plural(total ?? 0, "message")} at event {sequence}
          </p>
        </div>
      )}
    </Pending>
  );
}

interface MessageProps {
  readonly message: MessageView;
  readonly turn: number | undefined;
}

function Message({ message, turn }: MessageProps) {
  const inspector = useInspector();
  const { role, text, toolCalls, toolName, toolCallId, success, other } = message;
  const run = inspector.selection.value?.run ?? "";
  const isNow = message.turn !== null && message.turn === turn;
  return (
    <article class={`message ${role} ${isNow ? "now" : ""}`}>
      <h2>
        <b>{role === "assistant" ? "model" : role}</b>
        {toolName !== null && <span class="mono">{toolName}</span>}
        {success === false && <span class="bad">failed</span>}
        <span class="dim">{toolCallId}</span>
        {message.turn !== null && (
          <button
            type="button"
            class="link"
            onClick={() =>
              inspector.choose(inspector.nameOf(run, "turn", message.turn ?? 0), "push")
            }
          >
            turn {message.turn + 1}
          </button>
        )}
      </h2>
      {text !== "" && <LongText text={text} />}
      {message.isCut && <p class="note">The text is longer than this page shows.</p>}
      {toolCalls.map(({ id, name, input }) => (
        <div key={id}>
          <p class="note">
            calls <b class="mono">{name}</b> <span class="dim">{id}</span>
          </p>
          <JsonView value={input} />
        </div>
      ))}
      {Object.keys(other).length > 0 && <JsonView value={other} />}
    </article>
  );
}
