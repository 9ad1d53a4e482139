import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { runProgram } from "../commands/program.js";
import { memoryIo } from "../terminal/memory-io.test.support.js";

const MAIN = fileURLToPath(new URL("../../bin/wink.js", import.meta.url));

/** The command line that starts the compiled `wink`. The run of the tests begins with a build. */
export const WINK: readonly [string, ...string[]] = [process.execPath, MAIN];

export interface WinkOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface WinkResult {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export function startWink(
  args: readonly string[],
  { cwd, env }: WinkOptions,
): ChildProcessWithoutNullStreams {
  const [command, ...rest] = WINK;
  return spawn(command, [...rest, ...args], { cwd, env: winkEnv(env) });
}

/** Runs `wink` as from a script: a process with pipes instead of a terminal. */
export async function runWink(args: readonly string[], options: WinkOptions): Promise<WinkResult> {
  const child = startWink(args, options);
  child.stdin.end();
  const stdout = collect(child.stdout);
  const stderr = collect(child.stderr);
  const exitCode = await new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  return { exitCode, stdout: stdout(), stderr: stderr() };
}

/** Runs the same command line without a process, for tests that need only its results. */
export async function callWink(args: readonly string[], options: WinkOptions): Promise<WinkResult> {
  const io = memoryIo(options);
  const exitCode = await runProgram(io, args);
  return { exitCode, stdout: io.out(), stderr: io.err() };
}

/** Returns a function that returns the output so far. */
export function collect(stream: Readable): () => string {
  const texts: string[] = [];
  stream.setEncoding("utf8").on("data", (text: string) => texts.push(text));
  return () => texts.join("");
}

/** Of the test's environment, passes on only the PATH. */
export function winkEnv(env: WinkOptions["env"]): Record<string, string> {
  const { PATH = "" } = process.env;
  const given = Object.entries(env).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  );
  return { PATH, ...Object.fromEntries(given) };
}
