import type { FilesystemSnapshot, SnapshotableFilesystem } from "@wink/filesystem";
import type { RecordedEvent } from "@wink/session";
import { ToolInvoked } from "../context/run-events.js";
import { behind } from "../transaction/call-scope.js";

export interface KeepStatesOptions {
  /**
   * How many of these snapshots stay; the oldest are deleted, some at a time. Others are not touched.
   * @default 100
   */
  readonly maxCount?: number | undefined;
}

/** The beginning of the tag by which these snapshots are known, also to a later process. */
const TAG = "after call ";
const MAX_TAG = 200;
/** How many more than `maxCount` there may be: on disk each deletion looks through the store. */
const SPARE = 20;

const keepers = new WeakMap<object, StateKeeper>();

/**
 * Has every call that changes `filesystem` leave a snapshot, named by the `snapshot` of its `ToolInvoked` event.
 *
 * In memory a snapshot costs microseconds and holds what changed since the one before. On the host it costs a look
 * at the whole tree for each call, so ask for it where going back to any call is worth that. A call that fails
 * changes nothing and leaves none; one that cannot be captured has none either, and `onError` hears of it.
 *
 * @returns how to end it; what was kept stays
 */
export function keepStates(
  filesystem: SnapshotableFilesystem,
  { maxCount = 100 }: KeepStatesOptions = {},
): () => void {
  if (!Number.isSafeInteger(maxCount) || maxCount < 1)
    throw new RangeError("maxCount is a whole number from 1");
  const resource = behind(filesystem);
  keepers.set(resource, new StateKeeper(filesystem, maxCount));
  return () => void keepers.delete(resource);
}

export function keeperOf(filesystem: object): StateKeeper | undefined {
  return keepers.get(behind(filesystem));
}

/**
 * The id of the snapshot that the last call among `events` left behind: the files as they were after it. Events that
 * were undone do not count. Find it in `filesystem.snapshots()`.
 */
export function lastSnapshotId(events: Iterable<RecordedEvent>): string | undefined {
  let last: string | undefined;
  for (const event of events)
    if (ToolInvoked.is(event) && event.rolledBack === undefined)
      last = event.payload.snapshot ?? last;
  return last;
}

export class StateKeeper {
  readonly #filesystem: SnapshotableFilesystem;
  readonly #maxCount: number;
  /** Those that are there, the oldest first. Looked for when it is first needed. */
  #kept: FilesystemSnapshot[] | undefined;

  constructor(filesystem: SnapshotableFilesystem, maxCount: number) {
    this.#filesystem = filesystem;
    this.#maxCount = maxCount;
  }

  /** The id of a snapshot of the files as the call left them. */
  async keep(toolCallId: string, tool: string): Promise<string> {
    const tag = `${TAG}${toolCallId} of ${tool}`.slice(0, MAX_TAG);
    this.#kept ??= await this.#find();
    const snapshot = await this.#filesystem.snapshot({ tag });
    this.#kept.push(snapshot);
    if (this.#kept.length > this.#maxCount + SPARE) await this.#deleteOldest(this.#kept);
    return snapshot.snapshotId;
  }

  async #find(): Promise<FilesystemSnapshot[]> {
    const all = await this.#filesystem.snapshots();
    return all.filter(({ tag }) => tag?.startsWith(TAG)).reverse();
  }

  async #deleteOldest(kept: FilesystemSnapshot[]): Promise<void> {
    const there = new Set((await this.#filesystem.snapshots()).map(({ snapshotId }) => snapshotId));
    while (kept.length > this.#maxCount) {
      const oldest = kept.shift();
      // Somebody else may have deleted it.
      if (oldest && there.has(oldest.snapshotId)) await this.#filesystem.deleteSnapshot(oldest);
    }
  }
}
