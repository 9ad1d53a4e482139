import {
  type FilesystemSnapshot,
  isSnapshotable,
  type SnapshotableFilesystem,
} from "@wink/filesystem";
import { EndToolCall } from "@wink/prompt/adapter";
import type { RecordedEvent } from "@wink/session";
import { invalid, requireOptions } from "../context/require-options.js";
import { resourceOf } from "../transaction/call-resource.js";

export interface SnapshotAfterCallsOptions {
  /**
   * How many of these snapshots are kept. The oldest are deleted in batches. Other snapshots are
   * not touched. @default 100
   */
  readonly maxCount?: number | undefined;
}

/** The prefix of the tag that identifies these snapshots, also for a later process. */
const TAG = "after call ";
const MAX_TAG = 200;
/**
 * How far the count may exceed `maxCount`. Snapshots are deleted in batches because each deletion
 * on disk scans the store.
 */
const SPARE = 20;

/**
 * Takes a snapshot of `filesystem` after every call that changes it. The call's `EndToolCall`
 * event names it in `snapshot`.
 *
 * In memory a snapshot costs microseconds and stores what changed since the last one. On the host
 * each snapshot scans the whole tree, so use it only if you need to return to any call. A failed
 * call takes no snapshot. If a snapshot fails, `onError` receives the error.
 *
 * @returns a function that stops this; existing snapshots stay
 */
export function snapshotAfterCalls(
  filesystem: SnapshotableFilesystem,
  options: SnapshotAfterCallsOptions = {},
): () => void {
  if (!isSnapshotable(filesystem))
    throw invalid("snapshotAfterCalls", "the filesystem has no snapshots. Pass one that has them.");
  requireOptions("snapshotAfterCalls", options, ["maxCount"]);
  const { maxCount = 100 } = options;
  if (!Number.isSafeInteger(maxCount) || maxCount < 1)
    throw invalid("maxCount", "it must be a whole number of at least 1.");
  const resource = resourceOf(filesystem);
  const keeper = new StateKeeper(filesystem, maxCount);
  resource.keepState = (toolCallId, tool) => keeper.keep(toolCallId, tool);
  return () => {
    resource.keepState = undefined;
  };
}

/**
 * Returns the id of the snapshot after the last call in `events`. Ignores rolled-back events.
 * Find the snapshot in `filesystem.snapshots()`.
 */
export function lastSnapshotId(events: Iterable<RecordedEvent>): string | undefined {
  if (typeof events?.[Symbol.iterator] !== "function")
    throw invalid("lastSnapshotId", "pass the events of a session, such as session.events.");
  let last: string | undefined;
  for (const event of events)
    if (EndToolCall.is(event) && event.rolledBack === undefined)
      last = event.payload.snapshot ?? last;
  return last;
}

class StateKeeper {
  readonly #filesystem: SnapshotableFilesystem;
  readonly #maxCount: number;
  /** The existing snapshots, oldest first. Loaded on first use. */
  #kept: FilesystemSnapshot[] | undefined;

  constructor(filesystem: SnapshotableFilesystem, maxCount: number) {
    this.#filesystem = filesystem;
    this.#maxCount = maxCount;
  }

  /** Takes a snapshot after the call and returns its id. */
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
      // Another process may have deleted it.
      if (oldest && there.has(oldest.snapshotId)) await this.#filesystem.deleteSnapshot(oldest);
    }
  }
}
