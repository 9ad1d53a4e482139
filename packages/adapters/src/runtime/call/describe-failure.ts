import { isFilesystemError, isSnapshotError } from "@wink/filesystem";
import { isPromptError } from "@wink/prompt";
import { isSessionError } from "@wink/session";
import { isAdapterError } from "../../error/adapter-error.js";
import { InsideTransaction } from "../transaction/call-nesting.js";
import { type CallTransaction, NotUndoable } from "../transaction/call-transaction.js";

const MAX_PATHS_NAMED = 5;

/**
 * Describes a thrown error for the model.
 *
 * Only messages of WINK's own errors are repeated. Any other message may contain a host path or a
 * secret. Reading a foreign error can throw.
 */
export function describeThrown(tool: string, error: unknown): string {
  if (!isForModel(error)) return `${tool} failed because of an internal error.`;
  return `${tool} failed: ${textOf(error)}`;
}

/** Why a call was not run, for an error that came before its handler. */
export function describeRefusal(tool: string, error: unknown): string | undefined {
  if (error instanceof NotUndoable)
    return `${tool} was not run: changes to its files could not be undone.`;
  if (error instanceof InsideTransaction)
    return `${tool} was not run: the tool that calls it has an open transaction on the same files. It must end that transaction first.`;
  return undefined;
}

/** Whether the model reads the message of this error. */
export function isForModel(error: unknown): error is Error {
  try {
    const isKnown =
      isFilesystemError(error) ||
      isSnapshotError(error) ||
      isSessionError(error) ||
      isPromptError(error) ||
      isAdapterError(error, "TOO_DEEP") ||
      isAdapterError(error, "NOT_FORKABLE");
    return isKnown && typeof error.message === "string";
  } catch {
    // Reading a foreign error can throw.
    return false;
  }
}

/** The advice of a filesystem's error names methods that a model cannot call, so it is left out. */
function textOf(error: Error): string {
  let text = error.message;
  if (isFilesystemError(error)) text = `'${error.path}': ${error.reason}`;
  if (isSnapshotError(error)) text = `${error.subject}: ${error.reason}`;
  return asSentence(text);
}

/** Lets another sentence follow the text of a handler, which may end with a newline or without a full stop. */
export function asSentence(text: string): string {
  const trimmed = text.trimEnd();
  return /[.?!…:]["'`)\]]*$/.test(trimmed) || trimmed === "" ? trimmed : `${trimmed}.`;
}

/**
 * Returns a sentence about the undone changes and their limits, or "" if the call changed
 * nothing.
 */
export function describeUndone(
  access: string,
  { touched, sessionChanges }: Pick<CallTransaction, "touched" | "sessionChanges">,
): string {
  if (access === "opaque")
    return "All its changes to files and to the session were undone; what it did outside the workspace was not.";
  const parts: string[] = [];
  if (touched.size > 0) parts.push(`changes to ${listPaths([...touched])}`);
  if (sessionChanges > 0) parts.push(sessionChanges === 1 ? "1 event" : `${sessionChanges} events`);
  return parts.length === 0 ? "" : `Everything it did was undone: ${parts.join(" and ")}.`;
}

function listPaths(paths: readonly string[]): string {
  const named = paths.slice(0, MAX_PATHS_NAMED).map((path) => `'${path.slice(0, 200)}'`);
  const more = paths.length - named.length;
  return more > 0 ? `${named.join(", ")} and ${more} more` : named.join(", ");
}
