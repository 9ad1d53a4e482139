import type { PolicyCall, ToolSuccess } from "@wink/prompt";
import { filesAfter } from "@wink/prompt/adapter";
import type { CallTransaction } from "../transaction/call-transaction.js";
import type { CallReport } from "./call-report.js";

/** The files that the model knows after a call, for policies. An error of the tool's declaration is reported. */
export function knownFiles(
  call: PolicyCall,
  result: ToolSuccess,
  transaction: CallTransaction,
  report: CallReport,
): ReturnType<typeof filesAfter> | undefined {
  if (call.tool.files === undefined || call.tool.policies.length === 0) return undefined;
  try {
    return filesAfter(call, result, (path) => transaction.seen(path));
  } catch (error) {
    report.tell(error, `tool ${call.tool.name}`);
    return undefined;
  }
}
