import { randomUUID } from "node:crypto";
import type { FilesystemSnapshot, SnapshotableFilesystem } from "@wink/filesystem";
import { StartToolCall } from "@wink/prompt/adapter";
import type { Session } from "@wink/session";
import { attachRecorder } from "../runtime/loop/session-recorder.js";
import { resourceOf, type StartedChild } from "../runtime/transaction/call-resource.js";
import type { Redact } from "../transcript/transcript-parts.js";
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
      this.#ends.push(() => transcript.close(), attachRecorder(session, transcript.recorder));
    }
    const resource = resourceOf(session);
    resource.startChild = (child) => this.#startChild(child);
    this.#ends.push(() => {
      resource.startChild = undefined;
    });
  }

  /** Stops recording. Does not close the session. */
  stop(): void {
    for (const child of this.#children) child.stop();
    for (const end of this.#ends.splice(0).reverse()) end();
  }

  #update(facts: Partial<RunHeader>): void {
    this.#header = { ...this.#header, ...facts };
    this.#options.place.writeHeader(this.#header);
  }

  /** Stores the states of the files. Names the first one in the log if it is not the last one that the log names. */
  async startStates(first: FirstState, reason: string): Promise<void> {
    const { store, filesystem, session } = this.#options;
    if (store === undefined) return;
    const states = new RunStates({ store, run: this.#header.id, filesystem });
    this.#ends.push(() => states.stop());
    const snapshot =
      first !== undefined && "state" in first
        ? await states.start(first.state, first.changes, reason)
        : await states.capture(reason, first?.near);
    if (this.#header.base === undefined) this.#update({ base: snapshot });
    if (lastState(session) !== snapshot) session.dispatch(StateKept({ snapshot, reason }));
  }

  async #startChild(child: StartedChild): Promise<() => Promise<void>> {
    const { place, session, hasTranscript, fsync, redact, store } = this.#options;
    const sequence = startOf(session, child.toolCallId);
    const count = (this.#childCounts.get(sequence) ?? 0) + 1;
    this.#childCounts.set(sequence, count);
    // One call can start several subagents.
    const childPlace = place.child(count === 1 ? `${sequence}` : `${sequence}-${count}`);
    const { id, store: storeName } = this.#header;
    const header = createHeader({
      id: randomUUID(),
      parent: { run: id, sequence, toolCallId: child.toolCallId },
      ...(storeName !== undefined && { store: place.childStore(storeName) }),
      ...(redact !== undefined && { redacted: true as const }),
    });
    childPlace.writeHeader(header);
    const log = await childPlace.openLog({ session: child.session, fsync });
    const recording = new Recording({
      ...{ place: childPlace, header, session: child.session, filesystem: child.filesystem },
      ...{ hasTranscript, fsync, redact, store },
    });
    this.#children.add(recording);
    const end = async () => {
      this.#children.delete(recording);
      recording.stop();
      await log.close();
    };
    try {
      recording.startTranscript();
      await recording.startStates(child.from, "start");
    } catch (error) {
      await end();
      throw error;
    }
    return end;
  }
}

/** The number of the start event of a call. */
function startOf({ events }: Session, toolCallId: string): number {
  for (let at = events.length - 1; at >= 0; at--) {
    const event = events.at(at);
    if (event !== undefined && StartToolCall.is(event) && event.payload.toolCallId === toolCallId)
      return event.sequence;
  }
  return 0;
}

/** The last state that an event names. */
function lastState({ events }: Session): string | undefined {
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
