import { compareFiles } from "../model/compare-files.js";
import { countDiff, diffHunks } from "../model/diff-hunks.js";
import {
  blameRanges,
  type FileSight,
  seenRanges,
  sightsOf,
  type TextVersion,
} from "../model/file-history.js";
import { stateAt } from "../model/find-in-overview.js";
import type { RunOverview } from "../model/run-overview.js";
import type {
  BlameView,
  ChangeList,
  ChangeRow,
  ContentId,
  FileRow,
  FilesAt,
  FileTree,
  FileView,
  SeenRange,
  TextDiff,
} from "../model/run-views.js";
import { MAX_CONTENT_BYTES, textOfBytes, viewContent } from "../model/view-content.js";
import { requireId, requireNumber, unknown } from "./require-argument.js";
import type { RunData } from "./run-data.js";
import { SourceError } from "./source-error.js";

const MAX_CHANGES = 5_000;
const EVENTS_PER_STEP = 1_000;

/** Answers about the files of one run. */
export class FileAnswers {
  readonly #data: RunData;
  readonly #overview: () => Promise<RunOverview>;
  #sights: { readonly to: number; readonly list: readonly FileSight[] } = { to: 0, list: [] };

  constructor(data: RunData, overview: () => Promise<RunOverview>) {
    this.#data = data;
    this.#overview = overview;
  }

  async tree(at: FilesAt): Promise<FileTree> {
    const overview = await this.#overview();
    const moment = requireMoment(overview, at);
    return { state: idOf(overview, moment), entries: await this.#data.files(moment) };
  }

  async changes(from: FilesAt, to: FilesAt): Promise<ChangeList> {
    const overview = await this.#overview();
    const [a, b] = [requireMoment(overview, from), requireMoment(overview, to)];
    const ids = { from: idOf(overview, a), to: idOf(overview, b) };
    const changes: readonly ChangeRow[] =
      ids.from === ids.to ? [] : compareFiles(await this.#data.files(a), await this.#data.files(b));
    return { ...ids, changes: changes.slice(0, MAX_CHANGES), total: changes.length };
  }

  async content(id: ContentId): Promise<FileView> {
    const content = requireId("content", id);
    return viewContent(content, await this.#data.content(content));
  }

  async diff(before: ContentId | null, after: ContentId | null): Promise<TextDiff> {
    const [a, b] = [await this.#text(before), await this.#text(after)];
    const isCut = a.isCut || b.isCut;
    if (a.text === undefined || b.text === undefined)
      return { hunks: [], added: 0, removed: 0, isBinary: true, isCut };
    const hunks = await diffHunks(a.text, b.text);
    return { hunks, ...countDiff(hunks), isBinary: false, isCut };
  }

  async seen(sequence: number, entry: number): Promise<readonly SeenRange[]> {
    const { overview, file } = await this.#file(sequence, entry);
    const versions = await this.#data.versions(file.path, sequence);
    const paths = new Set(versions.map(({ path }) => path).concat(file.path));
    const sights = (await this.#sightsUntil(sequence)).filter(({ path }) => paths.has(path));
    return seenRanges(overview, sights, versions);
  }

  async blame(sequence: number, entry: number): Promise<BlameView> {
    const { overview, file } = await this.#file(sequence, entry);
    if (file.kind !== "file") throw new SourceError("INVALID", `${file.path}: it is not a file.`);
    const versions: TextVersion[] = [];
    for (const { sequence: written, content } of await this.#data.versions(file.path, sequence)) {
      const { text } = await this.#text(content);
      if (text === undefined)
        throw new SourceError("INVALID", `${file.path}: it is not text, so it has no lines.`);
      versions.push({ sequence: written, content, text });
    }
    return { path: file.path, ranges: await blameRanges(overview, versions) };
  }

  async #file(
    sequence: number,
    entry: number,
  ): Promise<{ readonly overview: RunOverview; readonly file: FileRow }> {
    const overview = await this.#overview();
    const moment = requireMoment(overview, { event: sequence });
    const file = (await this.#data.files(moment))[requireNumber("entry", entry)];
    if (file === undefined) throw unknown(`File ${entry}`);
    return { overview, file };
  }

  async #sightsUntil(sequence: number): Promise<readonly FileSight[]> {
    let { to, list } = this.#sights;
    for (let at = to + 1; at <= sequence; at += EVENTS_PER_STEP) {
      const last = Math.min(sequence, at + EVENTS_PER_STEP - 1);
      list = list.concat((await this.#data.events(at, last)).flatMap(sightsOf));
      to = last;
    }
    this.#sights = { to: Math.max(to, this.#sights.to), list };
    return list.filter((sight) => sight.sequence <= sequence);
  }

  async #text(
    id: ContentId | null,
  ): Promise<{ readonly text: string | undefined; readonly isCut: boolean }> {
    if (id === null) return { text: "", isCut: false };
    const bytes = await this.#data.content(requireId("content", id));
    const isCut = bytes.length > MAX_CONTENT_BYTES;
    return { text: textOfBytes(bytes.subarray(0, MAX_CONTENT_BYTES), isCut), isCut };
  }
}

function requireMoment(overview: RunOverview, at: FilesAt): FilesAt {
  const event = requireNumber("event", at?.event, overview.lastSequence);
  if (!overview.has.files)
    throw new SourceError("MISSING", "Files: this source does not have the files of the run.");
  return at.undone === true ? { event, undone: true } : { event };
}

/** The overview has no id for the files before a rollback, so this makes one. */
function idOf(overview: RunOverview, { event, undone }: FilesAt): string {
  return undone === true ? `undone-${event}` : (stateAt(overview, event) ?? "");
}
