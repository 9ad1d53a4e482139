import type { Row } from "../list/rows.js";
import { type Inspector, isSelectable } from "../state/inspector.js";

/** Selects the next row for which `fits` returns true, searching up or down from row `from`. */
export function step(
  inspector: Inspector,
  direction: 1 | -1,
  fits: (row: Row) => boolean = isSelectable,
  from: number = inspector.selectedRow.value,
): void {
  const rows = inspector.rows.value;
  for (let at = from + direction; at >= 0 && at < rows.length; at += direction) {
    const row = rows[at];
    if (row === undefined || !fits(row)) continue;
    inspector.chooseRow(row);
    return;
  }
}

export function isTurn({ kind }: Row): boolean {
  return kind === "turn";
}

/** Whether a row is a failed or undone call. */
export function isProblem(inspector: Inspector): (row: Row) => boolean {
  return ({ kind, run, index }) => {
    if (kind !== "call") return false;
    const call = inspector.indexes.value.get(run)?.overview.calls[index];
    return call !== undefined && (call.isFailed || call.undone !== null);
  };
}

/** Opens the selected row. With `opens: false`, closes it, or selects its parent if it is closed already. */
export function openOrClose(inspector: Inspector, opens: boolean): void {
  const [rows, at] = [inspector.rows.value, inspector.selectedRow.value];
  const row = rows[at];
  if (row === undefined) return;
  if (row.isOpen !== undefined && row.isOpen !== opens) inspector.toggle(row);
  else if (opens) step(inspector, 1);
  else
    step(
      inspector,
      -1,
      ({ depth, ...each }) => depth < row.depth && isSelectable({ depth, ...each }),
    );
}

const PAGE = 15;

/** Handles keys while the list has the focus. */
export function moveInList(inspector: Inspector, event: KeyboardEvent): void {
  const rows = inspector.rows.value;
  const at = inspector.selectedRow.value;
  const moves: Readonly<Record<string, () => void>> = {
    ArrowDown: () => step(inspector, 1),
    ArrowUp: () => step(inspector, -1),
    ArrowRight: () => openOrClose(inspector, true),
    ArrowLeft: () => openOrClose(inspector, false),
    PageDown: () => step(inspector, 1, isSelectable, Math.min(at + PAGE, rows.length - 2)),
    PageUp: () => step(inspector, -1, isSelectable, Math.max(at - PAGE, 1)),
    Home: () => step(inspector, 1, isSelectable, -1),
    End: () => step(inspector, -1, isSelectable, rows.length),
    Enter: () => {
      const row = rows[at];
      if (row) inspector.toggle(row);
    },
  };
  const move = moves[event.key];
  if (move === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  event.stopPropagation();
  move();
}
