import type { CallRow } from "../../model/run-overview.js";
import { EVENT_FLAGS } from "../../model/run-overview.js";
import { Text } from "../code/text.js";
import { formatDuration, plural } from "../format/numbers.js";
import { type Row, rowName } from "../list/rows.js";
import type { RunIndex } from "../list/run-index.js";
import { useInspector } from "../state/inspector.js";

export const ROW_HEIGHT = 28;

interface RowViewProps {
  readonly row: Row;
  readonly position: number;
  readonly count: number;
  readonly isSelected: boolean;
}

/** One row of the list. */
export function RowView({ row, position, count, isSelected }: RowViewProps) {
  const inspector = useInspector();
  const { kind, depth, isOpen } = row;
  const index = inspector.indexes.value.get(row.run);
  const call = kind === "call" ? index?.overview.calls[row.index] : undefined;
  return (
    <div
      id={`row-${rowName(row, "").replaceAll(/[^\w-]/g, "-")}`}
      role="treeitem"
      class={`row ${kind} ${call?.undone ? "is-undone" : ""}`}
      style={{ paddingLeft: `${8 + depth * 16}px` }}
      aria-level={depth + 1}
      aria-setsize={count}
      aria-posinset={position + 1}
      aria-selected={isSelected}
      aria-expanded={isOpen}
      onClick={() => inspector.chooseRow(row)}
      onDblClick={() => inspector.toggle(row)}
    >
      <span
        class="twist"
        aria-hidden="true"
        onClick={(event) => {
          event.stopPropagation();
          inspector.toggle(row);
        }}
      >
        {isOpen === undefined ? "" : isOpen ? "▾" : "▸"}
      </span>
      {index === undefined ? (
        <span class="dim">Loading the subagent's run …</span>
      ) : (
        <RowBody row={row} index={index} call={call} />
      )}
    </div>
  );
}

interface BodyProps {
  readonly row: Row;
  readonly index: RunIndex;
  readonly call: CallRow | undefined;
}

function RowBody({ row, index, call }: BodyProps) {
  if (call !== undefined) return <CallBody call={call} index={index} />;
  if (row.kind === "turn") return <TurnBody row={row} index={index} />;
  if (row.kind === "event") return <EventBody row={row} index={index} />;
  if (row.kind === "process") {
    const { process, reason } = index.overview.processes[row.index] ?? {};
    return (
      <span class="dim">
        process {process} · {reason}
      </span>
    );
  }
  const { run, prompt, status } = index.overview.evaluations[row.index] ?? {};
  return (
    <b>
      Run {run}{" "}
      <span class="dim">
        {prompt} · {status}
      </span>
    </b>
  );
}

function TurnBody({ row, index }: Omit<BodyProps, "call">) {
  const turn = index.overview.turns[row.index];
  if (turn === undefined) return null;
  const { askedAt, endedAt, answeredAt, retries, text } = turn;
  const end = endedAt ?? answeredAt;
  return (
    <>
      <span class="name">Turn {turn.turn + 1}</span>
      <span class="words cut-end">{text === "" ? "" : <Text text={text} />}</span>
      <span class="end">
        {retries.length > 0 && (
          <span class="badge bad">
            {plural(retries.length, "retry").replace("retrys", "retries")}
          </span>
        )}
        <Pins from={turn.from} to={turn.to} />
        <span class="number">
          {end === null ? <span class="pulse">…</span> : formatDuration(end - askedAt)}
        </span>
      </span>
    </>
  );
}

const SIGNS: Readonly<Record<string, readonly [string, string]>> = {
  succeeded: ["✓", "good"],
  active: ["◌", "pulse dim"],
  denied: ["⊘", "bad"],
  refused: ["⊘", "bad"],
};

function CallBody({ call, index }: { readonly call: CallRow; readonly index: RunIndex }) {
  const [sign, tone] = SIGNS[call.status] ?? ["✗", "bad"];
  const waits = index.overview.approvals.some(
    ({ toolCallId, status }) => toolCallId === call.toolCallId && status === "waiting",
  );
  return (
    <>
      <span class={`state ${tone}`}>
        <span aria-hidden="true">{sign}</span>
        <span class="visually-hidden">{call.status}</span>
      </span>
      <span class="name mono">{call.tool}</span>
      <span class="cut-end dim">{call.path === null ? "" : <Text text={call.path} />}</span>
      <span class="end">
        {waits && <span class="badge undone">needs approval</span>}
        {call.child !== null && <span class="badge changed">subagent</span>}
        {call.undone !== null && (
          <span class="badge undone">
            ↩ {call.undone.paths + call.undone.events > 0 ? call.undone.paths || "" : ""} undone
          </span>
        )}
        {call.changes > 0 && <span class="badge changed">{plural(call.changes, "change")}</span>}
        <Pins from={call.start} to={call.end ?? call.start} />
        <span class="number">{call.end === null ? "…" : formatDuration(call.ranMs)}</span>
      </span>
    </>
  );
}

function EventBody({ row, index }: Omit<BodyProps, "call">) {
  const flags = index.flagsOf(row.index);
  const tone = flags & EVENT_FLAGS.undone ? "undone" : flags & EVENT_FLAGS.failed ? "bad" : "";
  return (
    <>
      <span class="number mono" style={{ minWidth: "44px" }}>
        {row.index}
      </span>
      <span class={`name mono cut-end ${tone}`}>{index.typeOf(row.index)}</span>
      <span class="end">
        {flags & EVENT_FLAGS.undone ? <span class="badge undone">undone</span> : null}
        <Pins from={row.index} to={row.index} />
        <span class="number">+{formatDuration(index.timeOf(row.index))}</span>
      </span>
    </>
  );
}

/** The marks A and B of the two events that the user compares. */
function Pins({ from, to }: { readonly from: number; readonly to: number }) {
  const { range, a, b } = useInspector().route.value;
  if (range !== "pins") return null;
  const has = (pin: number | undefined) => pin !== undefined && pin >= from && pin <= to;
  return (
    <>
      {has(a) && <span class="badge pin">A</span>}
      {has(b) && <span class="badge pin">B</span>}
    </>
  );
}
