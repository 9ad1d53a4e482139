import {
  type FilesystemSnapshot,
  isSnapshotable,
  type SnapshotableFilesystem,
} from "@wink/filesystem";
import { fail, type ToolContext, type ToolFailure } from "@wink/prompt";
import { quote } from "../reply/quote.js";

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

/** Returns the filesystem of the call, or a failure if it does not support snapshots. */
export function snapshotsOf({ filesystem }: ToolContext): SnapshotableFilesystem | ToolFailure {
  if (isSnapshotable(filesystem)) return filesystem;
  return fail("These files do not support snapshots.");
}

export function isFailure(found: object): found is ToolFailure {
  return "success" in found;
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
  return fail(`unknown snapshot ${quote(name)}`, {
    hint: names.length === 0 ? "No snapshots exist." : `Snapshots: ${names.join(", ")}.`,
  });
}
