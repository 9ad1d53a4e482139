import type { TreeEntry } from "@wink/filesystem";
import type { NodeState } from "../runtime/subagent/file-state.js";

/** The first of the entries at a path, which is the node itself. */
export async function nodeOf(entries: Iterable<TreeEntry>): Promise<NodeState> {
  for (const entry of entries) {
    const { executable, kind } = entry;
    if (kind === "directory") return { kind };
    return { kind: "file", bytes: await entry.read(), executable, isLink: kind === "symlink" };
  }
  return { kind: "absent" };
}
