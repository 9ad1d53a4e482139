import type { Filesystem, FilesystemSnapshot } from "@wink/filesystem";
import { isFilesystemError, isSnapshotable } from "@wink/filesystem";
import { ChangeFile } from "@wink/prompt/adapter";
import type { RecordedEvent } from "@wink/session";
import { checkOptions, checkValue } from "../error/check-options.js";
import { isToolsError, ToolsError } from "../error/tools-error.js";
import {
  CopyPath,
  DeletePath,
  EditFile,
  MovePath,
  RunCommand,
  WriteFile,
} from "../events/file-events.js";
import { CreateSnapshot, RestoreSnapshot } from "../events/snapshot-events.js";
import { isProblem, planEdits, spliceBytes } from "./byte-edits.js";
import { isOf, payloadField, RecordedCalls } from "./recorded-calls.js";
import { type ContentSource, replayChange } from "./replay-change.js";

/**
 * Applies the changes of recorded events to a filesystem with the workspace's initial state.
 * Skips events that were rolled back.
 *
 * The result is exact. It rejects with `EVENT_MISMATCH` and the number of the event if an event does not fit the
 * files, if a content is missing, or if a call of an earlier version may have made changes that are not in the log.
 *
 * @param blobs the contents of `files.change` events. @default none, for events that contain all changes
 */
export async function replayFiles(
  events: Iterable<RecordedEvent>,
  filesystem: Filesystem,
  blobs: ContentSource = new Map(),
  options: {
    /** The key of the workspace section whose events to replay. @default all sections */
    readonly workspace?: string | undefined;
  } = {},
): Promise<void> {
  checkOptions("replayFiles", options, { workspace: "string" });
  const { workspace } = options;
  checkValue("replayFiles: events", events, "iterable");
  checkValue("replayFiles: filesystem", filesystem, "filesystem");
  checkValue("replayFiles: blobs", blobs, "object");
  const list: RecordedEvent[] = [];
  for (const event of events) {
    checkValue("replayFiles: event", event, "object");
    if (event.rolledBack === undefined) list.push(event);
  }
  const replay = new Replay(filesystem, blobs, new RecordedCalls(list));
  for (const [index, event] of list.entries())
    if (workspace === undefined || payloadField(event, "workspace") === workspace)
      await replay.apply(event, index);
    else replay.calls.requireKnown(event);
}

class Replay {
  readonly calls: RecordedCalls;
  readonly #filesystem: Filesystem;
  readonly #blobs: ContentSource;
  readonly #snapshots = new Map<string, FilesystemSnapshot>();

  constructor(filesystem: Filesystem, blobs: ContentSource, calls: RecordedCalls) {
    this.calls = calls;
    this.#filesystem = filesystem;
    this.#blobs = blobs;
  }

  async apply(event: RecordedEvent, index: number): Promise<void> {
    this.calls.requireKnown(event);
    if (isOf(ChangeFile, event)) {
      await replayChange(event, this.#filesystem, this.#blobs);
      return;
    }
    try {
      await this.#applyOperation(event, index);
    } catch (error) {
      if (!isFilesystemError(error) && !isToolsError(error)) throw error;
      // The handler had changed the files before in another way. Later events of the call have the result.
      if (this.calls.isCorrected(index)) return;
      throw isToolsError(error) ? error : mismatch(event, error.message.replace(/\.$/, ""), FITS);
    }
  }

  async #applyOperation(event: RecordedEvent, index: number): Promise<void> {
    const filesystem = this.#filesystem;
    if (isOf(WriteFile, event)) {
      const { path, content, mode, sizeBytes } = event.payload;
      await filesystem.write(path, content, { mode });
      await this.#requireSize(event, path, sizeBytes);
    } else if (isOf(EditFile, event)) {
      const { path, edits, sizeBytes } = event.payload;
      const { content } = await filesystem.readBytes(path);
      const plan = await planEdits(content, edits);
      if (isProblem(plan)) throw mismatch(event, `it does not fit '${path}'`, FITS);
      await filesystem.writeBytes(path, spliceBytes(content, plan));
      await this.#requireSize(event, path, sizeBytes);
    } else if (isOf(DeletePath, event)) {
      await deletePath(filesystem, event.payload.path);
    } else if (isOf(MovePath, event)) {
      const { from, to, overwrite } = event.payload;
      await filesystem.move(from, to, { overwrite });
    } else if (isOf(CopyPath, event)) {
      const { from, to, overwrite } = event.payload;
      await filesystem.copy(from, to, { overwrite });
    } else await this.#applyState(event, index);
  }

  /** Only for logs of earlier versions: otherwise `files.change` events have the changes. */
  async #applyState(event: RecordedEvent, index: number): Promise<void> {
    const filesystem = this.#filesystem;
    if (this.calls.isComplete(index)) return;
    if (isOf(CreateSnapshot, event)) {
      if (isSnapshotable(filesystem))
        this.#snapshots.set(event.payload.snapshotId, await filesystem.snapshot());
    } else if (isOf(RestoreSnapshot, event)) {
      const snapshot = this.#snapshots.get(event.payload.snapshotId);
      if (snapshot === undefined || !isSnapshotable(filesystem))
        throw mismatch(event, "it restores a snapshot that the events do not contain");
      await filesystem.restore(snapshot);
    } else if (isOf(RunCommand, event)) {
      const { changed, removed, unnamed } = event.payload;
      if (changed.length + removed.length + unnamed > 0)
        throw mismatch(
          event,
          "it is a command that changed files, and events of this version do not contain the changes of a command",
        );
    }
  }

  async #requireSize(event: RecordedEvent, path: string, sizeBytes: number): Promise<void> {
    const { sizeBytes: found } = await this.#filesystem.stat(path);
    if (found !== sizeBytes)
      throw mismatch(event, `'${path}' then has ${found} bytes instead of ${sizeBytes}`, FITS);
  }
}

const FITS = "Pass all events, and a filesystem in the workspace's initial state";

function mismatch({ sequence }: RecordedEvent, reason: string, action?: string): ToolsError {
  return new ToolsError("EVENT_MISMATCH", { subject: `event ${sequence}`, reason, action });
}

/** Ignores `ENOENT`: the deleted path can be a link, and links are not in a copy of the files. */
async function deletePath(filesystem: Filesystem, path: string): Promise<void> {
  try {
    await filesystem.delete(path, { recursive: true });
  } catch (error) {
    if (!isFilesystemError(error, "ENOENT")) throw error;
  }
}
