import { withoutKeys } from "./without-keys.js";

const MAX_MESSAGE = 1_000;
const MAX_STACK = 4_000;
const MAX_DEPTH = 5;
/** Fields that help to find the problem and contain only a word or a number. */
const FACTS = ["code", "type", "status", "statusCode", "errno", "syscall", "requestID"];

/**
 * Copies an error of a provider's client without secrets, to use as the cause of an error that
 * may be logged.
 *
 * A provider or proxy may repeat the request's key anywhere: in the message, the headers or the
 * body. The copy contains names, numbers and texts with keys removed. It contains no headers,
 * bodies or requests, because these hold the whole conversation.
 */
export function safeCause(
  error: unknown,
  secrets: readonly string[],
  depth = MAX_DEPTH,
): Error | undefined {
  try {
    if (depth === 0 || typeof error !== "object" || error === null) return undefined;
    return copyOf(error as Readonly<Record<string, unknown>>, secrets, depth);
  } catch {
    // Reading a foreign error can throw.
    return undefined;
  }
}

function copyOf(
  error: Readonly<Record<string, unknown>>,
  secrets: readonly string[],
  depth: number,
): Error {
  const text = (key: string, maxCharacters = MAX_MESSAGE) => {
    const value = error[key];
    return typeof value === "string" ? withoutKeys(value, { maxCharacters, secrets }) : undefined;
  };
  const cause = safeCause(error["cause"], secrets, depth - 1);
  const copy = new Error(text("message") ?? "", cause === undefined ? undefined : { cause });
  hide(copy, "name", text("name") ?? "Error");
  hide(copy, "stack", text("stack", MAX_STACK) ?? `${copy.name}: ${copy.message}`);
  for (const key of FACTS) {
    const value = error[key];
    const fact = typeof value === "number" ? value : text(key);
    if (fact !== undefined) Object.assign(copy, { [key]: fact });
  }
  return copy;
}

/** Not enumerable, as in native errors, so that they are not printed twice. */
function hide(target: Error, key: string, value: string): void {
  Object.defineProperty(target, key, { value, configurable: true, writable: true });
}
