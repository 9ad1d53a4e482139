import type { FilesystemSnapshot } from "@wink/filesystem";
import { CliError } from "../terminal/cli-error.js";
import { EXIT_CODES } from "../terminal/exit-codes.js";

export interface PruneChoice {
  /** How many of the newest snapshots to keep. */
  readonly keep?: string | undefined;
  /** An age such as `12h` or `30d`. Older snapshots are deleted. */
  readonly olderThan?: string | undefined;
  readonly all?: boolean | undefined;
}

const UNITS_MS = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;

/**
 * Selects the snapshots to delete; `snapshots` is sorted newest first. Throws if no option is
 * given.
 */
export function choosePrunable(
  snapshots: readonly FilesystemSnapshot[],
  { keep, olderThan, all = false }: PruneChoice,
  nowMs: number,
): readonly FilesystemSnapshot[] {
  if (all) return snapshots;
  if (keep === undefined && olderThan === undefined)
    throw usage("Select the snapshots to delete.", "Use --keep 10, --older-than 30d or --all.");
  const kept = keep === undefined ? 0 : readCount(keep);
  const oldestMs = olderThan === undefined ? Number.POSITIVE_INFINITY : nowMs - readAge(olderThan);
  return snapshots.filter(
    ({ createdAt }, index) => index >= kept && Date.parse(createdAt) < oldestMs,
  );
}

function readCount(text: string): number {
  const count = Number(text);
  if (text.trim() !== "" && Number.isSafeInteger(count) && count >= 0) return count;
  throw usage(`--keep: invalid number '${text}'.`, "Use a whole number such as 10.");
}

function readAge(text: string): number {
  const [, amount, unit] = /^(\d+(?:\.\d+)?)([mhdw])$/.exec(text) ?? [];
  // The pattern allows no other units.
  if (amount !== undefined) return Number(amount) * UNITS_MS[unit as keyof typeof UNITS_MS];
  throw usage(`--older-than: invalid age '${text}'.`, "Use an age such as 90m, 12h, 30d or 2w.");
}

function usage(message: string, hint: string): CliError {
  return new CliError(message, { exitCode: EXIT_CODES.usage, hint });
}
