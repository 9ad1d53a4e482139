import { defineEvent } from "@wink/session";
import { z } from "zod";

const author = {
  workspace: z.string(),
  writer: z.string(),
  tool: z.string(),
  toolCallId: z.string(),
};

/** The state of the files was kept under a name. */
export const CreateSnapshot = defineEvent(
  "snapshots.create",
  z.object({ ...author, snapshotId: z.string(), name: z.string() }),
);

/** The files went back to a state that was kept. The session did not go back with them. */
export const RestoreSnapshot = defineEvent(
  "snapshots.restore",
  z.object({
    ...author,
    snapshotId: z.string(),
    name: z.string(),
    /** Files that came back or became what they had been. */
    changed: z.array(z.object({ path: z.string(), sizeBytes: z.number() })),
    /** Files that went. */
    removed: z.array(z.string()),
  }),
);
