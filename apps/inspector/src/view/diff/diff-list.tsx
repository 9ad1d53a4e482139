import { useCallback, useMemo, useState } from "preact/hooks";
import { CodeLine } from "../code/code-line.js";
import { highlightLines, type Token } from "../code/highlight.js";
import { languageOf } from "../code/languages.js";
import { Text } from "../code/text.js";
import { plural } from "../format/numbers.js";
import { VirtualList } from "../virtual/virtual-list.js";
import { type ComparedFile, type FileDiffRow, fileDiffRows } from "./diff-rows.js";
import type { DiffRow } from "./line-diff.js";

interface DiffListProps {
  readonly label: string;
  readonly files: readonly ComparedFile[];
  readonly onToggle: (path: string) => void;
  /** Fills the pane. Otherwise the list is as high as its rows, up to a limit. @default false */
  readonly fills?: boolean | undefined;
}

const LINE_HEIGHT = 20;
const HEAD_HEIGHT = 30;
const MAX_HEIGHT = 420;

/** The differences of several files in one list, of which only the rows in view are elements. */
export function DiffList({ label, files, onToggle, fills }: DiffListProps) {
  const [gaps, setGaps] = useState<ReadonlySet<string>>(new Set());
  const rows = useMemo(() => fileDiffRows(files, gaps), [files, gaps]);
  const heightOf = useCallback(
    (at: number) => (rows[at]?.kind === "file" ? HEAD_HEIGHT : LINE_HEIGHT),
    [rows],
  );
  const height = fills ? undefined : Math.min(MAX_HEIGHT, sum(rows.length, heightOf));
  const row = (at: number) => {
    const each = rows[at];
    const file = each && files[each.file];
    if (each === undefined || file === undefined) return null;
    if (each.kind === "file")
      return <FileHead key={at} file={file} row={each} onToggle={() => onToggle(file.path)} />;
    if (each.kind === "note")
      return (
        <div key={at} class="line note-line">
          {each.text}
        </div>
      );
    if (each.row.kind !== "gap") return <DiffLine key={at} row={each.row} file={file} />;
    const gap = `${each.file}/${each.row.index}`;
    return (
      <button
        key={at}
        type="button"
        class="diff-gap"
        onClick={() => setGaps(new Set([...gaps, gap]))}
      >
        ⋯ {plural(each.row.lines, "unchanged line")}
      </button>
    );
  };
  return (
    <VirtualList
      class={fills ? "code-scroll fills" : "code-scroll"}
      style={height === undefined ? {} : { height: `${height}px` }}
      tabIndex={0}
      role="region"
      aria-label={label}
      count={rows.length}
      rowHeight={heightOf}
      row={row}
    />
  );
}

function sum(count: number, heightOf: (at: number) => number): number {
  let height = 0;
  for (let at = 0; at < count && height < MAX_HEIGHT; at++) height += heightOf(at);
  return height;
}

interface FileHeadProps {
  readonly file: ComparedFile;
  readonly row: Extract<FileDiffRow, { kind: "file" }>;
  readonly onToggle: () => void;
}

function FileHead({ file, row, onToggle }: FileHeadProps) {
  return (
    <button type="button" class="file-head" aria-expanded={file.isOpen} onClick={onToggle}>
      <span class="dim" aria-hidden="true">
        {file.isOpen ? "▾" : "▸"}
      </span>
      <b>
        <Text text={file.path} />
      </b>
      <span class="dim">{file.label}</span>
      {row.added >= 0 && (
        <span class="counts">
          <span class="good">+{row.added}</span> <span class="bad">−{row.removed}</span>
        </span>
      )}
    </button>
  );
}

const SIGNS = { same: " ", added: "+", removed: "−" } as const;

function DiffLine(props: {
  readonly row: Exclude<DiffRow, { kind: "gap" }>;
  readonly file: ComparedFile;
}) {
  const { kind, before, after } = props.row;
  return (
    <div class={`line ${kind}`}>
      <span class="gutter">{before}</span>
      <span class="gutter">{after}</span>
      <span class="sign">{SIGNS[kind]}</span>
      <code>
        <CodeLine tokens={tokensOf(props.row, props.file)} />
      </code>
    </div>
  );
}

/** The highlighted lines of both sides, cached while their file is shown. */
const coloured = new WeakMap<ComparedFile, ReadonlyMap<string, readonly (readonly Token[])[]>>();

function tokensOf(row: Exclude<DiffRow, { kind: "gap" }>, file: ComparedFile): readonly Token[] {
  let sides = coloured.get(file);
  if (sides === undefined) {
    const language = languageOf(file.path);
    const side = (text = "") => highlightLines(text, language);
    sides = new Map([
      ["before", side(file.before)],
      ["after", side(file.after)],
    ]);
    coloured.set(file, sides);
  }
  const line =
    row.after === undefined
      ? sides.get("before")?.[(row.before ?? 0) - 1]
      : sides.get("after")?.[row.after - 1];
  // Show the text of the diff even if the highlighter split the lines differently.
  const isSame = line?.map(({ text }) => text).join("") === row.text;
  return isSame && line !== undefined ? line : [{ text: row.text }];
}
