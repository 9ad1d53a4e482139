import { defineEvent } from "@wink/session";
import { z } from "zod";

const author = {
  workspace: z.string(),
  writer: z.string(),
  tool: z.string(),
  toolCallId: z.string(),
};

/** A named snapshot of the files was created. */
export const CreateSnapshot = defineEvent(
  "snapshots.create",
  z.object({ ...author, snapshotId: z.string(), name: z.string() }),
);

/** The files were restored from a snapshot. The session was not restored. */
export const RestoreSnapshot = defineEvent(
  "snapshots.restore",
  z.object({
    ...author,
    snapshotId: z.string(),
    name: z.string(),
    /** Files that the restore created or changed. */
    changed: z.array(z.object({ path: z.string(), sizeBytes: z.number() })),
    /** Files that the restore deleted. */
    removed: z.array(z.string()),
  }),
);
