import { stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { type RunReader, readRun } from "@wink/adapters/run";
import { NO_USAGE } from "../model/build-turns.js";
import type { RunKey, RunSummary } from "../model/run-overview.js";
import { LocalSource } from "../source/local-source.js";
import { unknown } from "../source/require-argument.js";
import type { RunCatalog } from "../source/run-data.js";
import type { SourceInfo } from "../source/run-source.js";
import { ReaderData, unreadable } from "./reader-data.js";
import { KNOWN_SLICES } from "./session-slices.js";

export interface RunFilesOptions {
  /** What `readRun` reads: directories of runs, and logs. Newest first. */
  readonly runs: readonly string[];
  /** The position of the run to open. @default the only run, or the list */
  readonly open?: number | undefined;
  /** The position of the run to compare with. @default none */
  readonly compare?: number | undefined;
}

/** A log above this size is not read for the list of runs. */
const MAX_LISTED_BYTES = 4_000_000;

/** Runs of this machine. A run is read at the first question about it. */
export class RunFiles implements RunCatalog, Disposable {
  readonly source: LocalSource;
  readonly #options: RunFilesOptions;
  readonly #readers: RunReader[] = [];
  readonly #open = new Map<RunKey, Promise<ReaderData>>();
  readonly #summaries = new Map<number, { readonly sizeBytes: number; readonly row: RunSummary }>();

  constructor(options: RunFilesOptions) {
    this.#options = options;
    this.source = new LocalSource(this, () => this.#info());
  }

  /** The run, or the subagent's run. */
  async open(key: RunKey): Promise<ReaderData> {
    const known = this.#open.get(key);
    if (known !== undefined) return await known;
    const opened = this.#read(key);
    this.#open.set(key, opened);
    opened.catch(() => this.#open.delete(key));
    return await opened;
  }

  close(): void {
    for (const reader of this.#readers.splice(0)) reader.close();
  }

  [Symbol.dispose](): void {
    this.close();
  }

  async #read(key: RunKey): Promise<ReaderData> {
    if (typeof key !== "string" || !/^\d{1,6}(\.\d{1,12}(-\d{1,6})?){0,20}$/.test(key))
      throw unknown("This run");
    const at = key.lastIndexOf(".");
    const place = this.#options.runs[Number.parseInt(key, 10)];
    if (place === undefined) throw unknown(`Run ${key}`);
    const reader =
      at < 0
        ? await readRun(place, { slices: KNOWN_SLICES }).catch((error: unknown) => {
            throw unreadable(error);
          })
        : await this.#child(key.slice(0, at), key.slice(at + 1));
    this.#readers.push(reader);
    return new ReaderData(reader, { key, place, name: basename(place) });
  }

  async #child(parent: RunKey, name: string): Promise<RunReader> {
    const { reader } = await this.open(parent);
    const child = (await reader.children()).find((each) => each.name === name);
    if (child === undefined) throw unknown(`Run ${parent}.${name}`);
    return await child.open();
  }

  async #info(): Promise<SourceInfo> {
    const { runs, open, compare } = this.#options;
    const rows: RunSummary[] = [];
    for (const [index, place] of runs.entries()) rows.push(await this.#summary(index, place));
    const opened = open ?? (runs.length === 1 ? 0 : undefined);
    return {
      ...{ runs: rows, isLive: true, contents: null },
      open: opened === undefined ? null : `${opened}`,
      compare: compare === undefined ? null : `${compare}`,
    };
  }

  async #summary(index: number, place: string): Promise<RunSummary> {
    const sizeBytes = await sizeOf(place);
    const known = this.#summaries.get(index);
    // The size of a run in a store is unknown, so its row is never cached.
    if (known?.sizeBytes === sizeBytes && sizeBytes > 0) return known.row;
    const isAlone = this.#options.runs.length === 1;
    const row =
      sizeBytes > MAX_LISTED_BYTES && !isAlone
        ? emptySummary(index, place, "large")
        : await this.open(`${index}`).then(
            async (data) => {
              await data.refresh();
              return (await data.overview()).summary;
            },
            (error: unknown) => emptySummary(index, place, unreadable(error).message),
          );
    this.#summaries.set(index, { sizeBytes, row });
    return row;
  }
}

async function sizeOf(place: string): Promise<number> {
  for (const path of [join(place, "session.jsonl"), place])
    try {
      return (await stat(path)).size;
    } catch {
      // A log or a run in a store has no such directory.
    }
  return 0;
}

function emptySummary(index: number, place: string, status: string): RunSummary {
  return {
    ...{ key: `${index}`, id: basename(place), place, agent: null, model: null, prompt: null },
    ...{ startedAt: 0, endedAt: null, status, events: 0, turns: 0, calls: 0, failedCalls: 0 },
    ...{ undoneCalls: 0, changedFiles: null, usage: NO_USAGE, parent: null },
  };
}
