import { defineTool, ok } from "@wink/prompt";
import { z } from "zod";
import { answerPage, pageItems } from "../reply/page-items.js";
import { findSnapshot } from "./named-snapshots.js";
import { type SnapshotToolSettings, withSnapshots } from "./snapshot-settings.js";

export function snapshotDiffTool(settings: SnapshotToolSettings) {
  const { limits } = settings;
  return defineTool({
    name: "snapshot_diff",
    description:
      "Show what has changed since a snapshot as a unified diff: - is the snapshot, + is now.",
    input: z.object({
      name: z.string(),
      offset: z.number().int().min(0).default(0).describe("Lines to skip, for the next page."),
      limit: z.number().int().min(1).optional().describe("Maximum number of lines to show."),
    }),
    // To compare, a snapshot of the repository is imported into the store of the workspace.
    access: settings.repository === undefined ? "read" : "write",
    effects: "workspace",
    handler: withSnapshots(settings, async ({ name, ...paging }, filesystem, { signal }) => {
      const snapshot = await findSnapshot(filesystem, name, signal);
      if ("success" in snapshot) return snapshot;
      const changes = await filesystem.diff(snapshot, undefined, { signal });
      const patch = await changes.toPatch();
      const lines = patch === "" ? [] : patch.replace(/\n$/, "").split("\n");
      const page = pageItems(lines, paging, limits, limits.maxReadLines);
      if (lines.length > 0)
        return ok(page, answerPage(page, ["line", "lines"], `from snapshot ${name} to now`));
      return ok(
        page,
        changes.isEmpty ? "no differences" : "no differences in files, only in empty directories",
      );
    }),
    render: () => "",
  });
}
