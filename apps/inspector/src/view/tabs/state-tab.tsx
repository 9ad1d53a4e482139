import { useMemo } from "preact/hooks";
import type { SliceView, StateView } from "../../model/run-views.js";
import { DiffList } from "../diff/diff-list.js";
import type { Selection } from "../list/selection.js";
import { JsonView } from "../parts/json-view.js";
import { Empty, Pending } from "../parts/pending.js";
import { useInspector } from "../state/inspector.js";
import { useAnswer } from "../state/use-answer.js";
import { RangeBar } from "./range-bar.js";

/** The session's slices after event B, and their differences since event A. */
export function StateTab({ selection }: { readonly selection: Selection }) {
  const inspector = useInspector();
  const { run } = selection;
  const { a, b } = inspector.span.value;
  const before = useAnswer(`${run}/${a}/state`, (source) => source.state(run, a));
  const after = useAnswer(`${run}/${b}/state`, (source) => source.state(run, b));
  return (
    <>
      <RangeBar
        selection={selection}
        info={
          <span class="dim">
            slices after event {b}, compared with event {a}
          </span>
        }
      />
      <Pending answer={after} what="the state">
        {(state) => (
          <Pending answer={before} what="the state">
            {(earlier) => <Slices before={earlier} after={state} />}
          </Pending>
        )}
      </Pending>
    </>
  );
}

interface SlicesProps {
  readonly before: StateView;
  readonly after: StateView;
}

function Slices({ before, after }: SlicesProps) {
  const inspector = useInspector();
  const named = new Map(before.slices.map((slice) => [slice.name, slice]));
  const chosen = inspector.route.value.slice;
  const texts = useMemo(
    () => after.slices.map((slice) => [textOf(named.get(slice.name)), textOf(slice)] as const),
    [before, after],
  );
  const changed = (index: number) => texts[index]?.[0] !== texts[index]?.[1];
  const found = after.slices.findIndex(({ name }) => name === chosen);
  const first = after.slices.findIndex((_, index) => changed(index));
  const current = found >= 0 ? found : Math.max(0, first);
  const slice = after.slices[current];
  if (slice === undefined)
    return <Empty title="No slice has a value">The session is empty at this event.</Empty>;
  const [one = "", two = ""] = texts[current] ?? [];
  return (
    <div class="split">
      <nav aria-label="Slices">
        <div class="tree">
          {after.slices.map(({ name }, index) => (
            <button
              key={name}
              type="button"
              class="tree-row slice"
              aria-current={index === current}
              onClick={() => inspector.go({ slice: name })}
            >
              <span class="mark">{changed(index) ? "●" : ""}</span>
              <span class="cut-end mono">{name}</span>
              <span class="size">{changed(index) ? "changed" : ""}</span>
            </button>
          ))}
        </div>
      </nav>
      <section aria-label={`Slice ${slice.name}`}>
        <div class="scrolls" tabIndex={0} role="region" aria-label={`Value of ${slice.name}`}>
          {changed(current) ? (
            <DiffList
              label={`Changes of ${slice.name}`}
              files={[
                {
                  path: `${slice.name}.json`,
                  label: "changed",
                  isOpen: true,
                  before: one,
                  after: two,
                },
              ]}
              onToggle={() => {}}
            />
          ) : (
            <p class="note">This slice did not change in the range.</p>
          )}
          {slice.isCut ? <p class="note">The value is too large to show whole.</p> : null}
          <JsonView value={slice.value} />
        </div>
      </section>
    </div>
  );
}

function textOf(slice: SliceView | undefined): string {
  if (slice === undefined) return "";
  return slice.isCut ? `${slice.value}` : `${JSON.stringify(slice.value, null, 2)}\n`;
}
