import { isFilesystemError } from "@wink/filesystem";
import { defineTool, fail, ok, type ToolContext, type ToolFailure } from "@wink/prompt";
import { z } from "zod";
import { tooLong } from "../files/write-file.js";
import type { NameTool } from "../reply/answer-error.js";
import { answering } from "../reply/answering.js";
import { count } from "../reply/count.js";
import { chooseFence, fenced } from "../reply/fence.js";
import { bodyCharacters, type ToolLimits } from "../reply/limits.js";
import { quote } from "../reply/quote.js";
import { type BashSettings, runScript, type ScriptResult } from "./run-script.js";

const BashInput = z.object({
  script: z.string().describe("The script."),
  cwd: z.string().default(".").describe("The directory to run it in."),
  stdin: z.string().default("").describe("The standard input of the script."),
  timeout_seconds: z.number().positive().optional().describe("Ends the script after this time."),
});

export interface BashToolSettings extends BashSettings {
  readonly toolLimits: ToolLimits;
  readonly rollbackOnFailure: boolean;
  readonly nameTool: NameTool;
}

/** Added to the tool's timeout, so that the script's own timeout fires first and is reported. */
const GRACE_MS = 60_000;

export function bashTool(settings: BashToolSettings) {
  const { limits, nameTool, rollbackOnFailure, toolLimits, network } = settings;
  const reach = network ? "It reaches only allowed addresses." : "It has no network.";
  const end = rollbackOnFailure
    ? "If its exit code is not 0, all its changes are rolled back."
    : "Its changes stay, whatever its exit code is.";
  return defineTool({
    name: "bash",
    description: `Run a bash script over the files of the workspace, with the usual commands (find, grep, sed, awk, sort, jq, tar and others), but no other programs. ${reach} ${end} It may run for at most ${count(limits.timeoutMs / 1_000, "second")}.`,
    input: BashInput,
    access: "write",
    effects: network ? "external" : "workspace",
    timeoutMs: limits.timeoutMs + GRACE_MS,
    handler: answering(nameTool, async (input, context) => {
      const { script, stdin, timeout_seconds = Number.POSITIVE_INFINITY } = input;
      const problem = checkScript(script, settings) ?? (await checkDirectory(input.cwd, context));
      if (problem !== undefined) return problem;
      const timeoutMs = Math.min(timeout_seconds * 1_000, limits.timeoutMs);
      const { filesystem, signal } = context;
      const result = await runScript(
        filesystem,
        { script, directory: input.cwd, stdin, timeoutMs, signal },
        settings,
      );
      const summary = describeEnd(result, timeoutMs);
      if (result.timedOut || (rollbackOnFailure && result.exitCode !== 0))
        return fail(summary, { hint: showOutput(result, FAILURE_CHARACTERS) || undefined });
      return ok(result, summary);
    }),
    render: (value: ScriptResult) => showOutput(value, bodyCharacters(toolLimits)),
  });
}

function checkScript(script: string, { limits }: BashToolSettings): ToolFailure | undefined {
  if (script.trim() === "") return fail("The script is empty.");
  if (script.length > limits.maxScriptCharacters)
    return fail(tooLong(script.length, limits.maxScriptCharacters));
  if (!script.isWellFormed())
    return fail("The script contains half of a surrogate pair, which is not a character.");
  return undefined;
}

async function checkDirectory(
  cwd: string,
  { filesystem, signal }: ToolContext,
): Promise<ToolFailure | undefined> {
  try {
    const { isDirectory } = await filesystem.stat(cwd, { signal });
    return isDirectory ? undefined : fail(`${quote(cwd)} is not a directory of the workspace.`);
  } catch (error) {
    if (isFilesystemError(error, "ENOENT"))
      return fail(`${quote(cwd)} does not exist in the workspace.`);
    throw error;
  }
}

function describeEnd({ exitCode, timedOut, durationMs }: ScriptResult, timeoutMs: number): string {
  if (timedOut) return `The script ran longer than ${count(timeoutMs / 1_000, "second")}.`;
  return `Exit code ${exitCode} after ${(durationMs / 1_000).toFixed(1)} seconds.`;
}

const FAILURE_CHARACTERS = 8_000;

/** Shows head and tail of both streams. A stream may use the space that the other one does not need. */
function showOutput(result: ScriptResult, maxCharacters: number): string {
  const [stdout, stderr] = [result.stdout, result.stderr].map((text) =>
    text.toWellFormed().replace(/\n$/, ""),
  ) as [string, string];
  const room = Math.max(2_000, maxCharacters - 1_000);
  const forStderr = Math.min(stderr.length, Math.max(Math.floor(room / 2), room - stdout.length));
  const fence = chooseFence(stdout, stderr);
  return [
    { label: "stdout:", text: stdout, most: room - forStderr },
    { label: "stderr:", text: stderr, most: forStderr },
  ]
    .filter(({ text }) => text !== "")
    .map(({ label, text, most }) => fenced(label, text, fence, { maxCharacters: most }))
    .join("\n");
}
