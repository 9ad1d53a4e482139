import { defineTool, ok } from "@wink/prompt";
import { z } from "zod";
import { CreateSnapshot } from "../events/snapshot-events.js";
import { authorOf, workspaceOf } from "../files/file-tool-settings.js";
import { oneLine } from "../reply/quote.js";
import { checkName, retainSnapshots } from "./named-snapshots.js";
import { type SnapshotToolSettings, withSnapshots } from "./snapshot-settings.js";

const MAX_DESCRIPTION_CHARACTERS = 500;

export function snapshotCreateTool(settings: SnapshotToolSettings) {
  return defineTool({
    name: "snapshot_create",
    description: "Save the current files as a named snapshot, to restore them later.",
    input: z.object({
      name: z
        .string()
        .describe("Letters, digits, _, . and -. An existing name is moved to the new snapshot."),
      description: z.string().default("").describe("A description of the state."),
    }),
    access: "write",
    effects: "workspace",
    handler: withSnapshots(settings, async ({ name, description }, filesystem, context) => {
      const { session, signal } = context;
      const problem = checkName(name);
      if (problem) return problem;
      const tag = oneLine(description, MAX_DESCRIPTION_CHARACTERS);
      const snapshot = await filesystem.snapshot({ name, ...(tag !== "" && { tag }), signal });
      const { snapshotId, commitRef } = snapshot;
      const workspace = workspaceOf(settings.nameTool("snapshot_create"), context);
      const author = authorOf(workspace, "snapshot_create", context);
      session.dispatch(CreateSnapshot({ ...author, snapshotId, name }));
      settings.sessions?.set(snapshotId, session.snapshot());
      const gone = await retainSnapshots(filesystem, snapshotId, settings.retention);
      for (const each of gone) settings.sessions?.delete(each.snapshotId);
      const removed = gone.map((each) => each.name);
      const note =
        removed.length === 0 ? "" : `\ndeleted old snapshots: ${removed.slice(0, 20).join(", ")}`;
      const value = { name, snapshotId, commitRef, removed };
      return ok(value, `snapshot ${name} created: ${commitRef}${note}`);
    }),
    render: () => "",
  });
}
