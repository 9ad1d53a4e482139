import { CliError } from "../terminal/cli-error.js";
import { EXIT_CODES } from "../terminal/exit-codes.js";
import type { Io } from "../terminal/io.js";

/**
 * Runs work that Ctrl-C cancels: `signal` aborts, the work cleans up, and the command exits as
 * interrupted. A second Ctrl-C ends the process immediately.
 */
export async function interruptible<T>(
  io: Io,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const stop = io.onInterrupt(() => {
    io.stderr.write("\nInterrupted: cleaning up. Press Ctrl-C again to end immediately.\n");
    controller.abort(new CliError("Interrupted.", { exitCode: EXIT_CODES.interrupted }));
  });
  try {
    const result = await work(controller.signal);
    // Work that must not stop halfway, such as an apply, finishes in spite of the signal.
    if (controller.signal.aborted) io.exitCode = EXIT_CODES.interrupted;
    return result;
  } catch (error) {
    // Report the interruption, not the error that it caused.
    controller.signal.throwIfAborted();
    throw error;
  } finally {
    stop();
  }
}
