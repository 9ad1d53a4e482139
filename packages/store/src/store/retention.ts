import { checkChoice, checkNumber, checkOptions } from "../engine/check-options.js";
import type { HeadSummary } from "../engine/engine.js";
import type { RetentionPolicy } from "./store.js";

/** The heads that a policy does not keep, oldest commit first. A head with a lease is in use and always kept. */
export function chooseExpired(
  heads: readonly HeadSummary[],
  { maxAgeMs, maxHeads, maxBytes }: RetentionPolicy,
): readonly HeadSummary[] {
  // A leased head is kept, so it counts before all others.
  const newestFirst = [...heads].sort(
    (one, other) =>
      Number(isLeased(other)) - Number(isLeased(one)) || other.updatedAtMs - one.updatedAtMs,
  );
  const expired: HeadSummary[] = [];
  let keptBytes = 0;
  let kept = 0;
  for (const head of newestFirst) {
    const isKept =
      (maxAgeMs === undefined || head.ageMs <= maxAgeMs) &&
      (maxHeads === undefined || kept < maxHeads) &&
      (maxBytes === undefined || keptBytes + head.sizeBytes <= maxBytes);
    if (!isKept && !isLeased(head)) expired.push(head);
    else {
      kept += 1;
      keptBytes += head.sizeBytes;
    }
  }
  return expired.reverse();
}

/** Refuses a policy before the heads are listed: with a wrong number, all of them could be deleted. */
export function checkPolicy(policy: RetentionPolicy): void {
  checkOptions("prune", policy, ["maxAgeMs", "maxHeads", "maxBytes", "dryRun"]);
  checkNumber("maxAgeMs", policy.maxAgeMs, 0);
  checkNumber("maxHeads", policy.maxHeads, 0);
  checkNumber("maxBytes", policy.maxBytes, 0);
  checkChoice("dryRun", policy.dryRun, [true, false]);
}

function isLeased({ leaseLeftMs }: HeadSummary): boolean {
  return leaseLeftMs > 0;
}
