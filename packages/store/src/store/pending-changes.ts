import { totalBytes } from "../engine/frames.js";
import type { Changes } from "./head.js";
import type { PlacedBatch } from "./place-contents.js";

/** Changes that were accepted and not stored yet. Several commits of a turn become one. */
export class PendingChanges {
  readonly commitIds: string[] = [];
  state: Uint8Array | undefined;
  deltas: Uint8Array[] = [];
  readonly events: Uint8Array[] = [];
  readonly transcript: Uint8Array[] = [];
  readonly batches: PlacedBatch[] = [];
  readonly statements: NonNullable<Changes["statements"]>[number][] = [];
  readonly set = new Map<string, Uint8Array>();
  readonly delete = new Set<string>();
  clear = false;

  get isEmpty(): boolean {
    return this.commitIds.length === 0;
  }

  get sizeBytes(): number {
    const batches = this.batches.reduce((sum, { newBytes }) => sum + newBytes, 0);
    const { deltas, events, transcript, set } = this;
    return batches + totalBytes([...deltas, ...events, ...transcript, ...set.values()]);
  }

  /** Adds a commit that {@link checkChanges} accepted. */
  add(commitId: string, changes: Changes, batches: readonly PlacedBatch[]): void {
    this.commitIds.push(commitId);
    if (changes.state !== undefined) {
      this.state = changes.state;
      this.deltas = [];
    }
    if (changes.delta !== undefined) this.deltas.push(changes.delta);
    this.events.push(...(changes.events ?? []));
    this.transcript.push(...(changes.transcript ?? []));
    this.statements.push(...(changes.statements ?? []));
    this.batches.push(...batches);
    const { clear, delete: names = [], set = {} } = changes.entries ?? {};
    if (clear) {
      this.clear = true;
      this.set.clear();
      this.delete.clear();
    }
    for (const name of names) {
      this.set.delete(name);
      this.delete.add(name);
    }
    for (const [name, value] of Object.entries(set)) {
      this.delete.delete(name);
      this.set.set(name, value);
    }
  }
}
