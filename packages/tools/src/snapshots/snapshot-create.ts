import { defineTool, ok } from "@wink/prompt";
import { z } from "zod";
import { CreateSnapshot } from "../events/snapshot-events.js";
import { authorOf } from "../files/file-tool-settings.js";
import { oneLine } from "../reply/quote.js";
import { toolHandler } from "../reply/tool-handler.js";
import { checkName, isFailure, snapshotsOf } from "./named-snapshots.js";
import { retainSnapshots } from "./retain-snapshots.js";
import type { SnapshotToolSettings } from "./snapshot-settings.js";

export const SnapshotCreateInput = z.object({
  name: z
    .string()
    .describe("Letters, digits, _, . and -. An existing name is moved to the new snapshot."),
  description: z.string().default("").describe("A description of the state."),
});

const MAX_DESCRIPTION_CHARACTERS = 500;

export interface SnapshotValue {
  readonly name: string;
  readonly snapshotId: string;
  readonly commitRef: string;
  /** Names of older snapshots that were deleted. */
  readonly removed: readonly string[];
}

export function snapshotCreateHandlerFor(settings: SnapshotToolSettings) {
  return toolHandler({
    input: SnapshotCreateInput,
    nameTool: settings.nameTool,
    async run({ name, description }, context) {
      const { session, signal } = context;
      const problem = checkName(name);
      if (problem) return problem;
      const filesystem = snapshotsOf(context);
      if (isFailure(filesystem)) return filesystem;
      const tag = oneLine(description, MAX_DESCRIPTION_CHARACTERS);
      const snapshot = await filesystem.snapshot({ name, ...(tag !== "" && { tag }), signal });
      const { snapshotId, commitRef } = snapshot;
      const author = authorOf(settings.workspace, "snapshot_create", context);
      session.dispatch(CreateSnapshot({ ...author, snapshotId, name }));
      settings.sessions.set(snapshotId, session.snapshot());
      const gone = await retainSnapshots(filesystem, snapshotId, settings.retention);
      for (const each of gone) settings.sessions.delete(each.snapshotId);
      const removed = gone.map((each) => each.name);
      const note =
        removed.length === 0 ? "" : `\ndeleted old snapshots: ${removed.slice(0, 20).join(", ")}`;
      const value: SnapshotValue = { name, snapshotId, commitRef, removed };
      return ok(value, `snapshot ${name} created: ${commitRef}${note}`);
    },
  });
}

export function snapshotCreateTool(settings: SnapshotToolSettings) {
  return defineTool({
    name: "snapshot_create",
    description: "Save the current files as a named snapshot, to restore them later.",
    input: SnapshotCreateInput,
    access: "write",
    handler: snapshotCreateHandlerFor(settings),
    render: () => "",
  });
}
