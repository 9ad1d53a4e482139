import type { ChangeSet, TreeEntry } from "@wink/filesystem";
import type { RecordedEvent } from "@wink/session";
import { AdapterError } from "../error/adapter-error.js";
import { invalid } from "../runtime/context/require-options.js";
import { stateNamedBy } from "./recording.js";
import type { StateStore } from "./state-store.js";

interface NamedState {
  readonly sequence: number;
  readonly state: string;
}

/** Which state the files had after each event. */
export class FileStates {
  readonly #store: StateStore | undefined;
  /** In the order of events. */
  readonly #states: NamedState[] = [];
  readonly #undone = new Map<number, string>();
  #lastSequence = 0;

  constructor(store: StateStore | undefined) {
    this.#store = store;
  }

  /** Adds the states that new events name. */
  add(events: readonly RecordedEvent[]): void {
    for (const event of events) {
      const { sequence } = event;
      if (sequence <= this.#lastSequence) continue;
      this.#lastSequence = sequence;
      const state = stateNamedBy(event);
      if (state !== undefined) this.#states.push({ sequence, state });
      const undone = undoneIn(event.payload);
      if (undone !== undefined) this.#undone.set(sequence, undone);
    }
  }

  /** The state after an event. Before the first state that an event names, it is that one. */
  at(sequence: number): string {
    requireSequence(sequence);
    let [low, high] = [0, this.#states.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#states[middle]?.sequence ?? 0) <= sequence) low = middle + 1;
      else high = middle;
    }
    const { state } = this.#states[Math.max(0, low - 1)] ?? {};
    if (state === undefined || this.#store === undefined) throw missing();
    return state;
  }

  /** The state before the rollback that an event reports. */
  undoneBy(sequence: number): string | undefined {
    const undone = this.#undone.get(sequence);
    // If the store was full, it does not have the state.
    return undone !== undefined && this.#store?.has(undone) ? undone : undefined;
  }

  entries(state: string): Iterable<TreeEntry> {
    return this.#required.entries(state);
  }

  entriesAt(state: string, path: string): Iterable<TreeEntry> {
    return this.#required.entriesAt(state, path);
  }

  diff(from: string, to: string): Promise<ChangeSet> {
    return this.#required.diff(from, to);
  }

  async file(state: string, path: string): Promise<Uint8Array | undefined> {
    if (typeof path !== "string") throw invalid("path", "it must be a text.");
    const [entry] = this.entriesAt(state, path);
    return entry === undefined || entry.kind === "directory" ? undefined : await entry.read();
  }

  /** The content with this hash, found by the event that names it: its call's state has the file. */
  async content(
    contentId: string,
    events: readonly RecordedEvent[],
  ): Promise<Uint8Array | undefined> {
    const named = events.find(({ type, payload }) => {
      const { contentId: id }: { contentId?: unknown } = { ...Object(payload) };
      return type === "files.change" && id === contentId;
    });
    if (named === undefined) return undefined;
    const after = this.#states.find(({ sequence }) => sequence > named.sequence);
    const { path }: { path?: unknown } = { ...Object(named.payload) };
    return after && (await this.file(after.state, String(path)));
  }

  close(): void {
    this.#store?.close();
  }

  get #required(): StateStore {
    if (this.#store === undefined) throw missing();
    return this.#store;
  }
}

function undoneIn(payload: unknown): string | undefined {
  const { undone }: { undone?: unknown } = { ...Object(payload) };
  const { snapshot }: { snapshot?: unknown } = { ...Object(undone) };
  return typeof snapshot === "string" ? snapshot : undefined;
}

function missing(): AdapterError {
  return new AdapterError("STATE_MISSING", { subject: "run" });
}

/** A caller in JavaScript may pass anything. */
function requireSequence(sequence: unknown): void {
  if (typeof sequence !== "number") throw invalid("sequence", "it must be the number of an event.");
}
