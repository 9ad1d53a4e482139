import type { EngineCommit, HeadEngine, HeadRecord } from "../engine/engine.js";
import { isStoreError, StoreError } from "../engine/store-error.js";
import { deadline, isUnanswered, type Patience } from "./retry.js";

const FIRST_DELAY_MS = 20;
const MAX_DELAY_MS = 1000;

/**
 * Commits exactly once, although answers get lost: a failed commit may have happened, and a refused one may be the
 * caller's own that was sent twice. So if the outcome is unknown, the head is read: its list of commit ids contains the
 * commit or not.
 */
export async function commitOnce(
  engine: HeadEngine,
  key: string,
  commit: EngineCommit,
  subject: string,
  patience: Patience,
): Promise<void> {
  const limit = deadline(patience);
  let delayMs = FIRST_DELAY_MS;
  let wasSent = false;
  for (;;) {
    let doubt: unknown;
    try {
      if (await limit.race(engine.commit(key, commit))) return;
      wasSent = true;
    } catch (error) {
      if (!isUnanswered(error)) {
        // After an abort, the server may have made the commit.
        if (isStoreError(error)) throw error;
        throw new StoreError("UNKNOWN", subject, undefined, { cause: error });
      }
      doubt = error;
      wasSent ||= error.code === "UNKNOWN";
    }
    for (;;) {
      try {
        const head = await limit.race(engine.load(key));
        if (isCommitted(head, commit, subject)) return;
        break;
      } catch (error) {
        if (!isUnanswered(error)) {
          if (isStoreError(error) || !wasSent) throw error;
          throw new StoreError("UNKNOWN", subject, undefined, { cause: error });
        }
        doubt = error;
      }
      if (!(await pause())) throw ended(doubt);
    }
    // A refusal that the head does not explain: send it again, a little later.
    if (!(await pause())) throw ended(doubt);
  }

  async function pause(): Promise<boolean> {
    try {
      return await limit.sleep(delayMs);
    } catch (error) {
      throw wasSent ? new StoreError("UNKNOWN", subject, undefined, { cause: error }) : error;
    } finally {
      delayMs = Math.min(delayMs * 2, MAX_DELAY_MS);
    }
  }

  function ended(cause: unknown): StoreError {
    return new StoreError(wasSent ? "UNKNOWN" : "UNREACHABLE", subject, undefined, { cause });
  }
}

/** Whether the head has the commit. `false` means that it may be sent again. Throws if it can never be committed. */
function isCommitted(
  head: HeadRecord | undefined,
  { expected, recent }: EngineCommit,
  subject: string,
): boolean {
  if (head === undefined || head.pools.at(-1) !== expected.pool)
    throw new StoreError("LOST", subject);
  // The array is not empty: a commit has an id.
  if (head.recent.includes(recent.at(-1) as string)) return true;
  if (head.epoch > expected.epoch) throw new StoreError("LEASE_LOST", subject);
  if (head.version < expected.version || head.epoch < expected.epoch)
    throw new StoreError("REWOUND", subject);
  // The same claim made a commit that this writer does not know: the server forgot commits, and others followed.
  if (head.version > expected.version) throw new StoreError("REWOUND", subject);
  return false;
}
