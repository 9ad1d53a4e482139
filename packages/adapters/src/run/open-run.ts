import { randomUUID } from "node:crypto";
import { mkdir, realpath } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { isSnapshotable, type SnapshotableFilesystem } from "@wink/filesystem";
import { HostFilesystem } from "@wink/filesystem/host";
import type { Session } from "@wink/session";
import type { ReturnPoint } from "@wink/session/jsonl";
import { AdapterError } from "../error/adapter-error.js";
import { invalid, requireOptions } from "../runtime/context/require-options.js";
import { resourceOf } from "../runtime/transaction/call-resource.js";
import { endOpenCalls, type InterruptedCall, KILLED } from "./end-open-calls.js";
import { JournalFile } from "./journal-file.js";
import { openLog } from "./open-log.js";
import { lastState, Recording } from "./recording.js";
import { restoreState } from "./restore-state.js";
import { RUN_FILES, RunDirectory } from "./run-directory.js";
import { RunTakenOver } from "./run-events.js";
import { createHeader, type RunHeader } from "./run-header.js";
import type {
  RunAgent,
  RunOnFilesystem,
  RunOnHost,
  RunOptions,
  RunSettings,
  StoredRunOptions,
} from "./run-options.js";
import type { RunLog } from "./run-place.js";
import { RunStates } from "./run-states.js";
import type { StateStore } from "./state-store.js";
import { isStoredRun, type StoredRunSource, StoreHead } from "./store-head.js";
import { StorePlace } from "./store-place.js";
import { thisProcess } from "./this-process.js";

/** The parts of an open run, in the order in which they are opened. */
export class OpenedRun {
  readonly place: RunDirectory | StorePlace;
  /** Set only for a run in a store. */
  readonly head: StoreHead | undefined;
  journal: JournalFile | undefined;
  /** The filesystem that the run opened and closes. */
  host: HostFilesystem | undefined;
  agent: RunAgent | undefined;
  section: RunSettings["section"];
  log: RunLog | undefined;
  store: StateStore | undefined;
  interrupted: readonly InterruptedCall[] = [];
  #filesystem: SnapshotableFilesystem | undefined;
  #recording: Recording | undefined;

  constructor(place: RunDirectory | StorePlace, head?: StoreHead) {
    this.place = place;
    this.head = head;
  }

  get session(): Session {
    return required(this.log).session;
  }

  get filesystem(): SnapshotableFilesystem {
    return required(this.host ?? this.#filesystem);
  }

  set filesystem(filesystem: SnapshotableFilesystem) {
    this.#filesystem = filesystem;
  }

  get recording(): Recording {
    return required(this.#recording);
  }

  set recording(recording: Recording) {
    this.#recording = recording;
  }

  async close(): Promise<void> {
    try {
      await this.host?.close();
    } finally {
      if (this.log !== undefined) resourceOf(this.session).journal = undefined;
      this.journal?.close();
      this.#recording?.stop();
      this.store?.close();
      // Last, because this releases the lock.
      await this.log?.close();
      await this.head?.close();
    }
  }
}

function required<T>(part: T | undefined): T {
  if (part !== undefined) return part;
  throw new Error("the run is not open");
}

/** Opens the run in a directory or a store, or creates one. */
export async function openRun(
  source: string | StoredRunSource,
  options: RunOptions | StoredRunOptions,
): Promise<OpenedRun> {
  if (isStoredRun(source)) {
    requireOptions("Run.open: source", source, ["store", "id"]);
    return await openInStore(source, options);
  }
  return await openInDirectory(source, options as RunOptions);
}

async function openInStore(source: StoredRunSource, options: StoredRunOptions): Promise<OpenedRun> {
  requireOptions("Run.open", options, STORE_OPTIONS);
  const { files: _, fill, ...settings } = options;
  const head = await StoreHead.open(source, options);
  const place = new StorePlace(head);
  const opened = new OpenedRun(place, head);
  try {
    if (place.readHeader() === undefined) await fill?.(head.filesystem);
    await openParts(opened, { id: source.id, ...settings, filesystem: head.filesystem });
    const resource = resourceOf(opened.session);
    resource.flush = () => head.flush();
    resource.settled = () => head.settled;
    resource.endsInCommit = true;
    const { recording } = opened;
    const refer = (call: string, header: object) => recording.refer(call, header as RunHeader);
    resource.stored = { ...source, refer };
    await head.flush();
    return opened;
  } catch (error) {
    await opened.close().catch(() => {});
    throw error;
  }
}

async function openInDirectory(directory: string, options: RunOptions): Promise<OpenedRun> {
  checkOptions(directory, options);
  if ("workspace" in options) await requireOutside(directory, options.workspace);
  await mkdir(directory, { recursive: true, mode: 0o700 });
  // The real path, because the filesystem stores where its journal is.
  const opened = new OpenedRun(new RunDirectory(await realpath(directory)));
  try {
    await openParts(opened, options);
    return opened;
  } catch (error) {
    // A part that fails to close must not keep the lock.
    await opened.close().catch(() => {});
    throw error;
  }
}

const OPTIONS: readonly (keyof RunSettings | keyof RunOnHost | keyof RunOnFilesystem)[] = [
  ...(["workspace", "hostOptions", "filesystem", "storeDirectory", "near", "id", "agent"] as const),
  ...(["name", "section", "worker", "restoreFiles"] as const),
  ...(["params", "model", "session", "transcript", "redact", "states", "fsync"] as const),
];

const STORE_OPTIONS: readonly (keyof StoredRunOptions)[] = [
  ...(["files", "fill", "id", "agent", "name", "section", "worker"] as const),
  ...(["params", "model", "session"] as const),
  ...(["transcript", "redact", "states"] as const),
];

function checkOptions(directory: string, options: RunOptions): void {
  requireOptions("Run.open", options, OPTIONS);
  if (typeof directory !== "string" || directory === "")
    throw invalid("directory", "it must be a path.");
  if ("workspace" in options) {
    if (typeof options.workspace !== "string" || options.workspace === "")
      throw invalid("workspace", "it must be a path.");
  } else if (typeof options.filesystem !== "function" && !isSnapshotable(options.filesystem))
    throw invalid("Run.open", "pass a workspace directory, or a filesystem with snapshots.");
}

async function openParts(opened: OpenedRun, options: RunOptions): Promise<void> {
  const { fsync = false, transcript = true, states = true, redact } = options;
  const { place } = opened;
  opened.agent = typeof options.agent === "object" ? options.agent : undefined;
  opened.section = options.section;
  let header: RunHeader | undefined;
  // Runs once this process has the lock. Opens the files first, because nothing is final until the journal says so.
  const returnTo = async (): Promise<ReturnPoint | undefined> => {
    header = place.readHeader() ?? newHeader(place, options);
    if (!("workspace" in options) || !(place instanceof RunDirectory)) return undefined;
    opened.journal = new JournalFile(join(place.path, RUN_FILES.journal), fsync);
    opened.host = await HostFilesystem.open(options.workspace, {
      ...options.hostOptions,
      fsync,
      storeDirectory: resolve(place.path, header.store ?? place.storeName(undefined)),
      takesOver: opened.journal.path,
    });
    const [first] = opened.journal.interrupted;
    return first && { sequence: first.sequence, reason: KILLED };
  };
  const given = { ...options.session, fsync };
  if ("workspace" in options) opened.log = await place.openLog({ ...given, returnTo });
  else {
    opened.log = await openLog(place, given);
    await returnTo();
  }
  if (header === undefined) throw new Error("SessionLog.open did not call returnTo");
  // Opening the files may already record events.
  const isNew = opened.session.events.length === 0;
  if (!("workspace" in options)) {
    const { filesystem } = options;
    opened.filesystem =
      typeof filesystem === "function" ? await filesystem(opened.session) : filesystem;
    if (!isSnapshotable(opened.filesystem))
      throw invalid("filesystem", "the function must return a filesystem with snapshots.");
  }
  if (states && header.store !== undefined) opened.store = place.openStates(header.store, fsync);
  const { session, filesystem, store } = opened;
  opened.recording = new Recording({
    ...{ place, header, session, filesystem, store, fsync, redact },
    hasTranscript: transcript,
  });
  const near = "workspace" in options ? undefined : options.near;
  opened.recording.startTranscript();
  if (!isNew) session.dispatch(RunTakenOver(thisProcess(options.worker)));
  const { journal } = opened;
  const { transcript: kept, parking } = opened.recording;
  opened.interrupted = endOpenCalls({ session, journal, transcript: kept, parking });
  if ("restoreFiles" in options && options.restoreFiles === true)
    await restoreFiles(opened, options.near);
  await opened.recording.startStates({ near }, isNew ? "start" : "opened again");
  resourceOf(session).journal = opened.journal;
}

/** Gives the filesystem the files after the last call of the run, if it does not have them. */
async function restoreFiles(opened: OpenedRun, near: RunOnFilesystem["near"]): Promise<void> {
  const { store, filesystem, session, recording } = opened;
  const last = lastState(session);
  if (store === undefined && [...session.events].some(isChange))
    throw new AdapterError("NOT_RESUMABLE", {
      subject: "run",
      reason: "it changed files, and it was recorded without the states of its files",
    });
  if (store === undefined || last === undefined) return;
  const states = new RunStates({ store, run: recording.header.id, filesystem });
  if ((await states.scan(near)) === last) return;
  await filesystem.deleteSnapshot(await restoreState(filesystem, store, last));
}

/** Whether an event ends a call that changed files. Logs of earlier versions do not tell. */
function isChange({ type, payload }: { readonly type: string; readonly payload: unknown }) {
  const { changes = 1 }: { changes?: unknown } = { ...Object(payload) };
  return type === "run.end-tool-call" && changes !== 0;
}

function newHeader(place: RunDirectory | StorePlace, options: RunOptions): RunHeader {
  const { id = randomUUID(), agent, params, model, states = true, redact, worker } = options;
  const name = typeof agent === "string" ? agent : options.name;
  const header = createHeader({
    ...{ id, agent: name, params, model, startedBy: thisProcess(worker) },
    ...(states && { store: place.storeName(storeDirectoryOf(options)) }),
    ...(redact !== undefined && { redacted: true as const }),
  });
  place.writeHeader(header);
  return header;
}

function storeDirectoryOf(options: RunOptions): string | undefined {
  return "workspace" in options ? undefined : options.storeDirectory;
}

async function requireOutside(directory: string, workspace: string): Promise<void> {
  const inside = await realPlaceOf(resolve(workspace));
  const place = await realPlaceOf(resolve(directory));
  const below = relative(inside, place);
  if (below === ".." || below.startsWith(`..${sep}`) || isAbsolute(below)) return;
  throw new AdapterError("DIRECTORY_INSIDE", { subject: "directory of the run" });
}

/** Resolves symbolic links, also for a path that does not exist yet. */
async function realPlaceOf(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    const isMissing = error instanceof Error && "code" in error && error.code === "ENOENT";
    if (!isMissing || dirname(path) === path) throw error;
    return join(await realPlaceOf(dirname(path)), basename(path));
  }
}
