import { abortable } from "@wink/filesystem/internal";
import { isModelError, type ModelError } from "../../error/model-error.js";
import { MAX_TIMER_MS } from "../context/max-timer.js";
import type { AskOptions, ModelClient, ModelRequest, ModelTurn } from "./model-client.js";

export interface RetryOptions {
  /** Maximum number of attempts per turn, including the first. @default 5 */
  readonly maxAttempts?: number | undefined;
  /**
   * The upper bound of the first delay. It doubles with each attempt; the actual delay is a
   * random part of it. @default 500
   */
  readonly baseDelayMs?: number | undefined;
  /** The upper bound of a delay that the provider did not request. @default 30_000 */
  readonly maxDelayMs?: number | undefined;
  /**
   * The longest delay that a provider may request. If it requests more, the turn fails. @default
   * 600_000
   */
  readonly maxRetryAfterMs?: number | undefined;
  /** Returns a number between 0 and 1. @default Math.random */
  readonly random?: (() => number) | undefined;
}

/** The names of {@link RetryOptions}. */
export const RETRY_OPTIONS: readonly string[] = Object.keys({
  maxAttempts: true,
  baseDelayMs: true,
  maxDelayMs: true,
  maxRetryAfterMs: true,
  random: true,
} satisfies Record<keyof RetryOptions, true>);

interface ModelRetry {
  /** The number of the failed attempt, from 1. */
  readonly attempt: number;
  readonly delayMs: number;
  readonly error: ModelError;
  /** Whether the failed attempt had already sent text, which the next attempt repeats. */
  readonly hadText: boolean;
}

export interface AskModelOptions extends AskOptions {
  readonly retry: RetryOptions;
  /** The time left for delays. */
  readonly remainingMs: () => number;
  readonly onRetry: (retry: ModelRetry) => void;
}

/**
 * Asks for one turn. Retries provider errors while there is time. Rejects with the `ModelError`
 * if a retry cannot help, and with the signal's reason if aborted.
 */
export async function askModel(
  client: ModelClient,
  request: ModelRequest,
  options: AskModelOptions,
): Promise<ModelTurn> {
  const { signal, onRetry } = options;
  for (let attempt = 1; ; attempt++) {
    signal.throwIfAborted();
    const attemptText = new AttemptText(options);
    const asked = { signal, ...attemptText.listeners };
    try {
      return await abortable(client.ask(request, asked), signal).finally(attemptText.end);
    } catch (error) {
      signal.throwIfAborted();
      const delayMs = isModelError(error) ? waitAfter(error, attempt, options) : undefined;
      if (!isModelError(error) || delayMs === undefined) throw error;
      onRetry({ attempt, delayMs, error, hadText: attemptText.hadText });
      await sleep(delayMs, signal);
    }
  }
}

/**
 * Forwards the text of one attempt until it ends, because a cancelled client may still send text.
 */
class AttemptText {
  readonly listeners: Required<Pick<AskOptions, "onText" | "onThought">>;
  #isOver = false;
  hadText = false;

  constructor({ onText, onThought }: Pick<AskOptions, "onText" | "onThought">) {
    const tell = (listener: ((text: string) => void) | undefined) => (text: string) => {
      if (this.#isOver) return;
      this.hadText = true;
      listener?.(text);
    };
    this.listeners = { onText: tell(onText), onThought: tell(onThought) };
  }

  readonly end = (): void => {
    this.#isOver = true;
  };
}

/** How long to wait before the next attempt; `undefined` if there is none. */
function waitAfter(
  error: ModelError,
  attempt: number,
  { retry, remainingMs }: AskModelOptions,
): number | undefined {
  const { maxAttempts = 5, maxRetryAfterMs = 600_000 } = retry;
  const { retried, retryAfterMs = 0 } = error;
  if (!retried || attempt >= maxAttempts || retryAfterMs > maxRetryAfterMs) return undefined;
  // Added to the provider's delay, so that clients do not all return at the same moment.
  const delayMs = retryAfterMs + randomDelay(attempt, retry);
  // If the delay would exceed the deadline, fail immediately.
  return delayMs < remainingMs() ? delayMs : undefined;
}

function randomDelay(attempt: number, retry: RetryOptions): number {
  const { baseDelayMs = 500, maxDelayMs = 30_000, random = Math.random } = retry;
  return Math.min(maxDelayMs, baseDelayMs * 2 ** (attempt - 1)) * random();
}

function sleep(delayMs: number, signal: AbortSignal): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const waited = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, Math.min(delayMs, MAX_TIMER_MS));
  });
  return abortable(waited, signal).finally(() => clearTimeout(timer));
}
