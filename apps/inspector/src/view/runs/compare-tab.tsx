import { useEffect, useMemo } from "preact/hooks";
import { type ComparedCall, type Comparison, compareRuns } from "../../model/compare-runs.js";
import type { RunOverview } from "../../model/run-overview.js";
import type { PromptView } from "../../model/run-views.js";
import { DiffList } from "../diff/diff-list.js";
import { formatCost, formatDuration, formatShort, formatTime } from "../format/numbers.js";
import { Empty, Pending } from "../parts/pending.js";
import { useInspector } from "../state/inspector.js";
import { useAnswer } from "../state/use-answer.js";
import { Sections } from "../tabs/prompt-tab.js";
import { VirtualList } from "../virtual/virtual-list.js";
import { firstDifferentMessage, type RequestPlace, textOf } from "./first-message.js";

/** Two runs side by side, aligned by their calls, with the first request that differs. */
export function CompareTab() {
  const inspector = useInspector();
  const { runs, compare: given } = inspector.info;
  const root = inspector.root.value;
  const others = runs.filter(({ key }) => key !== root);
  const chosen = inspector.route.value.compare ?? given ?? undefined;
  const other = others.some(({ key }) => key === chosen) ? chosen : undefined;
  useEffect(() => {
    if (other !== undefined) void inspector.load(other);
  }, [other, inspector]);
  const [left, right] = [
    inspector.index.value?.overview,
    inspector.indexes.value.get(other ?? "")?.overview,
  ];
  if (others.length === 0)
    return (
      <Empty title="Only one run is open">
        Open two with <code>wink inspect RUN --compare OTHER</code>, or a directory with several
        runs. A replay of the same run shows here the first request that differs.
      </Empty>
    );
  return (
    <>
      <div class="bar">
        <label>
          compare with{" "}
          <select
            value={other ?? ""}
            onChange={(event) => inspector.go({ compare: event.currentTarget.value || undefined })}
          >
            <option value="">choose a run</option>
            {others.map(({ key, agent, model, startedAt, id }) => (
              <option key={key} value={key}>
                {[agent ?? id, model, formatTime(startedAt)].filter(Boolean).join(" · ")}
              </option>
            ))}
          </select>
        </label>
      </div>
      {left && right ? (
        <Compared left={left} right={right} />
      ) : (
        <Empty title={other === undefined ? "Choose the other run" : "Loading the other run …"} />
      )}
    </>
  );
}

function Compared({ left, right }: { readonly left: RunOverview; readonly right: RunOverview }) {
  const inspector = useInspector();
  const comparison = useMemo(() => compareRuns(left, right), [left, right]);
  const first = comparison.firstRequest?.left;
  useEffect(() => {
    if (first != null && inspector.route.peek().at === undefined) inspector.go({ at: `t${first}` });
  }, [first, inspector]);
  return (
    <div class="scrolls" tabIndex={0} role="region" aria-label="Comparison">
      <Numbers left={left} right={right} />
      <FirstRequest left={left} right={right} first={comparison.firstRequest} />
      <section class="block">
        <h2>Calls</h2>
        <VirtualList
          class="compare-rows"
          role="list"
          aria-label="Calls of both runs"
          tabIndex={0}
          count={comparison.rows.length}
          rowHeight={28}
          style={{ height: `${Math.min(12, comparison.rows.length) * 28}px` }}
          row={(at) => {
            const row = comparison.rows[at];
            return row && <CallPair key={at} row={row} left={left} right={right} />;
          }}
        />
      </section>
    </div>
  );
}

const SIGNS: Readonly<Record<ComparedCall["type"], readonly [string, string, string]>> = {
  same: ["=", "dim", "the same"],
  input: ["≠", "undone", "another input"],
  outcome: ["≠", "bad", "another outcome"],
  left: ["−", "bad", "only in this run"],
  right: ["+", "good", "only in the other run"],
};

interface PairProps {
  readonly row: ComparedCall;
  readonly left: RunOverview;
  readonly right: RunOverview;
}

function CallPair({ row, left, right }: PairProps) {
  const inspector = useInspector();
  const [sign, tone, words] = SIGNS[row.type];
  const cell = (overview: RunOverview, at: number | null) => {
    const call = at === null ? undefined : overview.calls[at];
    if (call === undefined) return <span class="dim">–</span>;
    return (
      <span class="cut-end">
        <b class="mono">{call.tool}</b> {call.undone ? <span class="undone">↩ </span> : null}
        <span class="dim mono">{call.input}</span>
      </span>
    );
  };
  return (
    <div
      role="listitem"
      class="compare-row"
      onClick={() => row.left !== null && inspector.choose(`c${row.left}`, "push")}
    >
      <span class={tone} title={words}>
        {sign}
        <span class="visually-hidden">{words}</span>
      </span>
      {cell(left, row.left)}
      {cell(right, row.right)}
    </div>
  );
}

function Numbers({ left, right }: { readonly left: RunOverview; readonly right: RunOverview }) {
  const rows = [left, right].map(({ summary }) => {
    const { usage, startedAt, endedAt } = summary;
    return [
      summary.status,
      `${summary.turns}`,
      `${summary.calls}`,
      `${summary.failedCalls}`,
      `${summary.undoneCalls}`,
      `${summary.changedFiles ?? "–"}`,
      formatShort(usage.inputTokens + usage.outputTokens),
      usage.costUsd === null ? "–" : formatCost(usage.costUsd),
      endedAt === null ? "–" : formatDuration(endedAt - startedAt),
    ];
  });
  const names = ["end", "turns", "calls", "failed", "undone", "files", "tokens", "cost", "time"];
  return (
    <table>
      <thead>
        <tr>
          <th>run</th>
          {names.map((name) => (
            <th key={name} class="number">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((cells, index) => (
          <tr key={index}>
            <th scope="row">{index === 0 ? "this run" : "the other run"}</th>
            {cells.map((cell, at) => (
              <td key={names[at]} class="number">
                {cell}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface FirstRequestProps {
  readonly left: RunOverview;
  readonly right: RunOverview;
  readonly first: Comparison["firstRequest"];
}

/** The replay check: the first request that is not the same in both runs. */
function FirstRequest({ left, right, first }: FirstRequestProps) {
  const inspector = useInspector();
  const ask = (overview: RunOverview, turn: number | null) =>
    turn === null ? undefined : `${overview.summary.key}/prompt/${turn}`;
  const one = useAnswer(ask(left, first?.left ?? null), (source) =>
    source.prompt(left.summary.key, first?.left ?? 0),
  );
  const two = useAnswer(ask(right, first?.right ?? null), (source) =>
    source.prompt(right.summary.key, first?.right ?? 0),
  );
  if (first === null)
    return (
      <section class="block">
        <h2>Replay check</h2>
        <p class="note good">
          ✓ All {left.turns.length} requests are equal: a replay would get the same answers.
        </p>
      </section>
    );
  const turn = (first.left ?? first.right ?? 0) + 1;
  return (
    <section class="block">
      <h2>Replay check</h2>
      <p class="note">
        <span class="undone">≠ The requests differ from turn {turn} on.</span>{" "}
        {first.left !== null && (
          <button
            type="button"
            class="link"
            onClick={() => inspector.choose(`t${first.left}`, "push")}
          >
            Go to turn {turn}
          </button>
        )}
        {first.left === null && " This run ended before it."}
        {first.right === null && " The other run ended before it."}
      </p>
      {first.left !== null && first.right !== null && (
        <Pending answer={one} what="the request">
          {(view) => (
            <Pending answer={two} what="the other request">
              {(other) => (
                <>
                  <Sections view={view} before={other} />
                  <FirstMessage
                    left={placeOf(left, first.left, view)}
                    right={placeOf(right, first.right, other)}
                  />
                </>
              )}
            </Pending>
          )}
        </Pending>
      )}
    </section>
  );
}

function placeOf(
  { summary, turns }: RunOverview,
  turn: number | null,
  { messages }: PromptView,
): RequestPlace {
  return { run: summary.key, sequence: turns[turn ?? 0]?.from ?? 0, messages };
}

/** The first message that differs between two requests, as a diff from the other run to this one. */
function FirstMessage({
  left,
  right,
}: {
  readonly left: RequestPlace;
  readonly right: RequestPlace;
}) {
  const answer = useAnswer(`message/${JSON.stringify([left, right])}`, (source) =>
    firstDifferentMessage(source, left, right),
  );
  if (answer.value === undefined)
    return answer.problem === undefined ? null : <p class="failure">{answer.problem}</p>;
  const { number, left: mine, right: other } = answer.value;
  const file = { path: `message ${number}`, label: "from the other run to this one", isOpen: true };
  return (
    <DiffList
      label={`Changes of message ${number}`}
      files={[{ ...file, before: `${textOf(other)}\n`, after: `${textOf(mine)}\n` }]}
      onToggle={() => {}}
    />
  );
}
