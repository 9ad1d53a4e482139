import { writeFileSync } from "node:fs";
import { releaseToken, takeToken } from "./owner.js";
import type { ProcessLock } from "./process-lock.js";
import { removeIfThere } from "./store-io.js";

const WAIT_MS = 30_000;

/**
 * Runs `body` while nobody removes objects.
 *
 * The lease is laid down first and the collector's lock looked at afterwards; the
 * collector does the same the other way round. So at least one of them sees the other:
 * the one with the lease waits, the collector gives up.
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
    await collector.whenFree(WAIT_MS);
    return await body();
  } finally {
    releaseToken(token);
    removeIfThere(lease);
  }
}
