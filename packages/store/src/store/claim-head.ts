import type { Claim, ClaimOutcome, HeadEngine, HeadRecord } from "../engine/engine.js";
import { StoreError } from "../engine/store-error.js";
import { type Patience, retryWrite } from "./retry.js";

export interface ClaimOptions {
  readonly subject: string;
  readonly minVersion: number;
  readonly patience: Patience;
}

/**
 * Claims a head and passes it to `use`. If anything fails, the lease ends, because otherwise no process could open the
 * head until the lease expires.
 */
export async function claimHead<T>(
  engine: HeadEngine,
  key: string,
  claim: Claim,
  { subject, minVersion, patience }: ClaimOptions,
  use: (head: HeadRecord) => Promise<T>,
): Promise<T> {
  let sent: Promise<ClaimOutcome> | undefined;
  try {
    const outcome = await retryWrite(() => {
      sent = engine.claim(key, claim);
      return sent;
    }, patience);
    if (outcome.kind === "absent") throw new StoreError("LOST", subject);
    if (outcome.kind === "busy")
      throw new StoreError(
        "LEASE_LOST",
        subject,
        `another writer has the lease for ${Math.ceil(outcome.leaseLeftMs)} ms. Wait, or open it with takeOver: "always"`,
      );
    if (outcome.head.version < minVersion) throw new StoreError("REWOUND", subject);
    return await use(outcome.head);
  } catch (error) {
    // An aborted claim may still succeed, so its answer is awaited in the background.
    const ended = sent?.then(
      (late) => late.kind === "claimed" && engine.renew(key, late.head.epoch, 0),
    );
    // The error of the claim is the one to report.
    const ignored = ended?.catch(() => {});
    if (!patience.signal?.aborted) await ignored;
    throw error;
  }
}
