import type { Command, ExecResult, IFileSystem } from "just-bash";

export type CommandContext = Parameters<Command["execute"]>[1];
export type Execute = (args: readonly string[], context: CommandContext) => Promise<ExecResult>;

export function succeed(stdout = ""): ExecResult {
  return { stdout, stderr: "", exitCode: 0 };
}

export function failWith(stderr: string, exitCode = 1): ExecResult {
  return { stdout: "", stderr: `${stderr}\n`, exitCode };
}

/** Runs just-bash's own command of the name. */
export async function original(
  { origCommand }: CommandContext,
  args: readonly string[],
): Promise<ExecResult> {
  if (origCommand === undefined) return failWith("bash: command not found", 127);
  return await origCommand([...args]);
}

/** The result with another output. just-bash's own notes about the size of the output do not fit it. */
export function withOutput(result: ExecResult, stdout: string): ExecResult {
  const { stderr, exitCode, stdoutKind } = result;
  return { stdout, stderr, exitCode, ...(stdoutKind && { stdoutKind }) };
}

export function pathOf({ fs, cwd }: CommandContext, name: string): string {
  return fs.resolvePath(cwd, name);
}

export async function lstat(
  context: CommandContext,
  name: string,
): Promise<Awaited<ReturnType<IFileSystem["lstat"]>> | undefined> {
  try {
    return await context.fs.lstat(pathOf(context, name));
  } catch {
    return undefined;
  }
}

/** The options and the operands. Everything after `--` is an operand, and so is `-`. */
export function splitArguments(args: readonly string[]): {
  readonly options: readonly string[];
  readonly operands: readonly string[];
} {
  const end = args.indexOf("--");
  const before = end < 0 ? args : args.slice(0, end);
  const isOption = (each: string) => each.length > 1 && each.startsWith("-");
  return {
    options: before.filter(isOption),
    operands: [
      ...before.filter((each) => !isOption(each)),
      ...(end < 0 ? [] : args.slice(end + 1)),
    ],
  };
}

/** Splits `-n2` into `-n 2`, and `-rn2` into `-r -n 2`, for options with a value. */
export function separateValues(args: readonly string[], withValue: string): readonly string[] {
  const separated: string[] = [];
  for (let index = 0; index < args.length; index += 1) {
    const arg = args[index] ?? "";
    if (arg === "--") return [...separated, ...args.slice(index)];
    const cluster = /^-([A-Za-z0]+)(.*)$/s.exec(arg);
    if (cluster === null || arg.startsWith("--")) {
      separated.push(arg);
      continue;
    }
    const letters = arg.slice(1);
    const at = [...letters].findIndex((letter) => withValue.includes(letter));
    if (at < 0) separated.push(arg);
    else {
      if (at > 0) separated.push(`-${letters.slice(0, at)}`);
      separated.push(`-${letters[at]}`);
      const value = letters.slice(at + 1);
      if (value !== "") separated.push(value);
      else {
        index += 1;
        if (index < args.length) separated.push(args[index] ?? "");
      }
    }
  }
  return separated;
}

export function addResults(results: readonly ExecResult[]): ExecResult {
  return {
    stdout: results.map(({ stdout }) => stdout).join(""),
    stderr: results.map(({ stderr }) => stderr).join(""),
    exitCode: Math.max(0, ...results.map(({ exitCode }) => exitCode)),
  };
}
