import type { Filesystem } from "@wink/filesystem";
import { NodeError } from "@wink/filesystem/internal";
import type { BashExecResult, BashOptions, ExecOptions, ExecResult } from "just-bash";
import type { BashLimits } from "./bash-limits.js";
import { bashCommands } from "./commands/bash-commands.js";
import { loadJustBash } from "./load-just-bash.js";
import { ExitTrap } from "./syntax/exit-trap.js";
import { JustBashFs } from "./to-just-bash-fs.js";

/** The directory of the workspace in a shell, if the filesystem has no mount point. */
const DEFAULT_MOUNT_POINT = "/workspace";

/** What the developer decides for every script. */
export interface BashSettings extends Pick<BashOptions, "env" | "network" | "commands"> {
  readonly limits: BashLimits;
}

export interface ScriptInput {
  readonly script: string;
  /** The directory to run it in, as a path of the workspace. */
  readonly directory: string;
  readonly stdin: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

export interface ScriptResult extends Pick<BashExecResult, "stdout" | "stderr" | "exitCode"> {
  readonly timedOut: boolean;
  readonly durationMs: number;
}

/**
 * Runs a script with the files of the workspace at its mount point. Everything else, such as `/tmp`, is in memory and
 * lost at the end. Rejects with the signal's reason if it aborts.
 */
export async function runScript(
  filesystem: Filesystem,
  { script, directory, stdin, timeoutMs, signal }: ScriptInput,
  { limits, env = {}, network, commands }: BashSettings,
): Promise<ScriptResult> {
  const { Bash, InMemoryFs, MountableFs, parse, serialize } = await loadJustBash();
  const timer = AbortSignal.timeout(timeoutMs);
  const either = AbortSignal.any([signal, timer]);
  const mountPoint = filesystem.mountPoint ?? DEFAULT_MOUNT_POINT;
  const files = new JustBashFs(filesystem, {
    signal: either,
    likeBash: true,
    ...(filesystem.mountPoint === undefined && { mountPoint }),
  });
  const fs = new MountableFs({
    base: new InMemoryFs(undefined, { maxTotalBytes: limits.maxMemoryBytes }),
    mounts: [{ mountPoint, filesystem: files }],
  });
  await fs.mkdir("/tmp", { recursive: true });
  const trap = new ExitTrap({ parse, serialize });
  trap.files.install(fs);
  const shell = new Bash({
    fs,
    cwd: mountPoint,
    env: { HOME: mountPoint, TMPDIR: "/tmp", ...env },
    executionLimits: executionLimits(limits, timeoutMs),
    ...(network && { network }),
    ...(commands && { commands }),
    customCommands: [
      ...trap.commands,
      ...trap.files.commands,
      ...bashCommands(commands, (shell) => trap.withOwnHandler(shell)),
    ],
  });
  trap.install(shell);
  const start = Date.now();
  const cwd = files.resolvePath(mountPoint, directory);
  const options = { cwd, stdin, signal: either, rawScript: true };
  const run = (text: string, settings: ExecOptions) => shell.exec(text, settings);
  const result = await run(script, options)
    .then((ended) => (either.aborted ? ended : trap.finish(run, ended, options)))
    .catch(endAtRefusal);
  signal.throwIfAborted();
  const { stdout, exitCode } = result;
  // Removes the advice to increase a limit of just-bash, because a model cannot do that.
  const stderr = result.stderr.replace(/, increase executionLimits\.\w+/g, "");
  const durationMs = Date.now() - start;
  // just-bash has the same limit, and can end the script right before the timer.
  const timedOut = timer.aborted || durationMs >= timeoutMs;
  return { stdout, stderr, exitCode, timedOut, durationMs };
}

/** just-bash ends a script with an exception if the filesystem refuses the target of a redirection. */
function endAtRefusal(error: unknown): ExecResult {
  if (!(error instanceof NodeError)) throw error;
  return { stdout: "", stderr: `bash: ${error.path}: ${error.text}\n`, exitCode: 1 };
}

function executionLimits(
  limits: BashLimits,
  timeoutMs: number,
): NonNullable<BashOptions["executionLimits"]> {
  const { maxLoopIterations, maxMemoryBytes } = limits;
  return {
    maxExecutionTimeMs: timeoutMs,
    maxOutputSize: limits.maxOutputBytes,
    maxCommandCount: limits.maxCommands,
    maxLoopIterations,
    maxAwkIterations: maxLoopIterations,
    maxSedIterations: maxLoopIterations,
    maxJqIterations: maxLoopIterations,
    maxCallDepth: limits.maxCallDepth,
    maxLiveBytes: maxMemoryBytes,
    maxInputBytes: maxMemoryBytes,
  };
}
