import { mergeFile, type TreeEntry } from "@wink/filesystem";
import type { ApplyConflict } from "../error/apply-error.js";
import type { Side } from "./apply-step.js";
import { contentHash, type FileState } from "./host-state.js";
import type { PlacedChange } from "./placed-change.js";

type Decision =
  | { readonly before: Side; readonly after: Side; readonly merged: boolean }
  | { readonly conflict: ApplyConflict["reason"] };

const ABSENT: Side = { kind: "absent" };

const CONFLICTS = {
  "both-added": "exists",
  "both-changed": "changed",
  "deleted-in-ours": "missing",
  "deleted-in-theirs": "changed",
} as const;

/** Decides what to do with a file. Returns `undefined` when there is nothing to do or only directories are involved. */
export async function decideFile(
  { before, after, host }: PlacedChange,
  onConflict: "refuse" | "merge",
): Promise<Decision | undefined> {
  // A file that became a directory no longer exists as a file.
  const [old, now] = [before, after].map((each) => (each?.kind === "directory" ? undefined : each));
  if (old === undefined && now === undefined) return undefined;
  if (old?.kind === "symlink" || now?.kind === "symlink" || host.kind === "other")
    return { conflict: "link" };
  const merge = await mergeFile(
    {
      // `planDirectories` reports a directory in the way, because only it knows which directories will be removed.
      base: host.kind === "directory" ? undefined : await versionOf(old),
      ours: host.kind === "file" ? { ...host, executable: isExecutable(host) } : undefined,
      theirs: await versionOf(now),
    },
    { combine: onConflict === "merge" },
  );
  if (merge.kind === "keep") return undefined;
  if (merge.kind === "conflict") return { conflict: CONFLICTS[merge.reason] };
  const replaced = host.kind === "file" ? sideOf(host) : ABSENT;
  if (merge.kind === "delete") return { before: replaced, after: ABSENT, merged: false };
  const { bytes, executable, combined } = merge;
  const written: Side = {
    ...(replaced.kind === "file" && replaced),
    kind: "file",
    hash: contentHash(bytes),
    mode: modeFor(host.kind === "file" ? host : undefined, executable),
    read: () => bytes,
  };
  return { before: replaced, after: written, merged: combined };
}

async function versionOf(entry: TreeEntry | undefined) {
  return entry && { bytes: await entry.read(), executable: entry.executable };
}

function isExecutable({ mode }: FileState): boolean {
  return (mode & 0o100) !== 0;
}

/** Keeps the host's permissions, except for execute bits that change. */
function modeFor(host: FileState | undefined, executable: boolean): number {
  if (host === undefined) return executable ? 0o755 : 0o644;
  const { mode } = host;
  if (isExecutable(host) === executable) return mode;
  // Everyone who may read the file may execute it.
  return executable ? mode | ((mode & 0o444) >> 2) : mode & ~0o111;
}

function sideOf({ bytes, mode, uid, gid }: FileState): Side & { readonly kind: "file" } {
  return { kind: "file", hash: contentHash(bytes), mode, uid, gid, read: () => bytes };
}
