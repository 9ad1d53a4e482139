import type { FilesystemSnapshot, SnapshotableFilesystem } from "@wink/filesystem";
import type { StateChange } from "@wink/filesystem/host";
import type { CallResource, KeptChange } from "../runtime/transaction/call-resource.js";
import { resourceOf } from "../runtime/transaction/call-resource.js";
import type { StateStore } from "./state-store.js";

export interface RunStatesOptions {
  readonly store: StateStore;
  /** The id of the run. */
  readonly run: string;
  readonly filesystem: SnapshotableFilesystem;
}

/** Stores the state of a run's files after each call that changes them, and before each rollback. */
export class RunStates {
  readonly #store: StateStore;
  readonly #run: string;
  readonly #filesystem: SnapshotableFilesystem;
  readonly #resource: CallResource;
  /** A snapshot of the backend with a known state, to find out what changed outside of calls. */
  #known: { readonly snapshot: FilesystemSnapshot; readonly state: string } | undefined;

  constructor({ store, run, filesystem }: RunStatesOptions) {
    this.#store = store;
    this.#run = run;
    this.#filesystem = filesystem;
    this.#resource = resourceOf(filesystem);
  }

  /** The state of the files now. */
  get current(): string | undefined {
    return this.#resource.state;
  }

  /**
   * Stores the present state, also changes by other processes, and then follows the calls. It scans the files.
   *
   * @param near a snapshot of the filesystem that may be equal to the present state
   * @param last the state that the log names last
   */
  async capture(subject: string, near?: FilesystemSnapshot, last?: string): Promise<string> {
    const known = this.#store.current?.(this.#filesystem, last);
    const state = known ?? (await this.scan(near));
    this.#resource.state = await this.#store.add(this.#run, state, [], subject);
    this.#resource.keepState = (change) => this.#keep(change);
    return this.#resource.state;
  }

  /** Starts from a state that is known without a scan. */
  async start(from: string, changes: readonly StateChange[], subject: string): Promise<string> {
    this.#resource.state = await this.#store.add(this.#run, from, changes, subject);
    this.#resource.keepState = (change) => this.#keep(change);
    return this.#resource.state;
  }

  /** Stops. The stored states stay. */
  stop(): void {
    this.#resource.keepState = undefined;
    this.#resource.state = undefined;
  }

  #keep({ toolCallId, tool, changes, isUndone }: KeptChange): Promise<string> {
    const what = isUndone ? "undone" : "after";
    return this.#store.add(
      this.#run,
      this.#resource.state,
      changes,
      `${what} ${tool} ${toolCallId}`,
    );
  }

  /** The ID of the present state. @param near a snapshot that may be equal to it */
  async scan(near: FilesystemSnapshot | undefined): Promise<string> {
    const filesystem = this.#filesystem;
    const tag = `start of run ${this.#run}`;
    // The newest snapshot is often equal to the files: it is from the last start, or from the copy of a workspace.
    const candidate = near ?? (await filesystem.snapshots())[0];
    const state = candidate && this.#store.treeOf(candidate.commitRef);
    if (candidate !== undefined && state !== undefined)
      this.#known = { snapshot: candidate, state };
    if (this.#known !== undefined && (await filesystem.diff(this.#known.snapshot)).isEmpty)
      return this.#known.state;
    const snapshot = await filesystem.snapshot({ tag });
    const scanned = this.#store.treeOf(snapshot.commitRef) ?? (await this.#import(snapshot));
    this.#known = { snapshot, state: scanned };
    return scanned;
  }

  /** Copies a snapshot of another store. */
  #import(snapshot: FilesystemSnapshot): Promise<string> {
    const archive = this.#filesystem.exportSnapshot(snapshot);
    return this.#store.addArchive(this.#run, archive, "start");
  }
}
