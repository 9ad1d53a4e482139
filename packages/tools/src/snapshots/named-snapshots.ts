import type { FilesystemSnapshot, SnapshotableFilesystem } from "@wink/filesystem";
import { fail, type ToolFailure } from "@wink/prompt";
import { quote } from "../reply/quote.js";
import type { SnapshotRetention } from "./snapshot-settings.js";

export interface NamedSnapshot extends FilesystemSnapshot {
  readonly name: string;
}

/** The snapshots that have a name, the newest first. Snapshots without a name were not created by the model. */
export async function namedSnapshots(
  filesystem: SnapshotableFilesystem,
  signal?: AbortSignal,
): Promise<readonly NamedSnapshot[]> {
  const all = await filesystem.snapshots({ signal });
  return all.filter((each): each is NamedSnapshot => each.name !== undefined);
}

const NAME = /^[A-Za-z0-9_][A-Za-z0-9_.-]*$/;
const MAX_NAME_CHARACTERS = 100;

/** Returns a failure if the name is invalid. */
export function checkName(name: string): ToolFailure | undefined {
  if (NAME.test(name) && name.length <= MAX_NAME_CHARACTERS) return undefined;
  return fail(`${quote(name)} is not a valid snapshot name.`, {
    hint: `A name begins with a letter, a digit or "_". The rest may also contain "." and "-". It has at most ${MAX_NAME_CHARACTERS} characters.`,
  });
}

/** Returns the snapshot with this name, or a failure. */
export async function findSnapshot(
  filesystem: SnapshotableFilesystem,
  name: string,
  signal: AbortSignal,
): Promise<NamedSnapshot | ToolFailure> {
  const problem = checkName(name);
  if (problem) return problem;
  const all = await namedSnapshots(filesystem, signal);
  const found = all.find((each) => each.name === name);
  if (found !== undefined) return found;
  const names = all.slice(0, 20).map((each) => each.name);
  return fail(`Unknown snapshot ${quote(name)}.`, {
    hint: names.length === 0 ? "No snapshots exist." : `Snapshots: ${names.join(", ")}.`,
  });
}

const DEFAULT_MAX_SNAPSHOTS = 100;

/** Deletes snapshots that exceed the limits, the oldest first, and returns them. Ignores snapshots without a name. */
export async function retainSnapshots(
  filesystem: SnapshotableFilesystem,
  newest: string,
  { maxCount = DEFAULT_MAX_SNAPSHOTS, maxAgeMs, maxBytes }: SnapshotRetention,
): Promise<readonly NamedSnapshot[]> {
  const others = (await namedSnapshots(filesystem)).filter((each) => each.snapshotId !== newest);
  const oldest = maxAgeMs === undefined ? Number.NEGATIVE_INFINITY : Date.now() - maxAgeMs;
  const kept = others.filter(
    ({ createdAt }, index) => index < maxCount - 1 && Date.parse(createdAt) >= oldest,
  );
  const gone = others.filter((each) => !kept.includes(each));
  for (const each of gone) await filesystem.deleteSnapshot(each);
  while (maxBytes !== undefined && (await heldBytes(filesystem)) > maxBytes) {
    const last = kept.pop();
    if (last === undefined) break;
    await filesystem.deleteSnapshot(last);
    gone.push(last);
  }
  return gone;
}

/** `prune` without limits deletes nothing, but reports the size. */
async function heldBytes(filesystem: SnapshotableFilesystem): Promise<number> {
  return (await filesystem.prune({ keepNamed: true })).heldBytes;
}
