import { useMemo, useState } from "preact/hooks";
import type { TurnRow } from "../../model/run-overview.js";
import type { PromptView, SectionView } from "../../model/run-views.js";
import { DiffList } from "../diff/diff-list.js";
import { formatCount, formatDuration, formatShort, plural } from "../format/numbers.js";
import type { Selection } from "../list/selection.js";
import { JsonView } from "../parts/json-view.js";
import { LongText } from "../parts/long-text.js";
import { Empty, Pending } from "../parts/pending.js";
import { useInspector } from "../state/inspector.js";
import { useAnswer } from "../state/use-answer.js";
import { type ComparedSection, compareSections } from "./compare-sections.js";
import { LastMessage } from "./last-message.js";

/** What the model was shown in a turn, by section, compared with the turn before. */
export function PromptTab({ selection: { run, turn } }: { readonly selection: Selection }) {
  const inspector = useInspector();
  const turns = inspector.indexes.value.get(run)?.overview.turns ?? [];
  const previous = turn && turns[turn.index - 1];
  const earlier = previous?.run === turn?.run ? previous : undefined;
  const now = useAnswer(turn && `${run}/prompt/${turn.index}`, (source) =>
    source.prompt(run, turn?.index ?? 0),
  );
  const before = useAnswer(earlier && `${run}/prompt/${earlier.index}`, (source) =>
    source.prompt(run, earlier?.index ?? 0),
  );
  if (turn === undefined)
    return (
      <Empty title="No turn is selected">
        The prompt belongs to a turn. Select one in the list.
      </Empty>
    );
  return (
    <Pending answer={now} what="the prompt">
      {(view) => (
        <>
          <PromptFacts turn={turn} view={view} before={earlier && before.value} />
          <Sections view={view} before={earlier ? before.value : undefined} />
          <LastMessage
            run={run}
            now={{ turn, view }}
            before={earlier && before.value && { turn: earlier, view: before.value }}
          />
          <Tools view={view} />
        </>
      )}
    </Pending>
  );
}

interface FactsProps {
  readonly turn: TurnRow;
  readonly view: PromptView;
  readonly before: PromptView | undefined;
}

function PromptFacts({ turn, view, before }: FactsProps) {
  const { inputTokens, cachedInputTokens, outputTokens } = turn.usage;
  const added = before === undefined ? "" : ` (${view.messages - before.messages} new)`;
  return (
    <div class="bar">
      <b>Turn {turn.turn + 1}</b>
      <span class="dim">{before ? `compared with turn ${turn.turn}` : "the first request"}</span>
      <div class="right dim">
        <span>
          {plural(view.messages, "message")}
          {added}
        </span>
        <span>
          in {formatShort(inputTokens)} (cached {formatShort(cachedInputTokens)}) · out{" "}
          {formatShort(outputTokens)}
        </span>
        {turn.answeredAt !== null && <span>{formatDuration(turn.answeredAt - turn.askedAt)}</span>}
      </div>
    </div>
  );
}

export function Sections({
  view,
  before,
}: {
  readonly view: PromptView;
  readonly before: PromptView | undefined;
}) {
  const sections = useMemo(() => compareSections(before?.sections, view.sections), [view, before]);
  return (
    <>
      {sections.map((section) => (
        <Section key={section.path} section={section} />
      ))}
    </>
  );
}

function Section({ section }: { readonly section: ComparedSection }) {
  const [isOpen, setOpen] = useState<boolean | undefined>(undefined);
  const { path, title, before, after, change } = section;
  const isShown = isOpen ?? (change === "changed" || change === "new" || change === "gone");
  const shown: SectionView | undefined = after ?? before;
  return (
    <section class="block">
      <button
        type="button"
        class="file-head"
        aria-expanded={isShown}
        onClick={() => setOpen(!isShown)}
      >
        <span class="dim" aria-hidden="true">
          {isShown ? "▾" : "▸"}
        </span>
        <b>{title}</b>
        <span class="dim mono">
          {path}
          {shown?.visibility === "summary" ? " (summary)" : ""}
        </span>
        <span class="counts">
          <span class="dim">{formatCount(shown?.text.length ?? 0)} chars</span>{" "}
          <span class={change === "same" ? "dim" : "undone"}>
            {change === "same" ? "unchanged" : change}
          </span>
        </span>
      </button>
      {isShown && change === "changed" && (
        <DiffList
          label={`Changes of section ${title}`}
          files={[
            {
              path: `${path}.md`,
              label: "",
              isOpen: true,
              before: before?.text ?? "",
              after: after?.text ?? "",
            },
          ]}
          onToggle={() => setOpen(false)}
        />
      )}
      {isShown && change !== "changed" && <LongText text={shown?.text ?? ""} />}
    </section>
  );
}

function Tools({ view }: { readonly view: PromptView }) {
  return (
    <section class="block">
      <h2>{plural(view.tools.length, "tool")}</h2>
      <div class="json">
        {view.tools.slice(0, 150).map(({ name, description, inputSchema }) => (
          <Tool key={name} name={name} description={description} schema={inputSchema} />
        ))}
      </div>
    </section>
  );
}

interface ToolProps {
  readonly name: string;
  readonly description: string;
  readonly schema: unknown;
}

function Tool({ name, description, schema }: ToolProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <b>{name}</b> <span class="dim">{description.split("\n")[0]?.slice(0, 120)}</span>
      </summary>
      {isOpen && (
        <div>
          <LongText text={description} />
          <JsonView value={schema} />
        </div>
      )}
    </details>
  );
}
