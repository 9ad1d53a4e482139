import { plural } from "../format/numbers.js";
import { moveInList } from "../keys/move.js";
import { rowName } from "../list/rows.js";
import { FILTERS } from "../route/route.js";
import { toggleFilter } from "../state/filter.js";
import { useInspector } from "../state/inspector.js";
import { VirtualList } from "../virtual/virtual-list.js";
import { ROW_HEIGHT, RowView } from "./row-view.js";

/** The turns, calls and events of a run. */
export function RunList() {
  const inspector = useInspector();
  const rows = inspector.rows.value;
  const selected = inspector.selectedRow.value;
  const { only, open, follow } = inspector.route.value;
  const active = rows[selected];
  return (
    <section class="list-pane" aria-label="Turns and calls">
      <div class="filters">
        {FILTERS.map((filter) => (
          <button
            key={filter}
            type="button"
            class="chip"
            aria-pressed={only.includes(filter)}
            onClick={() => toggleFilter(inspector, filter)}
          >
            {filter}
          </button>
        ))}
        <button
          type="button"
          class="chip"
          aria-pressed={open.includes("all")}
          onClick={() => inspector.go({ open: open.includes("all") ? [] : ["all"] })}
        >
          all events
        </button>
        <span class="dim">{plural(rows.length, "row")}</span>
      </div>
      {rows.length === 0 ? (
        <EmptyList />
      ) : (
        <VirtualList
          class="rows"
          role="tree"
          aria-label="Turns, calls and events"
          aria-activedescendant={active && `row-${rowName(active, "").replaceAll(/[^\w-]/g, "-")}`}
          tabIndex={0}
          count={rows.length}
          rowHeight={ROW_HEIGHT}
          reveal={selected}
          sticksToEnd={follow}
          onKeyDown={(event) => moveInList(inspector, event)}
          row={(at) => {
            const row = rows[at];
            return (
              row && (
                <RowView
                  key={`${row.run}${row.kind}${row.index}`}
                  row={row}
                  position={at}
                  count={rows.length}
                  isSelected={at === selected}
                />
              )
            );
          }}
        />
      )}
    </section>
  );
}

function EmptyList() {
  const inspector = useInspector();
  const { only } = inspector.route.value;
  if (only.length === 0)
    return (
      <div class="empty">
        <b>No events yet</b>
        The rows appear here when the run records its first event.
      </div>
    );
  return (
    <div class="empty">
      <b>No call is {only.join(" or ")}</b>
      <button type="button" class="link" onClick={() => inspector.go({ only: [] })}>
        Show all rows
      </button>
    </div>
  );
}
