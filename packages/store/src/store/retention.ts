import { StoreError } from "../engine/store-error.js";
import type { HeadInfo, RetentionPolicy } from "./store.js";

/** The heads that a policy does not keep, oldest commit first. A head with a lease is in use and always kept. */
export function chooseExpired(
  heads: readonly HeadInfo[],
  policy: RetentionPolicy,
  nowMs: number,
): readonly HeadInfo[] {
  const { maxAgeMs, maxHeads, maxBytes } = policy;
  for (const [name, value] of Object.entries({ maxAgeMs, maxHeads, maxBytes }))
    if (value !== undefined && !(value >= 0))
      throw new StoreError("ARGUMENT_INVALID", name, `expected a number from 0, got ${value}`);
  // A leased head is kept, so it counts before all others.
  const newestFirst = [...heads].sort(
    (one, other) =>
      Number(other.leased) - Number(one.leased) || other.updatedAtMs - one.updatedAtMs,
  );
  const expired: HeadInfo[] = [];
  let keptBytes = 0;
  let kept = 0;
  for (const head of newestFirst) {
    const isKept =
      (maxAgeMs === undefined || nowMs - head.updatedAtMs <= maxAgeMs) &&
      (maxHeads === undefined || kept < maxHeads) &&
      (maxBytes === undefined || keptBytes + head.sizeBytes <= maxBytes);
    if (!isKept && !head.leased) expired.push(head);
    else {
      kept += 1;
      keptBytes += head.sizeBytes;
    }
  }
  return expired.reverse();
}
