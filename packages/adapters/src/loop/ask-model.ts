import { abortable } from "./abortable.js";
import type { AskOptions, ModelClient, ModelRequest, ModelTurn } from "./model-client.js";
import { isModelError, type ModelError } from "./model-error.js";

export interface RetryOptions {
  /** How often one turn is asked for, the first time included. @default 5 */
  readonly maxAttempts?: number | undefined;
  /** The longest first wait; it doubles with each try, and a random part of it is waited. @default 500 */
  readonly baseDelayMs?: number | undefined;
  /** The longest wait that is not the provider's own wish. @default 30_000 */
  readonly maxDelayMs?: number | undefined;
  /** The longest wait that a provider may ask for; when it asks for more, the turn fails. @default 600_000 */
  readonly maxRetryAfterMs?: number | undefined;
  /** Between 0 and 1. @default Math.random */
  readonly random?: (() => number) | undefined;
}

export interface AskModelOptions extends AskOptions {
  readonly retry: RetryOptions;
  /** What is left for waiting. */
  readonly remainingMs: () => number;
  readonly onRetry: (attempt: number, delayMs: number, error: ModelError) => void;
}

/**
 * Asks for one turn, and again when the provider is at fault and there is time.
 * Rejects with the `ModelError` when it is not worth while, and with the signal's reason.
 */
export async function askModel(
  client: ModelClient,
  request: ModelRequest,
  options: AskModelOptions,
): Promise<ModelTurn> {
  const { signal, retry, remainingMs, onRetry } = options;
  for (let attempt = 1; ; attempt++) {
    signal.throwIfAborted();
    try {
      return await abortable(client.ask(request, options), signal);
    } catch (error) {
      signal.throwIfAborted();
      if (!isModelError(error) || !error.retried) throw error;
      if ((error.retryAfterMs ?? 0) > (retry.maxRetryAfterMs ?? 600_000)) throw error;
      const delayMs = delayAfter(attempt, error, retry);
      // A wait that the deadline would cut short is not begun.
      if (attempt >= (retry.maxAttempts ?? 5) || delayMs >= remainingMs()) throw error;
      onRetry(attempt, delayMs, error);
      await sleep(delayMs, signal);
    }
  }
}

function delayAfter(attempt: number, error: ModelError, retry: RetryOptions): number {
  const { baseDelayMs = 500, maxDelayMs = 30_000, random = Math.random } = retry;
  const delayMs = Math.min(maxDelayMs, baseDelayMs * 2 ** (attempt - 1)) * random();
  // On top of what the provider asked for, so that not everybody comes back at that moment.
  return delayMs + (error.retryAfterMs ?? 0);
}

function sleep(delayMs: number, signal: AbortSignal): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const waited = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, delayMs);
  });
  return abortable(waited, signal).finally(() => clearTimeout(timer));
}
