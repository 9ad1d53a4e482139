import type { RenderedTool } from "@wink/prompt";
import { ToolRolledBack } from "../context/run-events.js";
import type { CallTransaction } from "../transaction/call-transaction.js";
import { poison } from "../transaction/poison.js";
import type { Rollback } from "../transaction/rollback.js";
import type { CallReport } from "./call-report.js";
import { describeUndone } from "./describe-failure.js";

export const POISONED =
  "An earlier call could not be undone, so no tool can be used until the workspace has been recovered.";

const MAX_PATHS_RECORDED = 100;
const MAX_PATH_RECORDED = 1_000;

export interface UndoCallOptions {
  readonly tool: RenderedTool;
  readonly toolCallId: string;
  readonly transaction: CallTransaction;
  readonly report: CallReport;
  /** The resources that later calls cannot use if this call cannot be rolled back. */
  readonly resources: readonly object[];
  readonly reason: string;
}

/**
 * Rolls back a call and returns a sentence about what was undone, or "" if the call changed
 * nothing.
 */
export async function undoCall(options: UndoCallOptions): Promise<string> {
  const { tool, toolCallId, transaction, report, resources, reason } = options;
  let rollback: Rollback | undefined;
  const undo = async () => {
    await transaction.revoke();
    // Reuse the rollback for every attempt, because it knows which steps are done.
    rollback ??= transaction.rollback(reason);
    await rollback.run();
  };
  // Before the rollback, because afterwards the changes can no longer be counted.
  const sentence = transaction.begun ? describeUndone(tool.access, transaction) : "";
  const paths = [...transaction.touched]
    .map((path) => path.slice(0, MAX_PATH_RECORDED))
    .slice(0, MAX_PATHS_RECORDED);
  const events = transaction.sessionChanges;
  let complete = true;
  try {
    await undo();
  } catch (error) {
    complete = false;
    poison(resources, { run: undo });
    report.tell(error, "rollback");
  }
  if (complete && sentence === "") return "";
  report.note(() =>
    ToolRolledBack({ toolCallId, tool: tool.name, reason, paths, events, complete }),
  );
  return complete ? sentence : `What it did could not be undone. ${POISONED}`;
}
