import type { ChangeList } from "../../model/run-views.js";
import { FileChanges } from "../diff/file-changes.js";
import { plural } from "../format/numbers.js";
import type { Selection } from "../list/selection.js";
import { Empty, Pending } from "../parts/pending.js";
import { useInspector } from "../state/inspector.js";
import { useAnswer } from "../state/use-answer.js";
import { RangeBar } from "./range-bar.js";

/** What changed in the files between two events. */
export function ChangesTab({ selection }: { readonly selection: Selection }) {
  const inspector = useInspector();
  const { run, call } = selection;
  const { a, b } = inspector.span.value;
  const { range } = inspector.route.value;
  const answer = useAnswer(`${run}/${b}/changes/${a}`, (source) =>
    source.changes(run, { event: a }, { event: b }),
  );
  const isUndone = range === "call" && call?.undone != null && call.end !== null;
  return (
    <>
      <RangeBar selection={selection} info={<Totals list={answer.value} />} />
      <Pending answer={answer} what="changes">
        {(list) =>
          list.total > 0 ? (
            <FileChanges run={run} list={list} label={`Changes from event ${a} to ${b}`} fills />
          ) : isUndone ? (
            <UndoneChanges run={run} end={call.end ?? 0} />
          ) : (
            <NoChanges />
          )
        }
      </Pending>
    </>
  );
}

function Totals({ list }: { readonly list: ChangeList | undefined }) {
  if (list === undefined) return null;
  return (
    <span class="dim">
      {plural(list.total, "file")} · {list.from.slice(0, 7)} {list.from === list.to ? "=" : "→"}{" "}
      {list.to.slice(0, 7)}
    </span>
  );
}

function NoChanges() {
  const inspector = useInspector();
  return (
    <Empty title="No file changed here">
      The files are the same at both events.{" "}
      <button type="button" class="link" onClick={() => inspector.go({ range: "start" })}>
        Compare with the start of the run
      </button>
    </Empty>
  );
}

/** What a call had changed before it was rolled back. */
export function UndoneChanges({ run, end }: { readonly run: string; readonly end: number }) {
  const answer = useAnswer(`${run}/${end}/undone`, (source) =>
    source.changes(run, { event: end }, { event: end, undone: true }),
  );
  return (
    <Pending answer={answer} what="undone changes">
      {(list) => (
        <>
          <p class="note undone">
            ↩ This was undone: {plural(list.total, "file")} had changed when the call was rolled
            back. The files are now as they were before the call.
          </p>
          <FileChanges run={run} list={list} label="Undone changes" fills />
        </>
      )}
    </Pending>
  );
}
