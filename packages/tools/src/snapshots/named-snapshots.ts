import type { FilesystemSnapshot, SnapshotableFilesystem } from "@wink/filesystem";
import { fail, type ToolContext, type ToolFailure } from "@wink/prompt";
import { isSnapshotable } from "../events/is-snapshotable.js";
import { quote } from "../reply/quote.js";

export interface NamedSnapshot extends FilesystemSnapshot {
  readonly name: string;
}

/** Those that a model can speak of, the newest first. Others belong to somebody else. */
export async function namedSnapshots(
  filesystem: SnapshotableFilesystem,
  signal?: AbortSignal,
): Promise<readonly NamedSnapshot[]> {
  const all = await filesystem.snapshots({ signal });
  return all.filter((each): each is NamedSnapshot => each.name !== undefined);
}

/** The filesystem of the call, or the answer when it keeps no snapshots. */
export function snapshotsOf({ filesystem }: ToolContext): SnapshotableFilesystem | ToolFailure {
  if (isSnapshotable(filesystem)) return filesystem;
  return fail("The files here are of a kind that keeps no snapshots.");
}

export function isFailure(found: object): found is ToolFailure {
  return "success" in found;
}

const NAME = /^[A-Za-z0-9_][A-Za-z0-9_.-]*$/;
const LONGEST_NAME = 100;

/** The answer to a name that cannot be one. */
export function checkName(name: string): ToolFailure | undefined {
  if (NAME.test(name) && name.length <= LONGEST_NAME) return undefined;
  return fail(`${quote(name)} is not a name for a snapshot.`, {
    hint: `A name begins with a letter, digit or _ and goes on with those, "." and "-"; at most ${LONGEST_NAME} characters.`,
  });
}

/** The snapshot of that name, or the answer to an unknown one. */
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
    hint: names.length === 0 ? "There are no snapshots." : `There are: ${names.join(", ")}.`,
  });
}
