import type { RunOverview } from "../../model/run-overview.js";
import { formatCost, formatDuration, formatShort, plural } from "../format/numbers.js";
import { toneOf } from "../format/tone.js";
import { useInspector } from "../state/inspector.js";
import { nextScheme } from "../state/scheme.js";
import { Search } from "./search.js";

/** Shows which run is open, how it ended, and the controls of the page. */
export function Header() {
  const inspector = useInspector();
  const overview = inspector.index.value?.overview;
  const { follow } = inspector.route.value;
  const isLive = inspector.info.isLive && overview?.isActive === true;
  return (
    <header>
      <h1>
        <button
          type="button"
          class="brand"
          title="List of runs"
          onClick={() => inspector.go({ run: "list", at: undefined }, "push")}
        >
          WINK
        </button>
      </h1>
      {overview && <Facts overview={overview} />}
      <div class="tools">
        {isLive && (
          <button
            type="button"
            class="chip"
            aria-pressed={follow}
            onClick={() => inspector.go({ follow: !follow })}
          >
            <span class="pulse bad">●</span> follow
          </button>
        )}
        {overview && <Search />}
        <button type="button" class="chip" onClick={() => nextScheme(inspector)}>
          ◐ {inspector.scheme.value}
        </button>
        <button
          type="button"
          class="chip"
          aria-label="Keys"
          onClick={() => {
            inspector.isHelpOpen.value = true;
          }}
        >
          ?
        </button>
      </div>
    </header>
  );
}

function Facts({ overview }: { readonly overview: RunOverview }) {
  const { agent, model, prompt, status, turns, calls, undoneCalls, usage, startedAt, endedAt } =
    overview.summary;
  const tokens = usage.inputTokens + usage.outputTokens;
  return (
    <div class="facts">
      <b>{agent ?? prompt ?? overview.summary.id}</b>
      {model !== null && <span>{model}</span>}
      <span class={toneOf(status)}>{status}</span>
      <span>{plural(turns, "turn")}</span>
      <span>{plural(calls, "call")}</span>
      {undoneCalls > 0 && <span class="undone">{undoneCalls} undone</span>}
      <span>{formatShort(tokens)} tokens</span>
      {usage.costUsd !== null && <span>{formatCost(usage.costUsd)}</span>}
      {endedAt !== null && <span>{formatDuration(endedAt - startedAt)}</span>}
    </div>
  );
}
