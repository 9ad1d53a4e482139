import { abortable } from "@wink/filesystem/internal";
import { ModelError } from "../error/model-error.js";
import { hasMethod, invalid } from "../runtime/context/require-options.js";
import { isModelTurn } from "../runtime/loop/is-model-turn.js";
import type { ModelTurn } from "../runtime/loop/model-client.js";
import { IdleTimeout } from "./idle-timeout.js";
import { toAnswerError, toModelError } from "./to-model-error.js";

export interface AskProviderOptions {
  readonly signal: AbortSignal;
  /** @default 120_000 */
  readonly idleTimeoutMs: number | undefined;
  /** The keys of the client, as far as they are known. Errors never repeat them. */
  readonly secrets: () => readonly unknown[];
}

/** A program may call a model without an adapter. */
export function requireAsk(subject: string, request: unknown, options: unknown): void {
  const signal: unknown =
    typeof options === "object" && options !== null && "signal" in options ? options.signal : null;
  if (typeof request !== "object" || request === null || !hasMethod(signal, "throwIfAborted"))
    throw invalid(`${subject}: ask`, "pass a request and { signal }.");
}

/**
 * Asks a provider for one turn and closes the connection.
 *
 * Rejects immediately with the signal's reason if aborted, with `NETWORK` if no data arrives for
 * `idleTimeoutMs`, and with a `ModelError` for every other problem.
 */
export async function askProvider(
  { signal, idleTimeoutMs = 120_000, secrets }: AskProviderOptions,
  answer: (watch: IdleTimeout) => Promise<ModelTurn>,
): Promise<ModelTurn> {
  signal.throwIfAborted();
  const watch = new IdleTimeout(signal, idleTimeoutMs);
  try {
    const turn = await abortable(answer(watch), watch.signal);
    // The answer comes from a server, so validate it.
    if (!isModelTurn(turn)) throw new ModelError("MALFORMED");
    return turn;
  } catch (error) {
    signal.throwIfAborted();
    if (watch.timeoutError !== undefined) throw watch.timeoutError;
    const known = secrets().filter((secret) => typeof secret === "string");
    throw watch.begun ? toAnswerError(error, known) : toModelError(error, known);
  } finally {
    watch.close();
  }
}
