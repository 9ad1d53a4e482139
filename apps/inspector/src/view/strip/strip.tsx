import { useMemo } from "preact/hooks";
import { formatDuration } from "../format/numbers.js";
import type { RunIndex } from "../list/run-index.js";
import { useInspector } from "../state/inspector.js";
import { type StripTurn, stripTurns } from "./strip-geometry.js";

const WIDTH = 1000;
const TOP = 12;
const HEIGHT = 28;
const LEGEND = [
  ["model", "model"],
  ["tool", "tools"],
  ["waiting", "waiting"],
  ["failed", "failed"],
  ["undone", "undone"],
] as const;

/** All turns from left to right, with what took their time. */
export function Strip({ index }: { readonly index: RunIndex }) {
  const inspector = useInspector();
  const { overview } = index;
  const turns = useMemo(() => stripTurns(overview), [overview]);
  const chosen = inspector.selection.value;
  const isRoot = chosen?.run === inspector.root.value;
  const { a, b } = inspector.span.value;
  const current = turns.findLast((turn) => isRoot && turn.index <= (chosen?.turn?.index ?? -1));
  const hasBudget = turns.some(({ used }) => used !== undefined);
  if (turns.length === 0)
    return (
      <section class="strip dim" aria-label="Time of the turns">
        This run has no turns.
      </section>
    );
  return (
    <section class="strip" aria-label="Time of the turns">
      <svg viewBox={`0 0 ${WIDTH} 46`} preserveAspectRatio="none" aria-hidden="true">
        {turns.map((turn) => (
          <g
            key={turn.index}
            class={turn === current ? "selected" : ""}
            onClick={() => inspector.choose(`t${turn.index}`, "push")}
          >
            <title>{describe(turn)}</title>
            <TurnBox turn={turn} />
          </g>
        ))}
        {hasBudget && <BudgetLine turns={turns} />}
        <Pin at={xOf(turns, index, a)} />
        <Pin at={xOf(turns, index, b)} />
      </svg>
      <div class="legend">
        {LEGEND.map(([kind, name]) => (
          <span key={kind}>
            <i class={`fill-${kind}`} />
            {name}
          </span>
        ))}
        {hasBudget && (
          <span class="bad">— used part of the limit, at the top when all is used</span>
        )}
        <span class="end">
          {current ? describe(current) : `${turns.length} turns`} · A {a} → B {b}
        </span>
      </div>
    </section>
  );
}

function TurnBox({ turn }: { readonly turn: StripTurn }) {
  const [left, width] = [turn.x * WIDTH, Math.max(1, turn.width * WIDTH - 2)];
  let x = left + 1;
  return (
    <>
      <rect class="turn-box" x={left} y={TOP} width={width} height={HEIGHT} rx="2" />
      {turn.parts.map(({ kind, durationMs }) => {
        const share = turn.durationMs > 0 ? durationMs / turn.durationMs : 0;
        const partWidth = Math.max(durationMs > 0 ? 1 : 0, share * (width - 2));
        const rect = (
          <rect
            key={kind}
            class={`fill-${kind}`}
            x={x}
            y={TOP + 8}
            width={partWidth}
            height={HEIGHT - 14}
          />
        );
        x += partWidth;
        return rect;
      })}
    </>
  );
}

function BudgetLine({ turns }: { readonly turns: readonly StripTurn[] }) {
  const y = (used: number) => TOP + HEIGHT - Math.min(1, used) * HEIGHT;
  const points = turns.flatMap(({ x, width, used = 0 }) => [`${(x + width) * WIDTH},${y(used)}`]);
  return <polyline class="budget-line" points={`0,${y(0)} ${points.join(" ")}`} />;
}

function Pin({ at }: { readonly at: number }) {
  const x = at * WIDTH;
  return <path class="pin-mark" d={`M${x - 4} 0h8l-4 8z`} />;
}

/** Where an event is along the strip. */
function xOf(turns: readonly StripTurn[], index: RunIndex, sequence: number): number {
  const turn = index.turnOf(sequence) ?? -1;
  const box = turns.findLast((each) => each.index <= turn);
  if (box === undefined) return 0.004;
  const { from = 0, to = 0 } = index.overview.turns[box.index] ?? {};
  const inside = to > from ? Math.min(1, Math.max(0, (sequence - from) / (to - from))) : 1;
  return Math.min(0.996, box.x + box.width * inside);
}

function describe({ index, parts }: StripTurn): string {
  const times = parts.map(({ kind, durationMs }) => `${kind} ${formatDuration(durationMs)}`);
  return `turn ${index + 1}: ${times.join(", ")}`;
}
