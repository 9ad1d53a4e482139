import { mergeFile, type TreeEntry } from "@wink/filesystem";
import type { ApplyConflict } from "../error/apply-error.js";
import { staysInside } from "../mount/link-target.js";
import type { FileSide, LinkSide, Side } from "./apply-step.js";
import { type FileState, hostParts } from "./host-state.js";
import { mergeMode, modeOf } from "./merge-mode.js";
import type { PlacedChange } from "./placed-change.js";
import { contentOf, hashOf, inMemory, isLargeEntry, isLargeState } from "./side-content.js";

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
  { before, after, host, place }: PlacedChange,
  onConflict: "refuse" | "merge",
): Promise<Decision | undefined> {
  // A file that became a directory no longer exists as a file.
  const [old, now] = [before, after].map((each) => (each?.kind === "directory" ? undefined : each));
  if (old === undefined && now === undefined) return undefined;
  if (host.kind === "other" || host.kind === "below-link") return { conflict: "link" };
  if ([old?.kind, now?.kind, host.kind].includes("symlink"))
    return await decideLink(old, now, host, place);
  const isLarge = isLargeEntry(old) || isLargeEntry(now) || isLargeState(host);
  // Large contents are compared by their hashes, and never combined.
  const versionOf = isLarge ? hashedVersion : wholeVersion;
  const ours = host.kind === "file" ? stateVersion(host, isLarge) : undefined;
  const theirs = await versionOf(now);
  const merge = await mergeFile(
    // `planDirectories` reports a directory in the way, because only it knows which directories will be removed.
    { base: host.kind === "directory" ? undefined : await versionOf(old), ours, theirs },
    { combine: !isLarge && onConflict === "merge" },
  );
  if (merge.kind === "keep") return decideMode(old, now, host, place);
  if (merge.kind === "conflict") return { conflict: CONFLICTS[merge.reason] };
  const replaced = host.kind === "file" ? sideOf(host, place) : ABSENT;
  if (merge.kind === "delete") return { before: replaced, after: ABSENT, merged: false };
  const { bytes, executable, combined } = merge;
  // In place of a large content, `bytes` is the hash of one side.
  const isOurs = isLarge && bytes !== theirs?.bytes && replaced.kind === "file";
  const content = isOurs ? replaced : isLarge && now ? await contentOf(now) : inMemory(bytes);
  const { hash, isLarge: isInParts, parts } = content;
  const written: Side = {
    ...(replaced.kind === "file" && replaced),
    ...{ kind: "file", hash, isLarge: isInParts, parts },
    mode: modeFor(host.kind === "file" ? host : undefined, executable, old, now),
    // Combined content is new.
    modifiedAtMs: combined ? undefined : now?.modifiedAtMs,
  };
  return { before: replaced, after: written, merged: combined };
}

interface Version {
  readonly bytes: Uint8Array;
  readonly executable: boolean;
}

async function wholeVersion(entry: TreeEntry | undefined): Promise<Version | undefined> {
  return entry && { bytes: await entry.read(), executable: entry.executable };
}

/** A version with the hash in place of the content. */
async function hashedVersion(entry: TreeEntry | undefined): Promise<Version | undefined> {
  return entry && { bytes: Buffer.from(await hashOf(entry)), executable: entry.executable };
}

function stateVersion(host: FileState, isHashed: boolean): Version {
  const { bytes = new Uint8Array() } = host;
  return { bytes: isHashed ? Buffer.from(host.hash()) : bytes, executable: isExecutable(host) };
}

function isExecutable({ mode }: FileState): boolean {
  return (mode & 0o100) !== 0;
}

/** Keeps the host's permissions, except for permission bits that the workspace changed. */
function modeFor(
  host: FileState | undefined,
  executable: boolean,
  old: TreeEntry | undefined,
  now: TreeEntry | undefined,
): number {
  if (host === undefined) return now?.mode ?? (executable ? 0o755 : 0o644);
  const { mode } = host;
  if (now?.mode !== undefined && old?.mode !== undefined && now.mode !== old.mode)
    return mergeMode(old.mode, mode, now.mode);
  if (isExecutable(host) === executable) return mode;
  // Everyone who may read the file may execute it.
  return executable ? mode | ((mode & 0o444) >> 2) : mode & ~0o111;
}

function sideOf(state: FileState, { root, path }: PlacedChange["place"]): FileSide {
  const { bytes, mode, uid, gid, mtimeMs: modifiedAtMs } = state;
  const content =
    bytes === undefined
      ? { hash: state.hash(), isLarge: true, parts: () => hostParts(root.root, path) }
      : inMemory(bytes);
  return { kind: "file", mode, uid, gid, modifiedAtMs, ...content };
}

/** Changes only the permission bits of a file whose content stays. */
function decideMode(
  old: TreeEntry | undefined,
  now: TreeEntry | undefined,
  host: PlacedChange["host"],
  place: PlacedChange["place"],
): Decision | undefined {
  const isChanged = now?.mode !== undefined && old?.mode !== undefined && now.mode !== old.mode;
  if (!isChanged || host.kind !== "file") return undefined;
  const mode = mergeMode(old.mode, host.mode, now.mode);
  if (mode === host.mode) return undefined;
  const before = sideOf(host, place);
  return { before, after: { ...before, mode }, merged: (mode & 0o777) !== now.mode };
}

/**
 * Decides about a link. The host must have the old state exactly, and a link that would point outside the mount is not
 * written: the user's programs would follow it.
 */
async function decideLink(
  old: TreeEntry | undefined,
  now: TreeEntry | undefined,
  host: PlacedChange["host"],
  place: PlacedChange["place"],
): Promise<Decision | undefined> {
  const found = host.kind === "symlink" ? linkSide(host.target, host.mtimeMs) : undefined;
  const current = host.kind === "file" ? sideOf(host, place) : (found ?? ABSENT);
  const [base, wanted] = [await sideOfEntry(old), await sideOfEntry(now)];
  if (isEqual(current, wanted)) return undefined;
  if (!isEqual(current, base)) return { conflict: "link" };
  if (wanted.kind === "symlink" && !staysInside(wanted.target, place.path))
    return { conflict: "link" };
  return { before: current, after: wanted, merged: false };
}

function linkSide(target: Uint8Array, modifiedAtMs: number | undefined): LinkSide {
  return { kind: "symlink", target: Buffer.from(target).toString("latin1"), modifiedAtMs };
}

async function sideOfEntry(entry: TreeEntry | undefined): Promise<Side> {
  if (entry === undefined) return ABSENT;
  const { modifiedAtMs } = entry;
  if (entry.kind === "symlink") return linkSide(await entry.read(), modifiedAtMs);
  return { kind: "file", mode: modeOf(entry), modifiedAtMs, ...(await contentOf(entry)) };
}

function isEqual(one: Side, other: Side): boolean {
  if (one.kind === "symlink") return other.kind === "symlink" && one.target === other.target;
  if (one.kind === "file") return other.kind === "file" && one.hash === other.hash;
  return one.kind === other.kind;
}
