import { abortable } from "../context/abortable.js";
import { MAX_TIMER_MS } from "../context/longest-timer.js";
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

export interface ModelRetry {
  /** Which try it was that failed, from 1. */
  readonly attempt: number;
  readonly delayMs: number;
  readonly error: ModelError;
  /** Whether the try had said something that the next one will say anew. */
  readonly hadText: boolean;
}

export interface AskModelOptions extends AskOptions {
  readonly retry: RetryOptions;
  /** What is left for waiting. */
  readonly remainingMs: () => number;
  readonly onRetry: (retry: ModelRetry) => void;
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
  const { signal, onRetry } = options;
  for (let attempt = 1; ; attempt++) {
    signal.throwIfAborted();
    const said = new SaidInTry(options.onText);
    const asked = { signal, onText: said.onText };
    try {
      return await abortable(client.ask(request, asked), signal).finally(said.end);
    } catch (error) {
      signal.throwIfAborted();
      const delayMs = isModelError(error) ? waitAfter(error, attempt, options) : undefined;
      if (!isModelError(error) || delayMs === undefined) throw error;
      onRetry({ attempt, delayMs, error, hadText: said.hadText });
      await sleep(delayMs, signal);
    }
  }
}

/** Passes on what one try says until it is over: a client that was given up may go on talking. */
class SaidInTry {
  readonly #tell: AskOptions["onText"];
  #isOver = false;
  hadText = false;

  constructor(tell: AskOptions["onText"]) {
    this.#tell = tell;
  }

  readonly onText = (text: string): void => {
    if (this.#isOver) return;
    this.hadText = true;
    this.#tell(text);
  };

  readonly end = (): void => {
    this.#isOver = true;
  };
}

/** How long to wait before the next try; `undefined` when there is to be none. */
function waitAfter(
  error: ModelError,
  attempt: number,
  { retry, remainingMs }: AskModelOptions,
): number | undefined {
  const { maxAttempts = 5, maxRetryAfterMs = 600_000 } = retry;
  const { retried, retryAfterMs = 0 } = error;
  if (!retried || attempt >= maxAttempts || retryAfterMs > maxRetryAfterMs) return undefined;
  // On top of what the provider asked for, so that not everybody comes back at that moment.
  const delayMs = retryAfterMs + randomDelay(attempt, retry);
  // A wait that the deadline would cut short is not begun.
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
