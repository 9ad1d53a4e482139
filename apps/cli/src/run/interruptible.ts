import { CliError } from "../terminal/cli-error.js";
import { EXIT_CODES } from "../terminal/exit-codes.js";
import type { Io } from "../terminal/io.js";

/**
 * Does work that Ctrl-C ends in order: `signal` aborts, and once the work has cleaned up, the command ends as interrupted. The
 * second Ctrl-C ends the process at once.
 */
export async function interruptible<T>(
  io: Io,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const stop = io.onInterrupt(() => {
    io.stderr.write("\nInterrupted: ending in order. Ctrl-C again ends at once.\n");
    controller.abort(new CliError("Interrupted.", { exitCode: EXIT_CODES.interrupted }));
  });
  try {
    const result = await work(controller.signal);
    // What cannot be left half done, such as an apply, is done all the same.
    if (controller.signal.aborted) io.exitCode = EXIT_CODES.interrupted;
    return result;
  } catch (error) {
    // Whatever the work made of it, it ended because it was told to.
    controller.signal.throwIfAborted();
    throw error;
  } finally {
    stop();
  }
}
