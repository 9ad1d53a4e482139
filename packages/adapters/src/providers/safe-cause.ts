import { withoutKeys } from "./without-keys.js";

const MAX_MESSAGE = 1_000;
const MAX_STACK = 4_000;
const MAX_DEPTH = 5;
/** What helps to find out what happened, and is a word or a number. */
const FACTS = ["code", "type", "status", "statusCode", "errno", "syscall", "requestID"];

/**
 * A copy of what a provider's client threw, to be the cause of an error that is printed or logged.
 *
 * A provider, or a proxy in front of it, may repeat the key of a request anywhere: in the message, the
 * headers, the body. The copy has names, numbers and texts without keys. It has no headers, no bodies
 * and no requests, which hold the whole conversation.
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
    // A foreign error may throw when it is read.
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

/** As errors have these: not enumerable, so that they are not printed twice. */
function hide(target: Error, key: string, value: string): void {
  Object.defineProperty(target, key, { value, configurable: true, writable: true });
}
