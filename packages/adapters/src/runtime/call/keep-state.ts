import type { RenderedTool } from "@wink/prompt";
import { resourceOf } from "../transaction/call-resource.js";
import type { CallScope } from "../transaction/call-scope.js";
import type { CallTransaction } from "../transaction/call-transaction.js";

export interface KeptCall {
  readonly tool: RenderedTool;
  readonly toolCallId: string;
  readonly scope: CallScope;
  readonly transaction: CallTransaction;
}

/**
 * Stores the state of the files for the run, before the call is committed or rolled back. Skipped inside another call on
 * the same files, because that one stores its changes.
 */
export function keepState(
  { tool: { filesystem, name: tool }, toolCallId, scope, transaction }: KeptCall,
  isUndone: boolean,
): Promise<string | undefined> | undefined {
  if (filesystem === undefined || !transaction.hasFiles) return undefined;
  const resource = resourceOf(filesystem);
  const keep = resource.keepState;
  if (keep === undefined) return undefined;
  if (scope.outer?.holderOf(resource) !== undefined) return undefined;
  return transaction.changes().then((changes) => {
    if (changes.length === 0) return undefined;
    return keep({ toolCallId, tool, changes, isUndone });
  });
}
