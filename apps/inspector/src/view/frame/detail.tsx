import type { ComponentType } from "preact";
import { FilesTab } from "../files/files-tab.js";
import type { Selection } from "../list/selection.js";
import { ForkCommand } from "../parts/fork-command.js";
import { Empty } from "../parts/pending.js";
import { TABS, type Tab } from "../route/route.js";
import { CompareTab } from "../runs/compare-tab.js";
import { useInspector } from "../state/inspector.js";
import { CallTab } from "../tabs/call-tab.js";
import { ChangesTab } from "../tabs/changes-tab.js";
import { ConversationTab } from "../tabs/conversation-tab.js";
import { PlanTab } from "../tabs/plan-tab.js";
import { PromptTab } from "../tabs/prompt-tab.js";
import { RawTab } from "../tabs/raw-tab.js";
import { StateTab } from "../tabs/state-tab.js";
import { UsageTab } from "../tabs/usage-tab.js";

const PANELS: Readonly<Record<Tab, ComponentType<{ selection: Selection }>>> = {
  ...{ changes: ChangesTab, files: FilesTab, prompt: PromptTab, conversation: ConversationTab },
  ...{ call: CallTab, plan: PlanTab, state: StateTab, usage: UsageTab, raw: RawTab },
  compare: CompareTab,
};

/** The tabs, all about the selected row. */
export function Detail() {
  const inspector = useInspector();
  const { tab } = inspector.route.value;
  const selection = inspector.selection.value;
  const Panel = PANELS[tab];
  return (
    <main>
      <div
        class="tab-bar"
        role="tablist"
        aria-label="Views"
        onKeyDown={(event) => move(event, tab, inspector.go.bind(inspector))}
      >
        {TABS.map((each) => (
          <button
            key={each}
            id={`tab-${each}`}
            type="button"
            role="tab"
            aria-selected={each === tab}
            aria-controls="panel"
            tabIndex={each === tab ? 0 : -1}
            onClick={() => inspector.go({ tab: each })}
          >
            {each[0]?.toUpperCase()}
            {each.slice(1)}
          </button>
        ))}
      </div>
      {selection && <Where selection={selection} />}
      <div
        key={tab}
        id="panel"
        class="tab-panel"
        role="tabpanel"
        aria-labelledby={`tab-${tab}`}
        tabIndex={0}
      >
        {selection === undefined ? <Empty title="Loading …" /> : <Panel selection={selection} />}
      </div>
    </main>
  );
}

function move(event: KeyboardEvent, tab: Tab, go: (change: { tab: Tab }) => void): void {
  const direction = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (direction === undefined) return;
  event.preventDefault();
  const next = TABS[(TABS.indexOf(tab) + direction + TABS.length) % TABS.length];
  if (next === undefined) return;
  go({ tab: next });
  document.getElementById(`tab-${next}`)?.focus();
}

/** Shows which event the tabs are about, and the command that continues the run from it. */
function Where({ selection }: { readonly selection: Selection }) {
  const inspector = useInspector();
  const { run, turn, call, sequence } = selection;
  const isChild = run !== inspector.root.value;
  const index = inspector.indexes.value.get(run);
  return (
    <div class="where">
      {isChild && (
        <span class="badge changed">
          subagent {index?.overview.summary.agent ?? index?.overview.summary.prompt}
        </span>
      )}
      {turn && <span>turn {turn.turn + 1}</span>}
      {call && <span class="mono">{call.tool}</span>}
      <span>
        after event <b>{sequence}</b>
      </span>
      <ForkCommand />
    </div>
  );
}
