import { writeFileSync } from "node:fs";
import { SnapshotError } from "../../snapshots/snapshot-error.js";
import type { ProcessLock } from "./process-lock.js";
import { releaseToken, takeToken } from "./process-token.js";
import { removeIfThere } from "./store-io.js";

const WAIT_MS = 30_000;

/**
 * Runs `body` while no garbage collector removes objects.
 *
 * The lease file is created before the collector's lock is checked. The collector takes its lock before it checks
 * for leases. So at least one of the two sees the other: the lease holder waits, the collector stops.
 */
export async function underLease<T>(
  directory: string,
  collector: ProcessLock,
  body: () => Promise<T>,
): Promise<T> {
  const token = takeToken();
  const lease = `${directory}/${token}`;
  try {
    writeFileSync(lease, "", { flag: "wx", mode: 0o600 });
    if (!(await collector.whenFree(WAIT_MS))) throw new SnapshotError("BUSY");
    return await body();
  } finally {
    releaseToken(token);
    removeIfThere(lease);
  }
}
