import { type RunReader, readRun } from "@wink/adapters/run";
import type { HeadInfo, Store } from "@wink/store";
import type { Io } from "../terminal/io.js";
import { clipPath, stringWidth } from "../terminal/terminal-text.js";
import { count } from "../view/amounts.js";
import { withStore } from "./stored-runs.js";

/** A run in a list, or files without a run that `wink runs import` stored. */
interface ListedRun {
  readonly id: string;
  readonly agent: string | null;
  readonly model: string | null;
  /** Why it ended: `completed`, `parked` and so on. `running`: a process has it open. `stopped`: its process ended. */
  readonly state: string;
  readonly updatedAt: string;
  /** How many files it changed. */
  readonly changedFiles: number | null;
  readonly sizeBytes: number;
}

export interface RunList {
  readonly runs: readonly ListedRun[];
  /** How many runs the store has. */
  readonly total: number;
}

/** The newest runs of a store. */
export async function listRuns(io: Io, url: string, limit: number): Promise<RunList> {
  return await withStore(io, url, async (store) => {
    const found = await newestFirst(store);
    const newest = found.slice(0, limit);
    const runs: ListedRun[] = [];
    for (const info of newest) {
      io.status.show("reading the runs", `${runs.length + 1} of ${newest.length}`);
      runs.push(await describe(store, info));
    }
    io.status.clear();
    return { runs, total: found.length };
  });
}

/** The id of the newest run. Files without a run are skipped. */
export async function findLastRun(io: Io, url: string): Promise<string | undefined> {
  return await withStore(io, url, async (store) => {
    for (const info of await newestFirst(store))
      if ((await describe(store, info)).state !== FILES) return info.id;
    return undefined;
  });
}

/** The state of a head without a run. */
const FILES = "files";

async function newestFirst(store: Store): Promise<readonly HeadInfo[]> {
  const found: HeadInfo[] = [];
  for await (const info of store.list()) found.push(info);
  return found.sort((a, b) => b.updatedAtMs - a.updatedAtMs);
}

async function describe(store: Store, info: HeadInfo): Promise<ListedRun> {
  const { id, updatedAtMs, sizeBytes, leased } = info;
  const known = { id, updatedAt: new Date(updatedAtMs).toISOString(), sizeBytes };
  const open = leased ? "running" : undefined;
  try {
    using run = await readRun({ store, id });
    const { agent = null, model = null } = run.header ?? {};
    return {
      ...{ ...known, agent, model, state: open ?? stateOf(run) },
      changedFiles: (await run.diff(0, run.lastSequence)).files.length,
    };
  } catch {
    // It has no log: only files, or a run that has just been started.
    return { ...known, agent: null, model: null, state: open ?? FILES, changedFiles: null };
  }
}

function stateOf({ transcript }: RunReader): string {
  const last = transcript.at(-1);
  return last?.kind === "end" ? last.finishReason : "stopped";
}

/** A table that fits into the width of the terminal. */
export function renderRuns(io: Io, { runs, total }: RunList): string {
  if (runs.length === 0) return "The store has no runs.";
  const rows = [
    ["RUN", "AGENT", "MODEL", "STATE", "TIME", "FILES"],
    ...runs.map(({ id, agent, model, state, updatedAt, changedFiles }) => [
      ...[id, agent ?? "-", model ?? "-", state],
      ...[updatedAt.slice(5, 16).replace("T", " "), String(changedFiles ?? "-")],
    ]),
  ];
  const widths = fit(rows, Math.max(60, io.columns));
  const table = rows.map((row) =>
    row
      .map((cell, column) => pad(clipPath(cell, widths[column] ?? 0), widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
  const more = total - runs.length;
  const rest = more === 0 ? [] : [`${count(more, "older run")} not shown. Use --limit.`];
  return [...table, ...rest].join("\n");
}

/** The widths of the columns. Agent and model, and then the id, are clipped if the table is too wide. */
function fit(rows: readonly (readonly string[])[], columns: number): readonly number[] {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => stringWidth(row[column] ?? ""))),
  );
  const gaps = 2 * (widths.length - 1);
  for (const column of [1, 2, 0]) {
    const over = widths.reduce((sum, width) => sum + width, gaps) - columns;
    if (over > 0) widths[column] = Math.max(MIN_WIDTH, (widths[column] ?? 0) - over);
  }
  return widths;
}

const MIN_WIDTH = 8;

function pad(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - stringWidth(text)));
}
