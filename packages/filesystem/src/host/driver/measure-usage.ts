import type { Usage } from "../../protocol/filesystem.js";
import { TimeSlice } from "../process/time-slice.js";
import type { HostWalkEntry } from "./host-walk.js";

/** Adds up the sizes of a whole walk and yields to the event loop after each time slice. */
export async function measureUsage(
  walk: Iterable<HostWalkEntry>,
  signal?: AbortSignal,
): Promise<Usage> {
  const slice = new TimeSlice(signal);
  let totalBytes = 0;
  let fileCount = 0;
  let directoryCount = 0;
  for (const entry of walk) {
    if (slice.due) await slice.rest();
    if (entry.kind === "directory") {
      directoryCount++;
      continue;
    }
    fileCount++;
    const stat = entry.kind === "file" ? entry.stat() : undefined;
    if (stat?.kind === "file") totalBytes += stat.sizeBytes;
  }
  const nodeCount = fileCount + directoryCount;
  return Object.freeze({ totalBytes, fileCount, directoryCount, nodeCount });
}
