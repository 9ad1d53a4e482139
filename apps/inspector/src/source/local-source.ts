import type { Position, RunKey } from "../model/run-overview.js";
import type {
  BlameRange,
  BlameView,
  FilesAt,
  SearchOptions,
  SliceView,
  StateView,
} from "../model/run-views.js";
import { searchRun } from "../model/search-run.js";
import { FileAnswers } from "./file-answers.js";
import {
  requireId,
  requireNumber,
  requirePosition,
  requireSearch,
  requireText,
} from "./require-argument.js";
import { RunAnswers } from "./run-answers.js";
import type { RunCatalog } from "./run-data.js";
import type { RunSource, SourceInfo } from "./run-source.js";

interface OpenRun {
  readonly run: RunAnswers;
  readonly files: FileAnswers;
}

const MAX_SLICE_CHARACTERS = 1_000_000;

/** Answers all questions from stored runs, in Node and in the browser. */
export class LocalSource implements RunSource {
  readonly #catalog: RunCatalog;
  readonly #info: () => Promise<SourceInfo>;
  readonly #open = new Map<RunKey, Promise<OpenRun>>();

  constructor(catalog: RunCatalog, info: () => Promise<SourceInfo>) {
    this.#catalog = catalog;
    this.#info = info;
  }

  info(): Promise<SourceInfo> {
    return this.#info();
  }

  async overview(key: RunKey, since?: Position) {
    const { run } = await this.#run(key);
    await run.data.refresh();
    return await run.data.overview(since == null ? undefined : requirePosition(since));
  }

  async wait(key: RunKey, version: string, signal?: AbortSignal) {
    return await (await this.#run(key)).run.data.wait(requireText("version", version, 100), signal);
  }

  async events(key: RunKey, from: number, to: number) {
    return await (await this.#run(key)).run.events(from, to);
  }

  async records(key: RunKey, sequence: number) {
    return await (await this.#run(key)).run.records(sequence);
  }

  async part(key: RunKey, id: string) {
    return await (await this.#run(key)).run.data.part(requireId("part", id));
  }

  async tree(key: RunKey, at: FilesAt) {
    return await (await this.#run(key)).files.tree(at);
  }

  async changes(key: RunKey, from: FilesAt, to: FilesAt) {
    return await (await this.#run(key)).files.changes(from, to);
  }

  async content(key: RunKey, id: string) {
    return await (await this.#run(key)).files.content(id);
  }

  async diff(key: RunKey, before: string | null, after: string | null) {
    return await (await this.#run(key)).files.diff(before, after);
  }

  async prompt(key: RunKey, turn: number) {
    return await (await this.#run(key)).run.prompt(turn);
  }

  async messages(key: RunKey, sequence: number, from: number, to: number) {
    return await (await this.#run(key)).run.messages(sequence, from, to);
  }

  async call(key: RunKey, index: number) {
    return await (await this.#run(key)).run.call(index);
  }

  async state(key: RunKey, sequence: number): Promise<StateView> {
    const { run } = await this.#run(key);
    const { lastSequence } = await run.overview();
    const at = requireNumber("sequence", sequence, lastSequence);
    const slices = (await run.data.slices(at)).map(cutSlice);
    return { sequence: at, slices: slices.sort((a, b) => (a.name < b.name ? -1 : 1)) };
  }

  async seen(key: RunKey, sequence: number, entry: number) {
    return await (await this.#run(key)).files.seen(sequence, entry);
  }

  async blame(key: RunKey, sequence: number, entry: number): Promise<BlameView> {
    const { run, files } = await this.#run(key);
    const view = await files.blame(sequence, entry);
    const { calls } = await run.overview();
    const ranges: BlameRange[] = [];
    for (const range of view.ranges) {
      const child = range.call === null ? null : (calls[range.call]?.child ?? null);
      if (child === null) ranges.push(range);
      else ranges.push(...(await this.#blameChild(range, child, view, { key, sequence, entry })));
    }
    return { ...view, ranges };
  }

  async search(key: RunKey, text: string, options: SearchOptions = {}) {
    const { run, files } = await this.#run(key);
    const overview = await run.overview();
    return await searchRun(
      {
        overview,
        events: (from, to) => run.data.events(from, to),
        transcript: async () => (overview.has.prompts ? await run.data.transcript() : []),
        part: (id) => run.data.part(id),
        files: async () => (await files.tree({ event: overview.lastSequence })).entries,
      },
      requireText("text", text, 1_000),
      requireSearch(options),
    );
  }

  /** The lines that a subagent wrote, by its own calls, if its last version of the file has these lines. */
  async #blameChild(
    range: BlameRange,
    child: RunKey,
    { path }: BlameView,
    at: { readonly key: RunKey; readonly sequence: number; readonly entry: number },
  ): Promise<readonly BlameRange[]> {
    const { run, files } = await this.#run(child);
    const { lastSequence, has } = await run.overview();
    if (!has.files) return [range];
    const { entries } = await files.tree({ event: lastSequence });
    const entry = entries.findIndex((each) => each.path === path);
    const own = (await (await this.#run(at.key)).files.tree({ event: at.sequence })).entries[
      at.entry
    ];
    // Line numbers agree only if nothing changed the file after the subagent.
    if (entry < 0 || own === undefined || entries[entry]?.content !== own.content) return [range];
    const inner = await this.blame(child, lastSequence, entry);
    return inner.ranges.flatMap((each): readonly BlameRange[] => {
      const [from, to] = [Math.max(range.from, each.from), Math.min(range.to, each.to)];
      if (from > to) return [];
      const place = each.child ?? { run: child, sequence: each.sequence, call: each.call };
      return [{ ...range, from, to, child: place }];
    });
  }

  async #run(key: RunKey): Promise<OpenRun> {
    const known = this.#open.get(key);
    if (known !== undefined) return await known;
    const opened = this.#catalog.open(key).then((data) => {
      const run = new RunAnswers(data);
      return { run, files: new FileAnswers(data, () => run.overview()) };
    });
    this.#open.set(key, opened);
    // A run that could not be read may be complete at the next question.
    opened.catch(() => this.#open.delete(key));
    return await opened;
  }
}

function cutSlice(slice: SliceView): SliceView {
  const json = JSON.stringify(slice.value) ?? "null";
  if (json.length <= MAX_SLICE_CHARACTERS) return slice;
  return { ...slice, value: json.slice(0, MAX_SLICE_CHARACTERS), isCut: true };
}
