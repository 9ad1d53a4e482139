import { safeCause } from "./safe-cause.js";
import { withoutKeys } from "./without-keys.js";

/** Receives an error that no caller sees, and what failed, such as `tool edit_file`. */
export type OnError = (error: unknown, where: string) => void;

/**
 * Prints an error with its stack and its causes, without keys. The default of every `onError`.
 *
 * The copy that is printed has no headers, bodies or requests, because these hold the whole
 * conversation.
 */
function printError(error: unknown, where: string): void {
  console.error(`${where}:`, safeCause(error, []) ?? describeError(error).message);
}

const MAX_MESSAGE = 300;

/** The name and the message of anything that was thrown, short and without keys. */
export function describeError(error: unknown): { readonly name: string; readonly message: string } {
  const clean = (text: string) => withoutKeys(text, { maxCharacters: MAX_MESSAGE, secrets: [] });
  try {
    if (error instanceof Error) return { name: clean(error.name), message: clean(error.message) };
    return { name: typeof error, message: typeof error === "string" ? clean(error) : "" };
  } catch {
    // Reading a foreign error can throw.
    return { name: "unknown", message: "" };
  }
}

/** Calls `onError`, or prints the error if there is none. Ignores what `onError` throws. */
export function reportError(onError: OnError | undefined, error: unknown, where: string): void {
  try {
    if (onError === undefined) printError(error, where);
    else onError(error, where);
  } catch {
    // The caller must continue.
  }
}

/** Returns what `ask` returns. If it throws, reports the error and returns `otherwise`. */
export function answerOf<T>(ask: () => T, otherwise: T, onError: OnError | undefined): T {
  try {
    return ask();
  } catch (error) {
    reportError(onError, error, "agent loop");
    return otherwise;
  }
}
