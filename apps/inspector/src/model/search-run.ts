import type { TranscriptEntry } from "@wink/adapters/run";
import type { RecordedEvent } from "@wink/session";
import { describeEvent } from "./describe-event.js";
import { fieldsOf, listOf } from "./run-facts.js";
import type { RunOverview } from "./run-overview.js";
import type { FileRow, SearchHit, SearchOptions, SearchResult } from "./run-views.js";

/** What a search reads. */
export interface Searched {
  readonly overview: RunOverview;
  events(from: number, to: number): Promise<readonly RecordedEvent[]>;
  transcript(): Promise<readonly TranscriptEntry[]>;
  part(id: string): Promise<unknown>;
  /** The files after the last event. */
  files(): Promise<readonly FileRow[]>;
}

const PLACES = ["paths", "text", "events"] as const;
const EVENTS_PER_STEP = 1_000;
const EXCERPT_CHARACTERS = 60;

/** Finds a text in paths, in the conversation, and in events, without regard to case. */
export async function searchRun(
  searched: Searched,
  text: string,
  { in: places = PLACES, limit = 200, after = "" }: SearchOptions,
): Promise<SearchResult> {
  const wanted = text.toLowerCase();
  if (wanted === "") return { hits: [], next: null };
  const [startPlace = "", startAt = "0"] = after.split(":");
  const hits: SearchHit[] = [];
  let isSkipping = PLACES.some((place) => place === startPlace);
  for (const place of PLACES) {
    if (isSkipping && place !== startPlace) continue;
    const from = isSkipping ? Number(startAt) : 0;
    isSkipping = false;
    if (!places.includes(place)) continue;
    for await (const { hit, next } of searchIn(place, searched, wanted, from)) {
      hits.push(hit);
      if (hits.length >= limit) return { hits, next: `${place}:${next}` };
    }
  }
  return { hits, next: null };
}

interface Found {
  readonly hit: SearchHit;
  /** The position at which the next search continues. */
  readonly next: number;
}

function searchIn(
  place: (typeof PLACES)[number],
  searched: Searched,
  wanted: string,
  from: number,
): AsyncGenerator<Found> {
  if (place === "paths") return inPaths(searched, wanted, from);
  return place === "text" ? inText(searched, wanted, from) : inEvents(searched, wanted, from);
}

async function* inPaths(
  { overview, files }: Searched,
  wanted: string,
  from: number,
): AsyncGenerator<Found> {
  const entries = overview.has.files ? await files() : [];
  for (const [at, { path, kind }] of entries.entries()) {
    if (at < from || kind === "directory") continue;
    const match = excerptOf(path, wanted);
    if (match === undefined) continue;
    const place = { in: "paths", where: "file", path, sequence: overview.lastSequence } as const;
    yield { hit: { ...place, ...match, call: null, turn: null }, next: at + 1 };
  }
}

async function* inText(searched: Searched, wanted: string, from: number): AsyncGenerator<Found> {
  const { overview } = searched;
  const seen = new Set<string>();
  const turns = new Map(overview.turns.map(({ run, turn, index }) => [`${run}/${turn}`, index]));
  const records = await searched.transcript();
  for (const [at, record] of records.entries()) {
    const parts = (await partsOf(record, searched)).filter(({ id }) => !seen.has(id));
    for (const { id } of parts) seen.add(id);
    // Parts of earlier records count as seen, so that a search that continues finds each of them once.
    if (at < from) continue;
    for (const { id, where } of parts) {
      const match = excerptOf(shownText(await searched.part(id)), wanted);
      if (match === undefined) continue;
      const turn = "turn" in record ? (turns.get(`${record.run}/${record.turn}`) ?? null) : null;
      const sequence = Math.max(record.sequence, overview.firstSequence);
      const call = overview.columns.call[sequence - overview.columns.from] ?? -1;
      const found = { in: "text", sequence, turn, where, path: null, ...match } as const;
      yield { hit: { ...found, call: call < 0 ? null : call }, next: at + 1 };
      break;
    }
  }
}

async function partsOf(
  record: TranscriptEntry,
  { part }: Searched,
): Promise<readonly { readonly id: string; readonly where: string }[]> {
  if (record.kind === "turn") return [{ id: record.message, where: "the model's answer" }];
  if (record.kind === "outcome") return [{ id: record.message, where: "answer of a tool" }];
  if (record.kind !== "ask") return [];
  const sections = listOf(await part(record.prompt)).map((section) => {
    const { text, title } = fieldsOf(section);
    return { id: String(text), where: title === "" ? "prompt" : `section ${title}` };
  });
  return [...sections, ...record.add.map((id) => ({ id, where: "message" }))];
}

function shownText(value: unknown): string {
  if (typeof value === "string") return value;
  const { text, toolCalls } = fieldsOf(value);
  const calls = listOf(toolCalls).map((call) => String(fieldsOf(call)["arguments"]));
  return [text === undefined ? JSON.stringify(value) : String(text), ...calls].join("\n");
}

async function* inEvents(searched: Searched, wanted: string, from: number): AsyncGenerator<Found> {
  const { overview } = searched;
  const { firstSequence, lastSequence, columns } = overview;
  for (let at = Math.max(from, firstSequence); at <= lastSequence; at += EVENTS_PER_STEP) {
    const events = await searched.events(at, Math.min(lastSequence, at + EVENTS_PER_STEP - 1));
    for (const event of events) {
      const { sequence, type, payload } = event;
      const match = excerptOf(`${type} ${JSON.stringify(payload)}`, wanted);
      if (match === undefined) continue;
      const [call, turn] = [columns.call, columns.turn].map((column) => {
        const index = column[sequence - columns.from] ?? -1;
        return index < 0 ? null : index;
      });
      const { what } = describeEvent(event, () => false);
      const found = { in: "events", sequence, where: what, path: null, ...match } as const;
      yield { hit: { ...found, call: call ?? null, turn: turn ?? null }, next: sequence + 1 };
    }
  }
}

function excerptOf(
  text: string,
  wanted: string,
): Pick<SearchHit, "excerpt" | "start" | "end"> | undefined {
  const at = text.toLowerCase().indexOf(wanted);
  if (at < 0) return undefined;
  const from = Math.max(0, at - EXCERPT_CHARACTERS);
  const excerpt = text.slice(from, at + wanted.length + EXCERPT_CHARACTERS);
  return { excerpt, start: at - from, end: at - from + wanted.length };
}
