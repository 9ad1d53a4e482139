import type { FilesystemSnapshot } from "@wink/filesystem";
import { CliError } from "../terminal/cli-error.js";
import { EXIT_CODES } from "../terminal/exit-codes.js";

const SHORTEST_ID = 4;
const MAX_NAMED = 10;

/** Finds the snapshot with this name or this id prefix. */
export function findSnapshot(
  snapshots: readonly FilesystemSnapshot[],
  given: string,
): FilesystemSnapshot {
  const named = snapshots.find(({ name }) => name === given);
  if (named !== undefined) return named;
  const byId =
    given.length < SHORTEST_ID ? [] : snapshots.filter((each) => each.snapshotId.startsWith(given));
  const [first] = byId;
  if (first !== undefined && byId.length === 1) return first;
  throw new CliError(`Snapshot ${given} does not exist.`, {
    exitCode: EXIT_CODES.usage,
    hint:
      snapshots.length === 0
        ? "There are no snapshots yet. An agent makes them with its tool snapshot_create."
        : `There are: ${snapshots.slice(0, MAX_NAMED).map(labelOf).join(", ")}${snapshots.length > MAX_NAMED ? " …" : ""}.`,
  });
}

/** The snapshot's name, or the start of its id. */
export function labelOf({ name, snapshotId }: FilesystemSnapshot): string {
  return name ?? snapshotId.slice(0, 8);
}
