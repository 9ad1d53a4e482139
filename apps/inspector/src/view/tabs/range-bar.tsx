import type { ComponentChildren } from "preact";
import { rangesOf, type Selection } from "../list/selection.js";
import type { Range } from "../route/route.js";
import { useInspector } from "../state/inspector.js";

const NAMES: Readonly<Record<Range, string>> = {
  call: "this call",
  turn: "this turn",
  start: "since start",
  pins: "A → B",
};

interface RangeBarProps {
  readonly selection: Selection;
  readonly info?: ComponentChildren;
}

/** Chooses the two events that are compared. */
export function RangeBar({ selection, info }: RangeBarProps) {
  const inspector = useInspector();
  const { range } = inspector.route.value;
  const ranges = rangesOf(selection);
  const shown = ranges.includes(range) ? range : (ranges[0] ?? "start");
  return (
    <div class="bar">
      <div class="segments" role="radiogroup" aria-label="Compared range">
        {ranges.map((each) => (
          <button
            key={each}
            type="button"
            role="radio"
            aria-checked={each === shown}
            onClick={() =>
              inspector.go({ range: each, ...(each === "pins" ? inspector.span.value : {}) })
            }
          >
            {NAMES[each]}
          </button>
        ))}
      </div>
      <PinField name="a" />
      <PinField name="b" />
      <div class="right">{info}</div>
    </div>
  );
}

/** The event number of a pin. Writing one compares the two pins. */
function PinField({ name }: { readonly name: "a" | "b" }) {
  const inspector = useInspector();
  const { a, b } = inspector.span.value;
  const last =
    inspector.indexes.value.get(inspector.selection.value?.run ?? "")?.overview.lastSequence ?? 0;
  return (
    <label class="pin-field">
      {name.toUpperCase()}
      <input
        type="number"
        min="0"
        max={last}
        value={name === "a" ? a : b}
        onKeyDown={(event) => event.key === "Enter" && event.currentTarget.blur()}
        onChange={(event) => {
          const value = Math.min(
            last,
            Math.max(0, Math.round(event.currentTarget.valueAsNumber || 0)),
          );
          inspector.go({ a, b, range: "pins", [name]: value });
        }}
      />
    </label>
  );
}
