import type { FilesystemSnapshot } from "@wink/filesystem";
import { appendAll, defineEvent, defineSlice } from "@wink/session";
import { eventSchema, is } from "../schema/event-schema.js";
import type { Schema } from "../schema/schema.js";

const REASONS: readonly unknown[] = ["special", "excluded", "too-large"];

/** Checks a snapshot of files that comes from a session, a log or JSON. */
export const FilesystemSnapshotSchema: Schema<FilesystemSnapshot> = eventSchema<FilesystemSnapshot>(
  {
    snapshotId: is.text,
    createdAt: is.text,
    commitRef: is.text,
    rootPath: is.text,
    tag: is.optional(is.text),
    name: is.optional(is.text),
    leftOut: is.optional(
      is.listOf(is.object({ path: is.text, reason: (value) => REASONS.includes(value) })),
    ),
    damaged: is.optional(is.text),
  },
);

/** A tool took a snapshot of the files, or imported one. */
export const TakeSnapshot = defineEvent("files.take-snapshot", FilesystemSnapshotSchema);

/** A tool deleted snapshots of the files. */
export const DropSnapshots = defineEvent(
  "files.drop-snapshots",
  eventSchema<{ readonly snapshotIds: readonly string[] }>({ snapshotIds: is.listOf(is.text) }),
);

/**
 * The snapshots of files that tools took in this session and did not delete, oldest first. You can append your own.
 * Install it, or put it into the `slices` of a section.
 */
export const FilesystemSnapshots = defineSlice({
  name: "filesystem-snapshots",
  schema: FilesystemSnapshotSchema,
  reducers: (on) => [
    on(TakeSnapshot, appendAll),
    on(DropSnapshots, (snapshots, { snapshotIds }) =>
      snapshots.filter(({ snapshotId }) => !snapshotIds.includes(snapshotId)),
    ),
  ],
});
