import type { GlobMatch, NodeKind } from "../../protocol/filesystem.js";

export function globMatch(path: string, kind: NodeKind): GlobMatch {
  return Object.freeze({ path, isFile: kind === "file" });
}
