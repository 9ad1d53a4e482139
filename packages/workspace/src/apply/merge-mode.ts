import type { TreeEntry } from "@wink/filesystem";

/** The permission bits of an entry. Snapshots of earlier versions have only the execute bit. */
export function modeOf({ mode, executable }: Pick<TreeEntry, "mode" | "executable">): number {
  return mode ?? (executable ? 0o755 : 0o644);
}

/**
 * Combines the permission bits of both sides. Each bit that `theirs` changed has their value, and the others have ours. A
 * bit has two values, so both sides cannot change it differently.
 */
export function mergeMode(base: number | undefined, ours: number, theirs: number): number {
  const changed = (base ?? theirs) ^ theirs;
  return (theirs & changed) | (ours & ~changed);
}
