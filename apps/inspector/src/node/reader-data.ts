import type { RunReader } from "@wink/adapters/run";
import type { TreeEntry } from "@wink/filesystem";
import { buildOverview } from "../model/build-overview.js";
import { overviewSince } from "../model/merge-overview.js";
import type { Position, RunKey, RunOverview } from "../model/run-overview.js";
import type { FileRow, FilesAt, SliceView } from "../model/run-views.js";
import { unknown } from "../source/require-argument.js";
import type { FileVersion, RunData } from "../source/run-data.js";
import { SourceError } from "../source/source-error.js";
import { slicesOf } from "./session-slices.js";

/** How often `wait` checks for new events, and how long it waits at most. */
const POLL_MS = 200;
const WAIT_MS = 20_000;
/** The blame of a file reads at most this many of its newest versions. */
const MAX_VERSIONS = 5_000;

export interface ReaderDataOptions {
  readonly key: RunKey;
  /** How a command names the run. */
  readonly place: string;
  readonly name: string;
}

/** The data of a run on this machine or in a store. */
export class ReaderData implements RunData {
  readonly reader: RunReader;
  readonly #options: ReaderDataOptions;
  /** The entries that were listed, by content id. Other contents cannot be read. */
  readonly #contents = new Map<string, TreeEntry>();
  readonly #trees = new Map<string, readonly FileRow[]>();
  #overview: RunOverview | undefined;

  constructor(reader: RunReader, options: ReaderDataOptions) {
    this.reader = reader;
    this.#options = options;
  }

  async refresh(): Promise<void> {
    if (await this.reader.refresh()) this.#overview = undefined;
  }

  async overview(since?: Position): Promise<RunOverview> {
    this.#overview ??= await this.#build();
    return since === undefined ? this.#overview : overviewSince(this.#overview, since);
  }

  async wait(version: string, signal: AbortSignal | undefined): Promise<boolean> {
    const end = Date.now() + WAIT_MS;
    while (signal?.aborted !== true) {
      await this.refresh();
      const { position } = await this.overview();
      if (position.version !== version) return true;
      if (Date.now() >= end) return false;
      await pause(POLL_MS, signal);
    }
    return false;
  }

  async events(from: number, to: number) {
    const { events } = this.reader;
    const first = events[0]?.sequence ?? 1;
    return events.slice(Math.max(0, from - first), Math.max(0, to - first + 1));
  }

  async transcript() {
    return this.reader.transcript;
  }

  async part(id: string): Promise<unknown> {
    try {
      return this.reader.part(id);
    } catch {
      throw unknown("This part of the transcript");
    }
  }

  async slices(sequence: number): Promise<readonly SliceView[]> {
    const { firstSequence } = await this.overview();
    // A moment before the first event has the state that the log started with.
    return slicesOf(this.reader.sessionAt(Math.max(sequence, firstSequence - 1)));
  }

  async files({ event, undone }: FilesAt): Promise<readonly FileRow[]> {
    const key = undone === true ? `undone ${event}` : this.reader.stateAt(event);
    const known = this.#trees.get(key);
    if (known !== undefined) return known;
    const entries = undone === true ? this.reader.undoneFiles(event) : this.reader.filesAt(event);
    if (entries === undefined) throw unknown(`A rollback of files at event ${event}`);
    const rows = Array.from(entries, (entry) => this.#row(entry));
    this.#trees.set(key, rows);
    // A tree may have 20,000 rows, so only the last ones are cached.
    const [oldest] = this.#trees.keys();
    if (this.#trees.size > 32 && oldest !== undefined) this.#trees.delete(oldest);
    return rows;
  }

  async content(id: string): Promise<Uint8Array> {
    const entry = this.#contents.get(id);
    if (entry === undefined) throw unknown("This content");
    return await entry.read();
  }

  async versions(path: string, sequence: number): Promise<readonly FileVersion[]> {
    const { states } = await this.overview();
    const versions: FileVersion[] = [];
    let current = path;
    for (let at = states.findLastIndex((each) => each.sequence <= sequence); at >= 0; at--) {
      const state = states[at];
      if (state === undefined || versions.length >= MAX_VERSIONS) break;
      const entry = this.#entryAt(state.sequence, current);
      if (entry !== undefined) {
        this.#row(entry);
        versions.push({ sequence: state.sequence, path: current, content: entry.contentId });
        continue;
      }
      const oldPath = await this.#oldPath(state.sequence, states[at + 1]?.sequence, current);
      if (oldPath === undefined) break;
      current = oldPath;
      at++;
    }
    return withoutRepeats(versions.reverse());
  }

  /** The path that a rename between two states had moved to `path`. */
  async #oldPath(from: number, to: number | undefined, path: string): Promise<string | undefined> {
    if (to === undefined) return undefined;
    const { files } = await this.reader.diff(from, to);
    const renamed = files.find((each) => each.type === "renamed" && each.path === path);
    return renamed?.oldPath;
  }

  #entryAt(sequence: number, path: string): TreeEntry | undefined {
    const [entry] = this.reader.filesBelow(sequence, path);
    return entry?.kind === "directory" ? undefined : entry;
  }

  #row(entry: TreeEntry): FileRow {
    const { path, kind, sizeBytes, executable, contentId: content } = entry;
    if (kind !== "directory" && !this.#contents.has(content)) this.#contents.set(content, entry);
    const mode = entry.mode ?? (kind === "directory" || executable ? 0o755 : 0o644);
    return { path, kind, sizeBytes, mode, content };
  }

  async #build(): Promise<RunOverview> {
    const { reader } = this;
    const { header, lastSequence } = reader;
    const hasFiles = header?.base !== undefined;
    const children = await reader.children();
    return buildOverview({
      ...this.#options,
      header: header === undefined ? null : { ...header },
      ...{ events: reader.events, transcript: reader.transcript, hasFiles },
      part: (id) => reader.part(id),
      children: children.map(({ name }) => name),
      changedFiles: hasFiles ? (await reader.diff(0, lastSequence)).files.length : null,
    });
  }
}

/** Leaves out states in which the file did not change. */
function withoutRepeats(versions: readonly FileVersion[]): readonly FileVersion[] {
  return versions.filter(({ content }, at) => versions[at - 1]?.content !== content);
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, ms);
    function done(): void {
      clearTimeout(timer);
      signal?.removeEventListener("abort", done);
      resolve();
    }
    signal?.addEventListener("abort", done);
  });
}

/** A run that cannot be read has a message for people. */
export function unreadable(error: unknown): SourceError {
  const message = error instanceof Error ? error.message : String(error);
  return new SourceError("MISSING", message);
}
