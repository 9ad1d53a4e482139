import type { RunReader } from "@wink/adapters/run";
import type { ChangeSet, TreeEntry } from "@wink/filesystem";
import type { Session } from "@wink/session";
import type { JsonDelta } from "../model/json-delta.js";
import type { RunKey, RunOverview } from "../model/run-overview.js";
import type { ExportContents } from "../model/run-views.js";
import {
  type FileJson,
  PAGE_FORMAT,
  PAGE_VERSION,
  type PageManifest,
  type RunChunks,
  type Segment,
} from "../source/page-format.js";
import { ChunkWriter, SegmentWriter, writeLists } from "./chunk-writer.js";
import { ContentWriter } from "./content-writer.js";
import { type Omitted, omitFromEvent, omitFromOverview, omitFromPart } from "./omit-contents.js";
import { exportedPage } from "./page-policy.js";
import type { ReaderData } from "./reader-data.js";
import type { RunFiles } from "./run-files.js";
import { SliceTracker } from "./slice-tracker.js";

export interface ExportOptions {
  readonly files: RunFiles;
  /** The runs to include, with their subagents. */
  readonly runs: readonly RunKey[];
  readonly omit: Omitted;
  /** The HTML of the page, with the two placeholders of `buildPage`. */
  readonly page: string;
  readonly compare?: RunKey | undefined;
  readonly version: string;
}

/** One HTML file with runs in it, and what it contains. */
export async function exportPage(
  options: ExportOptions,
): Promise<{ readonly html: string; readonly contents: ExportContents }> {
  const { page, omit, runs, files, compare } = options;
  const { head, tail } = exportedPage(page);
  const exporter = new PageExporter(files, omit);
  for (const key of runs) await exporter.addRun(key, true);
  const contents = exporter.contents(options.version);
  const manifest = exporter.manifest({ open: runs[0] ?? null, compare: compare ?? null, contents });
  return { html: head + exporter.writer.finish(manifest) + tail, contents };
}

class PageExporter {
  readonly writer = new ChunkWriter();
  readonly #files: RunFiles;
  readonly #omit: Omitted;
  readonly #contents: ContentWriter;
  readonly #data: Record<RunKey, RunChunks> = {};
  readonly #runs: PageManifest["runs"][number][] = [];
  /** The parts of all runs, each once. */
  readonly #parts = new Map<string, unknown>();
  #events = 0;

  constructor(files: RunFiles, omit: Omitted) {
    this.#files = files;
    this.#omit = omit;
    this.#contents = new ContentWriter(this.writer);
  }

  async addRun(key: RunKey, isListed: boolean): Promise<void> {
    const data = await this.#files.open(key);
    const overview = omitFromOverview(await data.overview(), this.#omit);
    if (isListed) this.#runs.push(overview.summary);
    this.#events += data.reader.events.length;
    this.#data[key] = {
      overview: this.writer.json(overview),
      events: this.#writeEvents(data.reader),
      transcript: this.#writeTranscript(data.reader),
      slices: this.#writeSlices(data.reader),
      ...(await this.#writeTrees(data, overview)),
    };
    for (const { run } of overview.children) await this.addRun(run, false);
  }

  contents(wink: string): ExportContents {
    const { fileCount, fileBytes } = this.#contents;
    return {
      ...{ runs: Object.keys(this.#data).length, events: this.#events, fileCount, fileBytes, wink },
      ...{ prompts: !this.#omit.prompts, files: !this.#omit.files },
      createdAt: new Date().toISOString(),
    };
  }

  manifest(facts: Pick<PageManifest, "open" | "compare" | "contents">): PageManifest {
    const [ids, chunks]: [string[][], number[]] = [[], []];
    writeLists(this.writer, this.#parts, (chunk, list) => {
      chunks.push(chunk);
      ids.push(list.map(([id]) => id));
    });
    return {
      ...{
        format: PAGE_FORMAT,
        version: PAGE_VERSION,
        runs: this.#runs,
        data: this.#data,
        ...facts,
      },
      parts: { ids: chunks.length === 0 ? null : this.writer.json(ids), chunks },
      contentPlaces: this.#contents.finish(),
    };
  }

  #writeEvents({ events }: RunReader): readonly Segment[] {
    const segments: Segment[] = [];
    const kept = events.map((event) => omitFromEvent(event, this.#omit));
    writeLists(this.writer, kept, (chunk, list) => {
      segments.push({ from: list[0]?.sequence ?? 0, chunk });
    });
    return segments;
  }

  #writeTranscript(reader: RunReader): readonly number[] {
    if (this.#omit.prompts) return [];
    for (const [id, value] of partsOf(reader)) this.#parts.set(id, omitFromPart(value, this.#omit));
    const chunks: number[] = [];
    writeLists(this.writer, reader.transcript, (chunk) => chunks.push(chunk));
    return chunks;
  }

  #writeSlices(reader: RunReader): readonly Segment[] {
    const segments = new SegmentWriter(this.writer);
    const tracker = new SliceTracker();
    for (const { sequence, session } of reader.sessions() as Iterable<{
      sequence: number;
      session: Session;
    }>) {
      const value = tracker.slicesOf(session);
      if (value !== undefined) segments.add(sequence, value);
    }
    return segments.end();
  }

  async #writeTrees(
    data: ReaderData,
    { states, calls, has }: RunOverview,
  ): Promise<Pick<RunChunks, "trees" | "undone">> {
    if (!has.files) return { trees: [], undone: null };
    const { reader } = data;
    const segments = new SegmentWriter(this.writer);
    const tree = new Map<string, FileJson>();
    for (const [at, { sequence }] of states.entries()) {
      const before = states[at - 1];
      if (before === undefined)
        for (const entry of reader.filesAt(sequence))
          tree.set(entry.path, await this.#contents.add(entry));
      const changes = before && (await reader.diff(before.sequence, sequence));
      const delta = changes && (await this.#treeDelta(changes, reader, sequence));
      if (delta !== undefined) applyTo(tree, delta);
      segments.change(sequence, delta, () => Object.fromEntries(tree));
    }
    const undone: Record<number, JsonDelta> = {};
    for (const { end, undone: rollback } of calls) {
      if (end === null || rollback === null) continue;
      const changes = await reader.undoneBy(end);
      if (changes !== undefined) undone[end] = await this.#treeDelta(changes, reader, undefined);
    }
    const isEmpty = Object.keys(undone).length === 0;
    return { trees: segments.end(), undone: isEmpty ? null : this.writer.json(undone) };
  }

  /**
   * The change of a tree. Changes list a directory only if it is empty, so the directories above changed paths are read
   * from the state after `sequence`. A state before a rollback has none, so its directories follow from its files.
   */
  async #treeDelta(
    changes: ChangeSet,
    reader: RunReader,
    sequence: number | undefined,
  ): Promise<TreeDelta> {
    const set = new Map<string, FileJson>();
    const removed = new Set<string>();
    for (const { before, after } of changes.entries()) {
      if (before !== undefined && before.path !== after?.path) removed.add(before.path);
      if (after !== undefined) set.set(after.path, await this.#contents.add(after));
      for (const path of [before?.path, after?.path].flatMap(parentsOf)) {
        if (set.has(path) || removed.has(path)) continue;
        const found = sequence === undefined ? undefined : directoryAt(reader, sequence, path);
        if (found !== undefined) set.set(path, await this.#contents.add(found));
        else if (sequence === undefined) set.set(path, ["d", 0, 0o755, ""]);
        else removed.add(path);
      }
    }
    const deltas = Array.from(set, ([path, file]) => [path, ["v", file]] as const);
    return ["o", Object.fromEntries(deltas), [...removed].filter((path) => !set.has(path))];
  }
}

type TreeDelta = readonly [
  "o",
  Readonly<Record<string, readonly ["v", FileJson]>>,
  readonly string[],
];

function applyTo(tree: Map<string, FileJson>, [, set, removed]: TreeDelta): void {
  for (const path of removed) tree.delete(path);
  for (const [path, [, file]] of Object.entries(set)) tree.set(path, file);
}

function directoryAt(reader: RunReader, sequence: number, path: string): TreeEntry | undefined {
  const [entry] = reader.filesBelow(sequence, path);
  return entry?.kind === "directory" ? entry : undefined;
}

/** `a` and `a/b` for `a/b/c`. */
function parentsOf(path: string | undefined): readonly string[] {
  const segments = (path ?? "").split("/").slice(0, -1);
  return segments.map((_, at) => segments.slice(0, at + 1).join("/"));
}

/** The parts that the records of a transcript refer to, and those that these refer to. */
function partsOf(reader: RunReader): ReadonlyMap<string, unknown> {
  const parts = new Map<string, unknown>();
  const visit = (value: unknown): void => {
    if (typeof value === "string") {
      if (!/^[\w-]{20}$/.test(value) || parts.has(value) || !reader.hasPart(value)) return;
      const part = reader.part(value);
      parts.set(value, part);
      // Only lists of sections and tools refer to other parts. A message that looks like an id is foreign text.
      if (Array.isArray(part)) visit(part);
    } else if (Array.isArray(value)) value.forEach(visit);
    else if (typeof value === "object" && value !== null) Object.values(value).forEach(visit);
  };
  visit(reader.transcript);
  return parts;
}
