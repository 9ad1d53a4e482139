import { EXIT_CODES } from "../terminal/exit-codes.js";
import type { Io } from "../terminal/io.js";
import { remark, sayJson } from "../terminal/print.js";

/** Ends a command after a no to its question: prints the outcome as JSON, or a sentence. */
export function decline(
  io: Io,
  {
    json,
    outcome,
    sentence,
  }: { readonly json: boolean; readonly outcome: object; readonly sentence: string },
): void {
  io.exitCode = EXIT_CODES.refused;
  if (json) sayJson(io, outcome);
  else remark(io, sentence);
}
