import { abortable, describeKind } from "@wink/filesystem/internal";
import { fail, type RenderedPrompt, type ToolResult } from "@wink/prompt";
import { clip } from "../context/clip.js";
import { reportError } from "../context/report-error.js";

const MAX_CHARACTERS = 20_000;

export interface CheckCompletionOptions {
  readonly rendered: RenderedPrompt;
  readonly session: Parameters<NonNullable<RenderedPrompt["completion"]>["check"]>[0]["session"];
  readonly text: string;
  readonly signal: AbortSignal;
  readonly callTool: (name: string, input: unknown) => Promise<ToolResult>;
  readonly onError: ((error: unknown, where: string) => void) | undefined;
}

/**
 * The work that is missing, as the template's completion check reports it. Empty if the work is complete. Rejects if the
 * signal aborts, also if the check ignores it.
 */
export async function missingWork({
  rendered,
  session,
  text,
  signal,
  callTool,
  onError,
}: CheckCompletionOptions): Promise<string> {
  const { completion, filesystem } = rendered;
  if (completion === undefined) return "";
  try {
    const call = (name: string, input: unknown) =>
      rendered.tool(name) === undefined
        ? Promise.resolve(fail(`There is no tool ${JSON.stringify(name)}.`))
        : callTool(name, input);
    const moment = { session, filesystem, text, signal, callTool: call };
    const missing = await abortable(Promise.resolve(completion.check(moment)), signal);
    if (missing === undefined || missing === "") return "";
    if (typeof missing !== "string")
      throw new TypeError(`The check returned ${describeKind(missing)}, not a text.`);
    return `The work is not complete (${completion.name}).\n${clip(missing, MAX_CHARACTERS)}`;
  } catch (error) {
    signal.throwIfAborted();
    // A check that fails must not count as done.
    reportError(onError, error, `completion ${completion.name}`);
    return `The check ${completion.name} failed, so it is unknown whether the work is complete.`;
  }
}
