import { defineTool, fail, ok, type ToolFailure } from "@wink/prompt";
import { type DirectChanges, recordCommand, withoutGit } from "../files/record-command.js";
import { answering } from "../reply/answering.js";
import { count } from "../reply/count.js";
import { chooseFence, fenced } from "../reply/fence.js";
import { bodyCharacters } from "../reply/limits.js";
import { oneLine, quote } from "../reply/quote.js";
import type { CommandResult } from "./sandbox.js";
import { checkShellInput, directoryOf, ShellExecuteInput } from "./shell-input.js";
import type { ShellSettings } from "./shell-settings.js";

/** The result of a command. */
export interface ShellExecuteValue {
  /** 128 + the signal number if a signal ended it. `null` if unknown. */
  readonly exitCode: number | null;
  /** All captured output. The model sees only its head and tail. */
  readonly stdout: string;
  readonly stderr: string;
  readonly durationMs: number;
  readonly timedOut: boolean;
  /** Whether it was killed because it printed too much. */
  readonly flooded: boolean;
  /** Whether bytes that are not UTF-8 were replaced. */
  readonly lossy: boolean;
  /** The id with which `shell_output` shows the whole output. */
  readonly outputId: number;
  /** Paths of created and changed files. */
  readonly changed: readonly string[];
  readonly removed: readonly string[];
}

/** Added to the tool's timeout, so that the command's own timeout fires first and is reported. */
const GRACE_MS = 120_000;

export function shellExecuteTool(settings: ShellSettings) {
  const { sandbox, config, outputs, workspace, nameTool, limits } = settings;
  const network = config.networkEnabled ? "It has network access." : "It has no network access.";
  return defineTool({
    name: "shell_execute",
    description: `Run a command in a container that shares the workspace at ${config.workspaceRoot}: tests, linters, builds. Answers with the exit code, and with the output between fences. ${network} It may run for at most ${count(config.timeoutMs / 1_000, "second")}.`,
    input: ShellExecuteInput,
    // Only a scan of all files shows what a command changed.
    access: "opaque",
    timeoutMs: config.timeoutMs + GRACE_MS,
    handler: answering(nameTool, async (input, context) => {
      const problem = checkShellInput(input);
      if (problem) return problem;
      const directory = await directoryOf(input.cwd, config.workspaceRoot, context);
      if (typeof directory !== "string") return directory;
      const { command, env, stdin, timeout_seconds } = input;
      const timeoutMs = Math.min((timeout_seconds ?? Infinity) * 1_000, config.timeoutMs);
      const argv = typeof command === "string" ? ["sh", "-c", command] : command;
      const { signal } = context;
      const result = await sandbox.run({ argv, directory, env, stdin, timeoutMs, signal });
      const refusal = refusalOf(result, settings);
      if (refusal) return refusal;
      const changes = withoutGit(result);
      const { exitCode } = result;
      const text = typeof command === "string" ? command : JSON.stringify(command);
      recordCommand(
        { workspace, tool: nameTool("shell_execute"), command: text, exitCode, ...changes },
        context,
      );
      const value = toValue(result, changes, outputs.keep(result));
      const summary = describeEnd(value, result, timeoutMs);
      if (config.rollbackOnFailure && exitCode !== 0)
        return fail(summary, {
          hint: showOutput(value, settings, FAILURE_CHARACTERS) || undefined,
        });
      return ok(value, [summary, describeChanges(changes)].filter((each) => each !== "").join(" "));
    }),
    render: (value: ShellExecuteValue) => showOutput(value, settings, bodyCharacters(limits)),
  });
}

/** The failure of a command whose changes must be rolled back. */
function refusalOf(result: CommandResult, { config }: ShellSettings): ToolFailure | undefined {
  if (!result.hasDirectory) return fail("The directory in cwd no longer exists.");
  if (!result.isOverDisk) return undefined;
  return fail(
    `The workspace may hold ${describeBytes(config.diskLimitBytes)} in ${count(config.maxFiles, "file")}. The command exceeded this, or the disk is full.`,
    { hint: "Write less, or write to /tmp, which is smaller and not persistent." },
  );
}

function toValue(
  result: CommandResult,
  { changed, removed }: DirectChanges,
  outputId: number,
): ShellExecuteValue {
  const { exitCode, stdout, stderr, durationMs, stopped, lossy } = result;
  return {
    exitCode: exitCode ?? null,
    stdout,
    stderr,
    durationMs,
    timedOut: stopped === "time",
    flooded: stopped === "output",
    lossy,
    outputId,
    changed: changed.map(({ path }) => path),
    removed,
  };
}

function describeEnd(
  { exitCode, timedOut, flooded, durationMs, lossy }: ShellExecuteValue,
  { isContainerLost, isCut }: CommandResult,
  timeoutMs: number,
): string {
  const seconds = `${(durationMs / 1_000).toFixed(1)} seconds`;
  const end = timedOut
    ? `The command ran longer than ${count(timeoutMs / 1_000, "second")} and was killed with all its processes.`
    : flooded
      ? "The command printed too much and was killed with all its processes."
      : exitCode === null
        ? `The command was killed after ${seconds}. It used too much memory, or killed every process.`
        : `Exit code ${exitCode} after ${seconds}.`;
  return [
    end,
    isCut && !flooded ? "Some of the output was dropped because it was too long." : "",
    lossy ? "Bytes that are not UTF-8 are shown as \uFFFD." : "",
    isContainerLost
      ? "The container was lost. The next command gets a new one with the same files."
      : "",
  ]
    .filter((sentence) => sentence !== "")
    .join(" ");
}

const MAX_PATHS_SHOWN = 20;
const MAX_PATH_CHARACTERS = 120;

function describeChanges({ changed, removed }: DirectChanges): string {
  const list = (paths: readonly string[]) => {
    const shown = paths
      .slice(0, MAX_PATHS_SHOWN)
      .map((path) => quote(oneLine(path, MAX_PATH_CHARACTERS)));
    const more = paths.length - shown.length;
    return shown.join(", ") + (more > 0 ? ` and ${more.toLocaleString("en")} more` : "");
  };
  const paths = changed.map(({ path }) => path);
  return [
    paths.length > 0 ? `Changed ${count(paths.length, "file")}: ${list(paths)}.` : "",
    removed.length > 0 ? `Removed ${count(removed.length, "file")}: ${list(removed)}.` : "",
  ]
    .filter((sentence) => sentence !== "")
    .join(" ");
}

const FAILURE_CHARACTERS = 8_000;

/** Shows head and tail of both streams. A stream may use the space that the other one does not need. */
function showOutput(
  value: ShellExecuteValue,
  { nameTool }: ShellSettings,
  maxCharacters: number,
): string {
  const rest = `read it with ${nameTool("shell_output")} and output_id ${value.outputId}`;
  const [stdout, stderr] = [value.stdout, value.stderr].map((text) =>
    text.toWellFormed().replace(/\n$/, ""),
  ) as [string, string];
  // Reserve space for the list of paths in the message and for the fences.
  const room = Math.max(2_000, maxCharacters - 6_500);
  const forStderr = Math.min(stderr.length, Math.max(Math.floor(room / 2), room - stdout.length));
  const fence = chooseFence(stdout, stderr);
  return [
    { label: "stdout:", text: stdout, maxCharacters: room - forStderr },
    { label: "stderr:", text: stderr, maxCharacters: forStderr },
  ]
    .filter(({ text }) => text !== "")
    .map(({ label, text, maxCharacters: most }) =>
      fenced(label, text, fence, { maxCharacters: most, rest }),
    )
    .join("\n");
}

function describeBytes(bytes: number): string {
  return bytes >= 1024 ** 2
    ? `${Math.floor(bytes / 1024 ** 2).toLocaleString("en")} MiB`
    : count(bytes, "byte");
}
