import type { CallRow } from "../../model/run-overview.js";
import type { CallView } from "../../model/run-views.js";
import { formatDuration, plural } from "../format/numbers.js";
import type { Selection } from "../list/selection.js";
import { JsonView } from "../parts/json-view.js";
import { LongText } from "../parts/long-text.js";
import { Empty, Pending } from "../parts/pending.js";
import { useInspector } from "../state/inspector.js";
import { useAnswer } from "../state/use-answer.js";
import { UndoneChanges } from "./changes-tab.js";

/** One tool call: input, answer, policy, and what was undone. */
export function CallTab({ selection }: { readonly selection: Selection }) {
  const { run, call, sequence } = selection;
  const answer = useAnswer(
    call && `${run}/${call.end ?? sequence}/call/${call.index}/${call.status}`,
    (source) => source.call(run, call?.index ?? 0),
  );
  if (call === undefined)
    return (
      <Empty title="No call is selected">
        Select a call in the list, or press n for the next problem.
      </Empty>
    );
  return (
    <Pending answer={answer} what="the call">
      {(view) => (
        <>
          <CallFacts call={call} view={view} />
          <section class="block">
            <h2>Input</h2>
            {view.input === undefined || view.input === null ? (
              <p class="note">The transcript has no input.</p>
            ) : (
              <JsonView value={view.input} />
            )}
          </section>
          <section class="block">
            <h2>Answer, as the model saw it</h2>
            {view.answer === null ? (
              <p class="note">
                {call.end === null ? "The call is still running." : "The transcript has no answer."}
              </p>
            ) : (
              <LongText text={view.answer} />
            )}
            {view.isCut && <p class="note">The answer is longer than this page shows.</p>}
          </section>
          <Errors view={view} />
          {view.undone && (
            <section class="block">
              <h2>Undone</h2>
              <UndoneFacts call={call} view={view} undone={view.undone} />
              {view.undone.hasFiles && call.end !== null ? (
                <UndoneChanges run={run} end={call.end} />
              ) : (
                <p class="note">
                  {view.undone.paths.length > 0
                    ? view.undone.paths.join(", ")
                    : "The call had changed no file."}
                </p>
              )}
            </section>
          )}
        </>
      )}
    </Pending>
  );
}

function CallFacts({ call, view }: { readonly call: CallRow; readonly view: CallView }) {
  const inspector = useInspector();
  const { child } = view;
  return (
    <dl class="pairs">
      <dt>tool</dt>
      <dd>
        <b class="mono">{call.tool}</b>{" "}
        <span class="dim">
          {call.toolCallId} · {call.access}
        </span>
      </dd>
      <dt>status</dt>
      <dd class={call.isFailed ? "bad" : "good"}>
        {call.status}
        {call.undone ? ", undone" : ""}
      </dd>
      {view.reason !== null && (
        <>
          <dt>{call.status === "denied" || call.status === "refused" ? "policy" : "reason"}</dt>
          <dd>{view.reason}</dd>
        </>
      )}
      <dt>time</dt>
      <dd>
        ran {formatDuration(call.ranMs)}, waited {formatDuration(call.queuedMs)}
      </dd>
      <dt>events</dt>
      <dd>
        {call.start} – {call.end ?? "…"}
      </dd>
      {view.files.length > 0 && (
        <>
          <dt>files</dt>
          <dd>
            {view.files.map(({ path, how, lines }) => (
              <div key={`${how}${path}`}>
                <button
                  type="button"
                  class="link mono"
                  onClick={() => inspector.go({ tab: "files", path }, "push")}
                >
                  {path}
                </button>{" "}
                <span class="dim">
                  {how}
                  {lines ? `, lines ${lines.join("–")}` : ""}
                </span>
              </div>
            ))}
          </dd>
        </>
      )}
      {child !== null && (
        <>
          <dt>subagent</dt>
          <dd>
            <button type="button" class="link" onClick={() => void openChild(inspector, child)}>
              Open its run
            </button>
          </dd>
        </>
      )}
    </dl>
  );
}

async function openChild(inspector: ReturnType<typeof useInspector>, child: string): Promise<void> {
  await inspector.load(child);
  inspector.choose(inspector.nameOf(child, "turn", 0), "push");
}

function Errors({ view }: { readonly view: CallView }) {
  if (view.errors.length === 0 && view.thrown == null) return null;
  return (
    <section class="block">
      <h2>Errors</h2>
      {view.errors.map(({ where, name, message }, index) => (
        <p class="note" key={index}>
          <b class="bad">{name}</b> {message} <span class="dim">{where}</span>
        </p>
      ))}
      {view.thrown != null && <JsonView value={view.thrown} />}
    </section>
  );
}

interface UndoneFactsProps {
  readonly call: CallRow;
  readonly view: CallView;
  readonly undone: NonNullable<CallView["undone"]>;
}

/** Why the call was rolled back, and that the files are as before. */
function UndoneFacts({ view, undone }: UndoneFactsProps) {
  const { stateBefore, stateAfter } = view;
  return (
    <dl class="pairs">
      <dt>why</dt>
      <dd>{undone.reason}</dd>
      <dt>session</dt>
      <dd>{plural(undone.events, "event")} removed</dd>
      {stateBefore !== null && stateAfter !== null && (
        <>
          <dt>files</dt>
          <dd class={stateBefore === stateAfter ? "good" : "bad"}>
            before {stateBefore === stateAfter ? "=" : "≠"} after{" "}
            <span class="mono dim">
              {stateBefore.slice(0, 7)} {stateAfter.slice(0, 7)}
            </span>
          </dd>
        </>
      )}
      {!undone.complete && (
        <>
          <dt class="bad">incomplete</dt>
          <dd>Not everything could be undone.</dd>
        </>
      )}
    </dl>
  );
}
