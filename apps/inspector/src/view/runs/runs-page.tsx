import { useState } from "preact/hooks";
import type { RunKey, RunSummary } from "../../model/run-overview.js";
import { formatCost, formatDuration, formatShort, formatTime } from "../format/numbers.js";
import { toneOf } from "../format/tone.js";
import { Empty } from "../parts/pending.js";
import { useInspector } from "../state/inspector.js";

/** The runs that the page was opened for, newest first. */
export function RunsPage() {
  const inspector = useInspector();
  const { runs, contents } = inspector.info;
  const [picked, setPicked] = useState<readonly RunKey[]>([]);
  if (runs.length === 0)
    return (
      <Empty title="No runs here">
        A run appears after <code>wink run</code>. Open another directory with{" "}
        <code>wink inspect DIRECTORY</code>.
      </Empty>
    );
  const pick = (key: RunKey) =>
    setPicked(
      picked.includes(key) ? picked.filter((each) => each !== key) : [...picked, key].slice(-2),
    );
  const [one, two] = picked;
  return (
    <div class="scrolls" tabIndex={0} role="region" aria-label="Runs">
      <div class="bar">
        <b>Runs</b>
        <button
          type="button"
          class="chip"
          disabled={two === undefined}
          onClick={() => inspector.go({ run: one, compare: two, tab: "compare" }, "push")}
        >
          compare two
        </button>
        {contents && (
          <span class="dim">
            exported {formatTime(contents.createdAt)} with WINK {contents.wink}
          </span>
        )}
      </div>
      <table>
        <thead>
          <tr>
            <th>
              <span class="visually-hidden">compare</span>
            </th>
            {["agent", "model", "started", "end"].map((name) => (
              <th key={name}>{name}</th>
            ))}
            {["turns", "calls", "failed", "undone", "files", "tokens", "cost", "time"].map(
              (name) => (
                <th key={name} class="number">
                  {name}
                </th>
              ),
            )}
          </tr>
        </thead>
        <tbody>
          {runs.slice(0, 500).map((run) => (
            <RunRow
              key={run.key}
              run={run}
              isPicked={picked.includes(run.key)}
              onPick={() => pick(run.key)}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface RunRowProps {
  readonly run: RunSummary;
  readonly isPicked: boolean;
  readonly onPick: () => void;
}

function RunRow({ run, isPicked, onPick }: RunRowProps) {
  const inspector = useInspector();
  const { usage, startedAt, endedAt } = run;
  const name = run.agent ?? run.prompt ?? run.id;
  return (
    <tr class="pick">
      <td>
        <input
          type="checkbox"
          checked={isPicked}
          aria-label={`Compare ${name}`}
          onChange={onPick}
        />
      </td>
      <td>
        <button
          type="button"
          class="link"
          onClick={() =>
            inspector.go({ run: run.key, at: undefined, open: [], path: undefined }, "push")
          }
        >
          {name}
        </button>
      </td>
      <td>{run.model ?? "–"}</td>
      <td>{formatTime(startedAt)}</td>
      <td class={toneOf(run.status)}>{run.status}</td>
      <td class="number">{run.turns}</td>
      <td class="number">{run.calls}</td>
      <td class={`number ${run.failedCalls > 0 ? "bad" : ""}`}>{run.failedCalls}</td>
      <td class={`number ${run.undoneCalls > 0 ? "undone" : ""}`}>{run.undoneCalls}</td>
      <td class="number">{run.changedFiles ?? "–"}</td>
      <td class="number">{formatShort(usage.inputTokens + usage.outputTokens)}</td>
      <td class="number">{usage.costUsd === null ? "–" : formatCost(usage.costUsd)}</td>
      <td class="number">{endedAt === null ? "–" : formatDuration(endedAt - startedAt)}</td>
    </tr>
  );
}
