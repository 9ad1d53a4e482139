import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readFile, realpath } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import { saveFile } from "@wink/filesystem/host";
import type { RecordedEvent } from "@wink/session";
import { AdapterError } from "../error/adapter-error.js";
import { invalid, requireOptions } from "../runtime/context/require-options.js";
import { readStateChanges } from "../runtime/subagent/fork-changes.js";
import { mergeFork } from "../runtime/subagent/merge-fork.js";
import type { RunStarted } from "../transcript/transcript-record.js";
import { openCalls } from "./end-open-calls.js";
import { nodeOf } from "./node-of.js";
import { readRun } from "./read-run.js";
import { RUN_FILES, RunDirectory } from "./run-directory.js";
import { createHeader, type RunHeader } from "./run-header.js";
import { linesOf as linesIn } from "./run-lines.js";
import type { RunReader } from "./run-reader.js";
import { isStoredRun, lostRun, readLines, type StoredRunSource, StoreHead } from "./store-head.js";
import { withStoredRun } from "./stored-run-source.js";

export interface ForkRunOptions {
  /** The event to fork at. @default the last event */
  readonly at?: number | undefined;
  /** The id of the new run in a directory. @default a random UUID */
  readonly id?: string | undefined;
}

/** What a fork takes from its source. */
interface ForkPoint {
  readonly run: RunReader;
  /** The header of the new run, without its store. */
  readonly header: RunHeader;
  /** The event to fork at. */
  readonly at: number;
  /** The last event that the new run has. */
  readonly last: number;
}

/**
 * Makes a new run from the beginning of another one. A call that was in progress at the event is not part of it. Files
 * are not copied: both runs share the store of states.
 */
export async function forkRun(
  source: string | StoredRunSource,
  target: string,
  options: ForkRunOptions,
): Promise<RunHeader> {
  requireOptions("Run.fork", options, ["at", "id"]);
  for (const each of [source, target])
    if ((typeof each !== "string" || each === "") && !isStoredRun(each))
      throw invalid(
        "Run.fork",
        "pass the directories of both runs, or a run in a store and an id.",
      );
  return await withStoredRun(source, async (found) => {
    using run = await readRun(found);
    const id = isStoredRun(found) ? target : (options.id ?? randomUUID());
    const point = forkPoint(run, id, options);
    return isStoredRun(found)
      ? await forkInStore(found, target, point)
      : await forkDirectory(found, target, point);
  });
}

function forkPoint(run: RunReader, id: string, options: ForkRunOptions): ForkPoint {
  const { header } = run;
  if (header === undefined) throw notForkable("it has no header");
  if (header.redacted) throw notForkable("texts of its transcript were replaced");
  const at = options.at ?? run.lastSequence;
  if (!Number.isSafeInteger(at) || at < 1 || at > run.lastSequence)
    throw invalid("at", `the run has the events 1 to ${run.lastSequence}.`);
  const { agent, params, model, adapter, prompt, base } = header;
  const made = createHeader({
    ...{ id, agent, params, model, adapter, prompt, base },
    forkedFrom: { run: header.id, sequence: at },
  });
  return { run, header: made, at, last: lastCommitted(run.events, at) };
}

async function forkDirectory(
  source: string,
  directory: string,
  { run, header, at, last }: ForkPoint,
): Promise<RunHeader> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const place = new RunDirectory(await realpath(directory));
  if (existsSync(join(place.path, RUN_FILES.log)))
    throw invalid("directory", "it has a run already. Choose another directory.");
  const { store: from } = run.header ?? {};
  const store =
    from === undefined ? undefined : relative(place.path, resolve(await realpath(source), from));
  const made = { ...header, ...(store !== undefined && { store }) };
  if (store !== undefined) await keepState(place, made, run.stateAt(last));
  const log = await linesOf(source, RUN_FILES.log);
  saveFile(join(place.path, RUN_FILES.log), textOf(eventsUpTo(log, last)));
  const transcript = await linesOf(source, RUN_FILES.transcript);
  saveFile(join(place.path, RUN_FILES.transcript), textOf(recordsBefore(transcript, at)));
  // Last, so that a fork that was interrupted has no header.
  place.writeHeader(made);
  return made;
}

/** The states of the source are copied as entries; their contents are shared. */
async function forkInStore(
  { store, id: from }: StoredRunSource,
  id: string,
  { run, header, at, last }: ForkPoint,
): Promise<RunHeader> {
  if ((await store.read(id)) !== undefined)
    throw invalid("Run.fork", `the store has a run '${id.slice(0, 80)}' already.`);
  const source = await store.read(from);
  if (source === undefined) throw lostRun(from);
  const head = await StoreHead.open({ store, id }, { files: { from } });
  try {
    await head.copyStates(source);
    await restoreChanges(head, run.stateAt(last));
    const { events, transcript } = linesIn(await readLines(source), "");
    head.append("", "events", textOf(eventsUpTo(events, last)));
    head.append("", "transcript", textOf(recordsBefore(transcript, at)));
    const made = { ...header, store: "." };
    head.writeHeader("", JSON.stringify(made));
    await head.flush();
    return made;
  } catch (error) {
    await head.close().catch(() => {});
    await store.delete(id);
    throw error;
  } finally {
    await head.close();
  }
}

/** Gives the files of a head the state, by the paths that differ. */
async function restoreChanges({ files, filesystem }: StoreHead, state: string): Promise<void> {
  const { states } = files;
  const now = states.keep(files.version, undefined);
  const { files: changed } = await states.diff(now, state);
  const changes = await readStateChanges(changed, {
    base: (path) => nodeOf(states.entriesAt(now, path)),
    theirs: (path) => nodeOf(states.entriesAt(state, path)),
  });
  await mergeFork(changes, filesystem, "refuse");
}

/** The last event before the changes of the calls that were in progress at an event. */
function lastCommitted(events: readonly RecordedEvent[], at: number): number {
  const before = events.filter(({ sequence }) => sequence <= at);
  const starts = new Map<unknown, number>();
  for (const { toolCallId, start = 0 } of openCalls(before, [])) starts.set(toolCallId, start);
  const first = before.find(({ type, meta, sequence }) => {
    const start = starts.get({ ...meta }["toolCallId"]);
    return start !== undefined && sequence > start && !type.startsWith("run.");
  });
  return first === undefined ? at : first.sequence - 1;
}

/** A reference to the state, so that the store keeps it as long as the new run. */
async function keepState(place: RunDirectory, { id, store }: RunHeader, state: string) {
  const states = place.openStates(store ?? "", false);
  try {
    await states.add(id, state, [], "forked");
  } finally {
    states.close();
  }
}

function eventsUpTo(lines: readonly string[], last: number): readonly string[] {
  const end = lines.findIndex((line) => {
    const { event } = JSON.parse(line) as { event?: { sequence: number } };
    return event?.sequence === last;
  });
  return lines.slice(0, end + 1);
}

/**
 * The records from before an event. A record has the number of the last event when it was written, so a record with
 * this number was written after the event. The new run has its own limits.
 */
function recordsBefore(lines: readonly string[], at: number): readonly string[] {
  const kept: string[] = [];
  const parts: string[] = [];
  for (const line of lines) {
    if (line.startsWith('{"kind":"part"')) {
      parts.push(line);
      continue;
    }
    const record = JSON.parse(line) as { kind: string; sequence?: number };
    if (record.sequence !== undefined && record.sequence >= at) break;
    kept.push(
      ...parts.splice(0),
      record.kind === "run" ? withoutLimits(record as RunStarted) : line,
    );
  }
  return kept;
}

function withoutLimits({ limits, ...record }: RunStarted): string {
  const { maxTurns } = limits;
  return JSON.stringify({ ...record, limits: maxTurns === undefined ? {} : { maxTurns } });
}

async function linesOf(directory: string, name: string): Promise<readonly string[]> {
  const text = await readFile(join(directory, name), "utf8").catch(() => "");
  return text.split("\n").slice(0, -1);
}

function textOf(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join("");
}

function notForkable(why: string): AdapterError {
  return new AdapterError("NOT_RESUMABLE", {
    subject: "run",
    reason: `it cannot be forked, because ${why}`,
  });
}
