import { MAX_TIMER_MS } from "../runtime/context/max-timer.js";
import type { IdleTimeout } from "./idle-timeout.js";
import { omitUndefined } from "./omit-undefined.js";

export interface Reach {
  readonly apiKey?: string | undefined;
  readonly baseURL?: string | undefined;
}

/** The options for the provider's SDK client. */
export function clientOptions({ apiKey, baseURL }: Reach) {
  // A custom server usually needs no key, and must not receive the key from the environment.
  const key = apiKey ?? (baseURL === undefined ? undefined : "none");
  return {
    ...omitUndefined({ apiKey: key, baseURL }),
    // The SDK would log unreadable answers with their contents.
    logLevel: "off" as const,
  };
}

/**
 * The options of a request. The loop retries and the watch detects timeouts, so the SDK must do
 * neither.
 */
export function requestOptions({ signal }: IdleTimeout) {
  return { signal, maxRetries: 0, timeout: MAX_TIMER_MS };
}
