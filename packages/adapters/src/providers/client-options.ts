import { MAX_TIMER_MS } from "../runtime/context/longest-timer.js";
import type { AnswerWatch } from "./answer-watch.js";
import { defined } from "./defined.js";

export interface Reach {
  readonly apiKey?: string | undefined;
  readonly baseURL?: string | undefined;
}

/** How a provider's own client is made. */
export function clientOptions({ apiKey, baseURL }: Reach) {
  // A server of one's own mostly wants no key, and must not be sent that of the environment.
  const key = apiKey ?? (baseURL === undefined ? undefined : "none");
  return {
    ...defined({ apiKey: key, baseURL }),
    // What cannot be read would be printed, contents and all.
    logLevel: "off" as const,
  };
}

/** How it is asked: the loop asks again, and the watch knows when nothing comes. */
export function requestOptions({ signal }: AnswerWatch) {
  return { signal, maxRetries: 0, timeout: MAX_TIMER_MS };
}
