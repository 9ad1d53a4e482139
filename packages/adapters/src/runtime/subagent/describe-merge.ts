import { clip } from "../context/clip.js";
import type { MergeConflict, MergeReport } from "./merge-conflict.js";

const MAX_CONFLICTS_SHOWN = 20;
const MAX_PATHS_NAMED = 50;
const MAX_SIDE_SHOWN = 4_000;

const REASONS: Readonly<Record<MergeConflict["reason"], string>> = {
  "both-changed": "the subagent and another change modified the same lines",
  "both-added": "the subagent and another change added this file with different contents",
  "deleted-by-subagent": "the subagent deleted it, but it was changed in the workspace",
  "deleted-in-workspace": "the subagent changed it, but it was deleted in the workspace",
  kind: "one side has a file where the other has a directory",
  "not-carried": "it is a special file or too large, so it cannot be merged",
};

/** Describes a merge for a model: one line for each kind of change. */
export function describeMerge({ written, deleted, combined, conflicts }: MergeReport): string {
  const lines = [
    listed("Written", written),
    listed("Deleted", deleted),
    listed("Combined with concurrent changes", combined),
    ...firstOf(conflicts, describeConflict),
  ].filter((line) => line !== "");
  return lines.length === 0 ? "No files were changed." : lines.join("\n");
}

/** Describes the conflicts with both sides, if they are text. */
export function describeConflicts(conflicts: readonly MergeConflict[]): string {
  const withSides = (conflict: MergeConflict) => {
    const sides = [side("now", conflict.ours), side("by the subagent", conflict.theirs)];
    return [describeConflict(conflict), ...sides.filter((text) => text !== "")].join("\n");
  };
  return firstOf(conflicts, withSides).join("\n");
}

/** The first conflicts, and how many more there are. */
function firstOf(
  conflicts: readonly MergeConflict[],
  describe: (conflict: MergeConflict) => string,
): readonly string[] {
  const shown = conflicts.slice(0, MAX_CONFLICTS_SHOWN).map(describe);
  const more = conflicts.length - shown.length;
  return more > 0 ? [...shown, `And ${more} more conflicts.`] : shown;
}

function describeConflict({ path, reason, keptAt }: MergeConflict): string {
  const kept = keptAt === undefined ? "" : `; the subagent's is at '${keptAt}'`;
  return `Conflict in '${path}': ${REASONS[reason]}${kept}.`;
}

function side(whose: string, bytes: Uint8Array | undefined): string {
  if (bytes === undefined) return "";
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  if (/[\0\ufffd]/.test(text)) return `--- ${whose}: ${bytes.length} bytes that are not text`;
  return `--- ${whose}:\n${clip(text, MAX_SIDE_SHOWN)}`;
}

function listed(what: string, paths: readonly string[]): string {
  if (paths.length === 0) return "";
  const named = paths.slice(0, MAX_PATHS_NAMED).map((path) => `'${path}'`);
  const more = paths.length - named.length;
  return `${what}: ${named.join(", ")}${more > 0 ? ` and ${more} more` : ""}.`;
}
