import type { ToolAccess } from "@wink/prompt";
import type { CallResource } from "../transaction/call-resource.js";
import type { CallTransaction } from "../transaction/call-transaction.js";
import { blockCalls } from "../transaction/failed-rollbacks.js";
import { BLOCKED, type CallReport, type UndoneChanges } from "./call-report.js";
import { describeUndone } from "./describe-failure.js";

const MAX_PATHS_RECORDED = 100;
const MAX_PATH_RECORDED = 1_000;

export interface UndoCallOptions {
  readonly transaction: CallTransaction;
  readonly access: ToolAccess;
  readonly resources: readonly CallResource[];
  readonly report: CallReport;
  /** Stores what the call did, before it is rolled back. Resolves to the ID of the state. */
  readonly keepUndone: () => Promise<string | undefined> | undefined;
}

/** What the model reads about a rollback, and what the session records. */
export interface UndoneCall {
  /** "" if the call changed nothing. */
  readonly sentence: string;
  readonly undone?: UndoneChanges;
}

/** Rolls back a call. If that fails, later calls are refused until it is done. */
export async function undoCall(
  reason: string,
  { transaction, access, resources, report, keepUndone }: UndoCallOptions,
): Promise<UndoneCall> {
  let kept: Promise<string | undefined> | undefined;
  const rollBack = async () => {
    await transaction.revoke();
    kept ??= Promise.resolve(keepUndone()).catch((error: unknown) => {
      // A rollback does not depend on it.
      report.tell(error, "state");
      return undefined;
    });
    await kept;
    await transaction.rollBack(reason);
  };
  // Before the rollback, because afterwards the changes can no longer be counted.
  const sentence = transaction.begun ? describeUndone(access, transaction) : "";
  const paths = [...transaction.touched]
    .map((path) => path.slice(0, MAX_PATH_RECORDED))
    .slice(0, MAX_PATHS_RECORDED);
  const events = transaction.sessionChanges;
  try {
    await rollBack();
  } catch (error) {
    blockCalls(resources, rollBack);
    report.tell(error, "rollback");
    return {
      sentence: `What it did could not be undone. ${BLOCKED}`,
      undone: { reason, paths, events, complete: false },
    };
  }
  if (sentence === "") return { sentence };
  const snapshot = await kept;
  const state = snapshot === undefined ? {} : { snapshot };
  return { sentence, undone: { reason, paths, events, complete: true, ...state } };
}
