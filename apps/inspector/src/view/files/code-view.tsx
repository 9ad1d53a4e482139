import { useMemo } from "preact/hooks";
import type { RunKey } from "../../model/run-overview.js";
import type { BlameRange, SeenRange } from "../../model/run-views.js";
import { CodeLine } from "../code/code-line.js";
import { highlightLines } from "../code/highlight.js";
import { languageOf } from "../code/languages.js";
import { useInspector } from "../state/inspector.js";
import { VirtualList } from "../virtual/virtual-list.js";
import { seenLines, writersOf } from "./line-facts.js";

interface CodeViewProps {
  readonly run: RunKey;
  readonly path: string;
  readonly text: string;
  readonly seen: readonly SeenRange[];
  /** @default no column with the writers */
  readonly blame?: readonly BlameRange[] | undefined;
}

const SEEN = ["", "old", "yes"] as const;
const SEEN_TITLES = [
  "",
  "The model has read an earlier version of this line",
  "The model has read this line",
];

/** A text with line numbers, the lines that the model has read, and who wrote each line. */
export function CodeView({ run, path, text, seen, blame }: CodeViewProps) {
  const body = text.endsWith("\n") ? text.slice(0, -1) : text;
  const lines = useMemo(() => highlightLines(body, languageOf(path)), [body, path]);
  const marks = useMemo(() => seenLines(lines.length, seen), [lines, seen]);
  const writers = useMemo(() => blame && writersOf(lines.length, blame), [lines, blame]);
  return (
    <VirtualList
      class="code-scroll fills"
      role="region"
      aria-label={`Content of ${path}`}
      tabIndex={0}
      count={lines.length}
      rowHeight={20}
      row={(at) => {
        const mark = marks[at] ?? 0;
        return (
          <div key={at} class="line">
            {writers && (
              <Writer run={run} range={writers[at]} isFirst={writers[at] !== writers[at - 1]} />
            )}
            <span class="gutter">{at + 1}</span>
            <span class={`seen ${SEEN[mark]}`} title={SEEN_TITLES[mark]} />
            <code>
              <CodeLine tokens={lines[at] ?? []} />
            </code>
          </div>
        );
      }}
    />
  );
}

interface WriterProps {
  readonly run: RunKey;
  readonly range: BlameRange | undefined;
  readonly isFirst: boolean;
}

/** The call that wrote a line. */
function Writer({ run, range, isFirst }: WriterProps) {
  const inspector = useInspector();
  if (range === undefined || !isFirst) return <span class="who" />;
  const { sequence, call, child } = range;
  if (sequence === 0) return <span class="who">at the start</span>;
  const of = call === null ? undefined : inspector.indexes.value.get(run)?.overview.calls[call];
  const go = async () => {
    if (child !== null) {
      await inspector.load(child.run);
      inspector.choose(
        inspector.nameOf(
          child.run,
          child.call === null ? "event" : "call",
          child.call ?? child.sequence,
        ),
        "push",
      );
    } else
      inspector.choose(
        inspector.nameOf(run, call === null ? "event" : "call", call ?? sequence),
        "push",
      );
    inspector.go({ tab: "call" });
  };
  const isCurrent = inspector.selection.value?.sequence === sequence;
  return (
    <button type="button" class={`who ${isCurrent ? "current" : ""}`} onClick={() => void go()}>
      {sequence} {of?.tool ?? "event"}
      {child !== null ? " (subagent)" : ""}
    </button>
  );
}
