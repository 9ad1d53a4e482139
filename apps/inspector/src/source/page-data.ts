import type { TranscriptEntry } from "@wink/adapters/run";
import type { RecordedEvent } from "@wink/session";
import { applyDelta, type JsonDelta } from "../model/json-delta.js";
import { overviewSince } from "../model/merge-overview.js";
import type { Position, RunOverview } from "../model/run-overview.js";
import type { FileRow, FilesAt, SliceView } from "../model/run-views.js";
import type { PageChunks } from "./page-chunks.js";
import type {
  ContentPlaces,
  PageManifest,
  RunChunks,
  Segment,
  SegmentContent,
  TreeJson,
} from "./page-format.js";
import { fileHistory, type HistoryFrame, rowsOf } from "./page-trees.js";
import { unknown } from "./require-argument.js";
import type { FileVersion, RunData } from "./run-data.js";
import { SourceError } from "./source-error.js";

/** One run of an exported page. */
export class PageData implements RunData {
  readonly #chunks: PageChunks;
  readonly #manifest: PageManifest;
  readonly #run: RunChunks;
  #overview: Promise<RunOverview> | undefined;
  #transcript: Promise<readonly TranscriptEntry[]> | undefined;
  #partChunks: Promise<ReadonlyMap<string, number>> | undefined;

  constructor(chunks: PageChunks, manifest: PageManifest, run: RunChunks) {
    this.#chunks = chunks;
    this.#manifest = manifest;
    this.#run = run;
  }

  async refresh(): Promise<void> {}

  async overview(since?: Position): Promise<RunOverview> {
    // The exporter wrote the chunks with the types of the format.
    this.#overview ??= this.#chunks.json(this.#run.overview) as Promise<RunOverview>;
    return since === undefined ? await this.#overview : overviewSince(await this.#overview, since);
  }

  /** An exported run does not grow. */
  wait(_version: string, signal: AbortSignal | undefined): Promise<boolean> {
    return new Promise((resolve) => {
      if (signal?.aborted === true) resolve(false);
      signal?.addEventListener("abort", () => resolve(false), { once: true });
    });
  }

  async events(from: number, to: number): Promise<readonly RecordedEvent[]> {
    const { events } = this.#run;
    const found: RecordedEvent[] = [];
    for (const [at, segment] of events.entries()) {
      const next = events[at + 1]?.from ?? Number.POSITIVE_INFINITY;
      if (segment.from > to || next <= from) continue;
      const list = (await this.#chunks.json(segment.chunk)) as readonly RecordedEvent[];
      for (const event of list)
        if (event.sequence >= from && event.sequence <= to) found.push(event);
    }
    return found;
  }

  transcript(): Promise<readonly TranscriptEntry[]> {
    this.#transcript ??= Promise.all(
      this.#run.transcript.map((chunk) => this.#chunks.json(chunk)),
    ).then((lists) => (lists as (readonly TranscriptEntry[])[]).flat());
    return this.#transcript;
  }

  async part(id: string): Promise<unknown> {
    this.#partChunks ??= this.#readPartIds();
    const chunk = (await this.#partChunks).get(id);
    if (chunk === undefined) throw unknown("This part of the transcript");
    const parts = (await this.#chunks.json(chunk)) as readonly (readonly [string, unknown])[];
    return parts.find(([each]) => each === id)?.[1];
  }

  async slices(sequence: number): Promise<readonly SliceView[]> {
    const value = (await this.#valueAt(this.#run.slices, sequence)) ?? {};
    return Object.entries(value as Record<string, Omit<SliceView, "name">>).map(
      ([name, slice]) => ({
        name,
        ...slice,
      }),
    );
  }

  async files({ event, undone }: FilesAt): Promise<readonly FileRow[]> {
    const tree = await this.#valueAt(this.#run.trees, event);
    if (tree === undefined)
      throw new SourceError("MISSING", "Files: this page does not have them.");
    if (undone !== true) return rowsOf(tree as TreeJson);
    const { undone: chunk } = this.#run;
    const deltas =
      chunk === null ? {} : ((await this.#chunks.json(chunk)) as Record<number, JsonDelta>);
    const delta = deltas[event];
    if (delta === undefined) throw unknown(`A rollback of files at event ${event}`);
    return rowsOf(applyDelta(tree, delta) as TreeJson);
  }

  async content(id: string): Promise<Uint8Array> {
    const { contentPlaces } = this.#manifest;
    const places =
      contentPlaces === null ? {} : ((await this.#chunks.json(contentPlaces)) as ContentPlaces);
    const place = Object.hasOwn(places, id) ? places[id] : undefined;
    if (place === undefined) throw unknown("This content");
    const [chunk, offset, length] = place;
    return (await this.#chunks.bytes(chunk)).subarray(offset, offset + length);
  }

  async versions(path: string, sequence: number): Promise<readonly FileVersion[]> {
    const frames: HistoryFrame[] = [];
    for (const [at, segment] of this.#run.trees.entries()) {
      if (segment.from > sequence && at > 0) break;
      const { value, changes } = (await this.#chunks.json(segment.chunk)) as SegmentContent;
      // Every segment starts with a whole tree. The file history compares it with the tree before.
      frames.push({ sequence: segment.from, tree: value as TreeJson });
      for (const [at, delta] of changes) if (at <= sequence) frames.push({ sequence: at, delta });
    }
    return fileHistory(frames, path);
  }

  async #valueAt(segments: readonly Segment[], sequence: number): Promise<unknown> {
    // A moment before the first state gets the first state.
    const segment = segments.findLast(({ from }) => from <= sequence) ?? segments[0];
    if (segment === undefined) return undefined;
    const { value, changes } = (await this.#chunks.json(segment.chunk)) as SegmentContent;
    let current = value;
    for (const [at, delta] of changes) {
      if (at > sequence) break;
      current = applyDelta(current, delta);
    }
    return current;
  }

  async #readPartIds(): Promise<ReadonlyMap<string, number>> {
    const { ids, chunks } = this.#manifest.parts;
    const lists =
      ids === null ? [] : ((await this.#chunks.json(ids)) as readonly (readonly string[])[]);
    const found = new Map<string, number>();
    lists.forEach((list, at) => {
      for (const id of list) found.set(id, chunks[at] ?? -1);
    });
    return found;
  }
}
