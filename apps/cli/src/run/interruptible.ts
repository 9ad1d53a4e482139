import { CliError } from "../terminal/cli-error.js";
import { EXIT_CODES } from "../terminal/exit-codes.js";
import type { Io } from "../terminal/io.js";

/**
 * Runs work that Ctrl-C, or a call of `interrupt`, cancels: `signal` aborts, the work cleans up, and the command exits as
 * interrupted. A second Ctrl-C ends the process immediately.
 */
export async function interruptible<T>(
  io: Io,
  work: (signal: AbortSignal, interrupt: () => void) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const interrupt = () => {
    io.stderr.write("\nInterrupted: cleaning up. Press Ctrl-C again to end immediately.\n");
    controller.abort(new CliError("Interrupted.", { exitCode: EXIT_CODES.interrupted }));
  };
  const stop = io.onInterrupt(interrupt);
  try {
    const result = await work(controller.signal, interrupt);
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
