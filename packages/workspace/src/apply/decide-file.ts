import { mergeText, type TreeEntry } from "@wink/filesystem";
import type { ApplyConflict } from "./apply-error.js";
import type { Side } from "./apply-step.js";
import { contentHash, equalBytes, type FileState } from "./host-state.js";
import type { PlacedChange } from "./placed-change.js";

type Decision =
  | { readonly before: Side; readonly after: Side; readonly merged: boolean }
  | { readonly conflict: ApplyConflict["reason"] };

const ABSENT: Side = { kind: "absent" };

/** Decides what to do with a file. Returns `undefined` when there is nothing to do or only directories are involved. */
export async function decideFile(
  { before, after, host }: PlacedChange,
  onConflict: "refuse" | "merge",
): Promise<Decision | undefined> {
  const old = before?.kind === "directory" ? undefined : before;
  const now = after?.kind === "directory" ? undefined : after;
  if (old === undefined && now === undefined) return undefined;
  if (old?.kind === "symlink" || now?.kind === "symlink") return { conflict: "link" };
  if (host.kind === "other") return { conflict: "link" };

  const wanted = now && (await now.read());
  if (now === undefined || wanted === undefined) {
    // A file that became a directory no longer exists as a file.
    if (host.kind === "absent" || host.kind === "directory") return undefined;
    const same = equalBytes(host.bytes, (await old?.read()) ?? new Uint8Array());
    return same ? { before: sideOf(host), after: ABSENT, merged: false } : { conflict: "changed" };
  }
  if (host.kind === "directory")
    // `planDirectories` reports the conflict, because only it knows which directories will be removed.
    return { before: ABSENT, after: newFile(wanted, now), merged: false };
  if (host.kind === "absent") {
    if (old !== undefined) return { conflict: "missing" };
    return { before: ABSENT, after: newFile(wanted, now), merged: false };
  }
  if (old === undefined) return equalBytes(host.bytes, wanted) ? undefined : { conflict: "exists" };
  return await decideEdit(host, await old.read(), wanted, modeFor(host, old, now), onConflict);
}

async function decideEdit(
  host: FileState,
  base: Uint8Array,
  wanted: Uint8Array,
  mode: number,
  onConflict: "refuse" | "merge",
): Promise<Decision | undefined> {
  const write = (bytes: Uint8Array, merged: boolean): Decision | undefined => {
    if (equalBytes(host.bytes, bytes) && host.mode === mode) return undefined;
    return { before: sideOf(host), after: { ...sideOf({ ...host, bytes }), mode }, merged };
  };
  if (equalBytes(host.bytes, base) || equalBytes(host.bytes, wanted)) return write(wanted, false);
  const merged = onConflict === "merge" ? await mergeBytes(base, wanted, host.bytes) : undefined;
  return merged === undefined ? { conflict: "changed" } : write(merged, true);
}

/** Merges text that both sides changed in different places, and any content that only one side changed. */
async function mergeBytes(
  base: Uint8Array,
  ours: Uint8Array,
  theirs: Uint8Array,
): Promise<Uint8Array | undefined> {
  if (equalBytes(base, ours)) return theirs;
  const texts = [base, ours, theirs].map(decode);
  const [origin, left, right] = texts;
  if (origin === undefined || left === undefined || right === undefined) return undefined;
  const merged = await mergeText(origin, left, right);
  return merged === undefined ? undefined : new TextEncoder().encode(merged);
}

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function decode(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    return decoder.decode(bytes);
  } catch {
    return undefined;
  }
}

/** Keeps the host's permissions. Sets or clears the execute bits only if the workspace changed them. */
function modeFor({ mode }: FileState, before: TreeEntry, after: TreeEntry): number {
  if (before.executable === after.executable) return mode;
  // Everyone who may read the file may execute it.
  return after.executable ? mode | ((mode & 0o444) >> 2) : mode & ~0o111;
}

function newFile(bytes: Uint8Array, { executable }: TreeEntry): Side {
  return {
    kind: "file",
    hash: contentHash(bytes),
    mode: executable ? 0o755 : 0o644,
    read: () => bytes,
  };
}

function sideOf({ bytes, mode, uid, gid }: FileState): Side & { readonly kind: "file" } {
  return { kind: "file", hash: contentHash(bytes), mode, uid, gid, read: () => bytes };
}
