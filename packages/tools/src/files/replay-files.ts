import type { FilesystemSnapshot } from "@wink/filesystem";
import { type Filesystem, isFilesystemError, isSnapshotable } from "@wink/filesystem";
import type { RecordedEvent } from "@wink/session";
import { checkOptions, checkValue } from "../error/check-options.js";
import { ToolsError } from "../error/tools-error.js";
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

/**
 * Applies the changes of recorded events to a filesystem with the workspace's initial state.
 * Skips events that were rolled back.
 *
 * Rejects if an event does not fit the files, which means that events are missing.
 */
export async function replayFiles(
  events: Iterable<RecordedEvent>,
  filesystem: Filesystem,
  options: {
    /** The key of the workspace section whose events to replay. @default all sections */
    readonly workspace?: string | undefined;
  } = {},
): Promise<void> {
  checkOptions("replayFiles", options, { workspace: "string" });
  const { workspace } = options;
  checkValue("replayFiles: events", events, "iterable");
  checkValue("replayFiles: filesystem", filesystem, "filesystem");
  const snapshots = new Map<string, FilesystemSnapshot>();
  for (const event of events) {
    checkValue("replayFiles: event", event, "object");
    if (event.rolledBack !== undefined) continue;
    if (workspace !== undefined && workspaceOf(event) !== workspace) continue;
    await replayEvent(event, filesystem, snapshots);
  }
}

async function replayEvent(
  event: RecordedEvent,
  filesystem: Filesystem,
  snapshots: Map<string, FilesystemSnapshot>,
): Promise<void> {
  if (isOf(WriteFile, event)) {
    const { path, content, mode } = event.payload;
    await filesystem.write(path, content, { mode });
  } else if (isOf(EditFile, event)) {
    const { path, edits } = event.payload;
    const { content } = await filesystem.readBytes(path);
    const plan = await planEdits(content, edits);
    if (isProblem(plan))
      throw mismatch(
        event,
        `it does not fit '${path}'`,
        "Pass all events, and a filesystem in the workspace's initial state",
      );
    await filesystem.writeBytes(path, spliceBytes(content, plan));
  } else if (isOf(DeletePath, event)) {
    await deletePath(filesystem, event.payload.path);
  } else if (isOf(MovePath, event)) {
    const { from, to, overwrite } = event.payload;
    await filesystem.move(from, to, { overwrite });
  } else if (isOf(CopyPath, event)) {
    const { from, to, overwrite } = event.payload;
    await filesystem.copy(from, to, { overwrite });
  } else if (isOf(CreateSnapshot, event)) {
    if (isSnapshotable(filesystem))
      snapshots.set(event.payload.snapshotId, await filesystem.snapshot());
  } else if (isOf(RestoreSnapshot, event)) {
    const snapshot = snapshots.get(event.payload.snapshotId);
    if (snapshot === undefined || !isSnapshotable(filesystem))
      throw mismatch(event, "it restores a snapshot that the events do not contain");
    await filesystem.restore(snapshot);
  } else if (isOf(RunCommand, event)) {
    const { changed, removed } = event.payload;
    if (changed.length + removed.length > 0)
      throw mismatch(
        event,
        "it is a command that changed files, and events do not contain the changes of a command",
      );
  }
}

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

interface Token<Payload> {
  readonly type: string;
  (...args: never[]): { readonly payload: Payload };
}

function isOf<Payload>(
  token: Token<Payload>,
  event: RecordedEvent,
): event is RecordedEvent<string, Payload> {
  return event.type === token.type;
}

function workspaceOf({ payload }: RecordedEvent): unknown {
  return typeof payload === "object" && payload !== null && "workspace" in payload
    ? payload.workspace
    : undefined;
}
