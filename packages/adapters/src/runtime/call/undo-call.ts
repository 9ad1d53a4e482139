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
  /** What is refused to later calls when this one cannot be undone. */
  readonly resources: readonly object[];
  readonly reason: string;
}

/** Takes everything back that a call did, and says so in a sentence; there is none when it did nothing. */
export async function undoCall(options: UndoCallOptions): Promise<string> {
  const { tool, toolCallId, transaction, report, resources, reason } = options;
  let rollback: Rollback | undefined;
  const undo = async () => {
    await transaction.revoke();
    // One and the same for every try, since it knows what is done already.
    rollback ??= transaction.rollback(reason);
    await rollback.run();
  };
  // Before it is undone, since a restore hides what there was.
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
