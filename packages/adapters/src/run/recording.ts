import { randomUUID } from "node:crypto";
import type { FilesystemSnapshot, SnapshotableFilesystem } from "@wink/filesystem";
import { StartToolCall } from "@wink/prompt/adapter";
import type { Session } from "@wink/session";
import { CONTINUES, type Continuation } from "../runtime/loop/continued-run.js";
import { attachRecorder } from "../runtime/loop/session-recorder.js";
import {
  type RecordedChild,
  resourceOf,
  type StartedChild,
} from "../runtime/transaction/call-resource.js";
import type { Redact } from "../transcript/transcript-parts.js";
import { endOpenCalls } from "./end-open-calls.js";
import { openLog } from "./open-log.js";
import { RunParking } from "./parking.js";
import { readContinuation } from "./read-continuation.js";
import { restoreState } from "./restore-state.js";
import { StateKept } from "./run-events.js";
import { createHeader, type RunHeader } from "./run-header.js";
import type { OpenedTranscript, RunPlace } from "./run-place.js";
import { RunStates } from "./run-states.js";
import type { StateStore } from "./state-store.js";

export interface RecordingOptions {
  readonly place: RunPlace;
  readonly header: RunHeader;
  readonly session: Session;
  readonly filesystem: SnapshotableFilesystem;
  /** `undefined` if no states are stored. */
  readonly store: StateStore | undefined;
  readonly hasTranscript: boolean;
  readonly fsync: boolean;
  readonly redact: Redact | undefined;
  /** The waits of the root run, for a subagent's run. `undefined` for the root run, which creates them. */
  readonly parking?: RunParking | undefined;
}

/** Where the first state of a run comes from: a stored state with changes, or a scan. */
export type FirstState = StartedChild["from"] | { readonly near: FilesystemSnapshot | undefined };

/** Records everything that happens on a session: transcript, states, and the subagents with theirs. */
export class Recording {
  readonly #options: RecordingOptions;
  readonly #ends: (() => void)[] = [];
  readonly #childCounts = new Map<number, number>();
  readonly #children = new Set<Recording>();
  #header: RunHeader;
  #transcript: OpenedTranscript | undefined;
  #parking: RunParking | undefined;

  constructor(options: RecordingOptions) {
    this.#options = options;
    this.#header = options.header;
  }

  get header(): RunHeader {
    return this.#header;
  }

  /** The transcript, after `startTranscript`. */
  get transcript(): OpenedTranscript | undefined {
    return this.#transcript;
  }

  /** What the run waits for. `undefined` if it has no transcript. */
  get parking(): RunParking | undefined {
    return this.#parking;
  }

  /** How to continue the run's last evaluation. */
  async continuation(): Promise<Continuation | undefined> {
    return await readContinuation(this.#options, this.#header, this.#transcript);
  }

  /** Records the conversation, and the subagents. */
  startTranscript(): void {
    const { place, session, hasTranscript, fsync, redact } = this.#options;
    if (hasTranscript) {
      const transcript = place.openTranscript({
        ...{ fsync, redact },
        onStart: ({ adapter, prompt, hash, limits }) => {
          if (this.#header.prompt !== undefined) return;
          this.#update({ adapter, limits, prompt: { name: `${prompt.ns}/${prompt.key}`, hash } });
        },
      });
      this.#transcript = transcript;
      const { writer, earlier } = transcript;
      this.#parking = this.#options.parking ?? new RunParking(session, writer, earlier);
      this.#ends.push(() => transcript.close(), attachRecorder(session, transcript.recorder));
    }
    const resource = resourceOf(session);
    resource.startChild = (child) => this.#startChild(child);
    resource.parking = this.#parking;
    resource.runId = this.#header.id;
    resource.depth = this.#header.parent?.depth;
    this.#ends.push(() => {
      resource.startChild = undefined;
      resource.parking = undefined;
    });
  }

  /** Stops recording. Does not close the session. */
  stop(): void {
    for (const child of this.#children) child.stop();
    for (const end of this.#ends.splice(0).reverse()) end();
  }

  /** Names the run of a subagent that has its own place. */
  refer(toolCallId: string, header: RunHeader): void {
    const { place, session } = this.#options;
    const names = startsOf(session, toolCallId).map(String);
    if (names.some((name) => this.#isResumable(name))) return;
    place.child(names[0] ?? "0").writeHeader({ ...header, queued: true });
  }

  #update(facts: Partial<RunHeader>): void {
    this.#header = { ...this.#header, ...facts };
    this.#options.place.writeHeader(this.#header);
  }

  /** Stores the states of the files. Records the first state in the log, unless it is already the last state there. */
  async startStates(first: FirstState, reason: string): Promise<void> {
    const { store, filesystem, session } = this.#options;
    if (store === undefined) return;
    const states = new RunStates({ store, run: this.#header.id, filesystem });
    this.#ends.push(() => states.stop());
    const snapshot =
      first !== undefined && "state" in first
        ? await states.start(first.state, first.changes, reason)
        : await states.capture(reason, first?.near, lastState(session));
    if (this.#header.base === undefined) this.#update({ base: snapshot });
    if (lastState(session) !== snapshot) session.dispatch(StateKept({ snapshot, reason }));
  }

  async #startChild(child: StartedChild): Promise<RecordedChild> {
    const { session, store } = this.#options;
    const starts = startsOf(session, child.toolCallId);
    const sequence = starts.at(-1) ?? 0;
    const count = (this.#childCounts.get(sequence) ?? 0) + 1;
    this.#childCounts.set(sequence, count);
    // One call can start several subagents.
    const nameOf = (start: number) => (count === 1 ? `${start}` : `${start}-${count}`);
    const earlier = store && starts.map(nameOf).find((name) => this.#isResumable(name));
    return await this.#openChild(earlier ?? nameOf(sequence), child, sequence);
  }

  /** Whether an earlier process started the subagent of the same call. */
  #isResumable(name: string): boolean {
    return this.#options.place.child(name).readHeader() !== undefined;
  }

  async #openChild(name: string, child: StartedChild, sequence: number): Promise<RecordedChild> {
    const { place, hasTranscript, fsync, redact, store } = this.#options;
    const { toolCallId, parent, tags, filesystem } = child;
    const childPlace = place.child(name);
    const { id, store: storeName } = this.#header;
    const earlier = childPlace.readHeader();
    const header =
      earlier ??
      createHeader({
        id: randomUUID(),
        parent: { run: id, sequence, toolCallId },
        ...(storeName !== undefined && { store: place.childStore(storeName) }),
        ...(redact !== undefined && { redacted: true as const }),
      });
    if (earlier === undefined) childPlace.writeHeader(header);
    const log = await openLog(childPlace, { parent, tags, fsync });
    const { session } = log;
    const { flush, settled } = resourceOf(this.#options.session);
    Object.assign(resourceOf(session), { flush, settled });
    const recording = new Recording({
      ...{ place: childPlace, header, session, filesystem },
      ...{ hasTranscript, fsync, redact, store, parking: this.#parking },
    });
    this.#children.add(recording);
    const end = async () => {
      this.#children.delete(recording);
      recording.stop();
      await log.close();
    };
    try {
      recording.startTranscript();
      const base = await recording.#startFiles(earlier, child);
      const run = { session, [CONTINUES]: () => recording.continuation() };
      return { session, end, base, run };
    } catch (error) {
      await end();
      throw error;
    }
  }

  /**
   * Stores the states of a subagent's files. If the subagent is continued, restores its files. Resolves to the base of
   * the fork.
   */
  async #startFiles(
    earlier: RunHeader | undefined,
    { from }: StartedChild,
  ): Promise<FilesystemSnapshot | undefined> {
    const { store, filesystem, session } = this.#options;
    const { transcript, parking } = this;
    const last = lastState(session) ?? earlier?.base;
    if (earlier?.base === undefined || store === undefined || last === undefined) {
      await this.startStates(from, "start");
      return undefined;
    }
    endOpenCalls({ session, journal: undefined, transcript, parking });
    // The files that were forked, because the merge compares with them.
    const base = await restoreState(filesystem, store, earlier.base);
    if (last !== earlier.base) await restoreState(filesystem, store, last);
    await this.startStates({ state: last, changes: [] }, "opened again");
    return base;
  }
}

/** The numbers of the start events of a call. A call that is made again has several. */
function startsOf({ events }: Session, toolCallId: string): readonly number[] {
  const starts = events
    .filter((event) => StartToolCall.is(event) && event.payload.toolCallId === toolCallId)
    .map(({ sequence, payload }) => ({ sequence, ...Object(payload) }));
  const { run, turn } = starts.at(-1) ?? {};
  // A model may use an id again in a later turn.
  return starts
    .filter((each) => each.run === run && each.turn === turn)
    .map((each) => each.sequence);
}

/** The last state that an event names. */
export function lastState({ events }: Session): string | undefined {
  for (let at = events.length - 1; at >= 0; at--) {
    const state = stateNamedBy(events.at(at));
    if (state !== undefined) return state;
  }
  return undefined;
}

/** The state of the files that an event names, if it names one. */
export function stateNamedBy(
  event: { readonly type: string; readonly payload: unknown } | undefined,
): string | undefined {
  if (event?.type !== StateKept.type && event?.type !== "run.end-tool-call") return undefined;
  const { snapshot }: { snapshot?: unknown } = { ...Object(event.payload) };
  return typeof snapshot === "string" ? snapshot : undefined;
}
