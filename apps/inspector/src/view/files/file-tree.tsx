import { useMemo, useState } from "preact/hooks";
import type { FileRow } from "../../model/run-views.js";
import { Text } from "../code/text.js";
import { formatBytes } from "../format/numbers.js";
import { VirtualList } from "../virtual/virtual-list.js";
import { type TreeRow, treeRows } from "./file-rows.js";

const ROW_HEIGHT = 24;

interface FileTreeProps {
  readonly entries: readonly FileRow[];
  readonly chosen: string | undefined;
  /** Paths that differ from the start of the run. */
  readonly changed: ReadonlySet<string>;
  readonly onChoose: (path: string) => void;
}

/** The files at an event. */
export function FileTree({ entries, chosen, changed, onChoose }: FileTreeProps) {
  const [toggled, setToggled] = useState<ReadonlySet<string>>(new Set());
  const [focused, setFocused] = useState<string | undefined>(undefined);
  const rows = useMemo(() => treeRows(entries, toggled, chosen), [entries, toggled, chosen]);
  const current = rows.findIndex(({ path }) => path === (focused ?? chosen));
  const toggle = (path: string) => {
    const next = new Set(toggled);
    if (!next.delete(path)) next.add(path);
    setToggled(next);
  };
  const choose = (row: TreeRow | undefined) => {
    if (row === undefined) return;
    setFocused(row.path);
    if (row.isDirectory) toggle(row.path);
    else onChoose(row.path);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const row = rows[current];
    const moves: Readonly<Record<string, () => void>> = {
      ArrowDown: () => setFocused(rows[Math.min(current + 1, rows.length - 1)]?.path),
      ArrowUp: () => setFocused(rows[Math.max(current - 1, 0)]?.path),
      ArrowRight: () => row?.isDirectory && !row.isOpen && toggle(row.path),
      ArrowLeft: () => row?.isDirectory && row.isOpen && toggle(row.path),
      Enter: () => choose(row),
      " ": () => choose(row),
    };
    const move = moves[event.key];
    if (move === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    move();
  };
  return (
    <VirtualList
      class="tree"
      role="tree"
      aria-label="Files"
      aria-activedescendant={current >= 0 ? `file-${current}` : undefined}
      tabIndex={0}
      count={rows.length}
      rowHeight={ROW_HEIGHT}
      reveal={current}
      onKeyDown={onKeyDown}
      row={(at) => {
        const row = rows[at];
        if (row === undefined) return null;
        const entry = row.entry === undefined ? undefined : entries[row.entry];
        return (
          <div
            key={row.path}
            id={`file-${at}`}
            role="treeitem"
            class="tree-row"
            style={{ paddingLeft: `${8 + row.depth * 14}px` }}
            aria-level={row.depth + 1}
            aria-selected={row.path === chosen}
            aria-expanded={row.isDirectory ? row.isOpen : undefined}
            data-focused={at === current ? "" : undefined}
            onClick={() => choose(row)}
          >
            <span class="dim" aria-hidden="true">
              {row.isDirectory ? (row.isOpen ? "▾" : "▸") : " "}
            </span>
            <span class="cut-end mono">
              <Text text={row.name} />
            </span>
            {changed.has(row.path) && (
              <span class="mark" title="changed since the start">
                ●
              </span>
            )}
            <span class="size">
              {entry && !row.isDirectory ? formatBytes(entry.sizeBytes) : ""}
            </span>
          </div>
        );
      }}
    />
  );
}
