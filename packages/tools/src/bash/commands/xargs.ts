import type { ExecResult } from "just-bash";
import {
  type CommandContext,
  type Execute,
  failWith,
  original,
  pathOf,
  separateValues,
} from "./command.js";

/** `xargs` with values next to their options, `-L`, `-a`, quotes in the input, and the exit codes of bash. */
export const xargs: Execute = async (args, context) => {
  const start = indexOfCommand(args);
  // `-L 1` has the same effect as `-n 1`, unless a line contains several arguments.
  const options = separateValues(args.slice(0, start), "nPLIdsEa").map((arg) =>
    arg === "-L" ? "-n" : arg,
  );
  const command = args.slice(start);
  const file = options.indexOf("-a");
  if (file >= 0) {
    const name = options[file + 1] ?? "";
    const stdin = await context.fs.readFile(pathOf(context, name)).catch(() => undefined);
    if (stdin === undefined)
      return failWith(`xargs: Cannot open input file '${name}': No such file or directory`);
    const others = options.filter((_, index) => index !== file && index !== file + 1);
    return await withInput(context, stdin, [...others, ...command]);
  }
  const splits = !options.some((option) => /^-[0dI]|^--null/.test(option));
  const words = splits ? unquote(String(context.stdin)) : undefined;
  if (words === UNMATCHED) return failWith(UNMATCHED);
  if (words !== undefined) return await withInput(context, words, ["-0", ...options, ...command]);
  const result = await original(context, [...options, ...command]);
  const failed = result.exitCode > 0 && result.exitCode < 126 && !/^xargs: /m.test(result.stderr);
  return failed ? { ...result, exitCode: 123 } : result;
};

async function withInput(
  { exec, cwd }: CommandContext,
  stdin: string,
  args: readonly string[],
): Promise<ExecResult> {
  if (exec === undefined) return failWith("xargs: cannot run commands");
  return await exec("xargs", { cwd, stdin, stdinKind: "bytes", args: [...args] });
}

const UNMATCHED =
  "xargs: unmatched quote; by default quotes are special to xargs unless you use the -0 option";
const WORD = /(?:[^\s"'\\]|\\.|"[^"]*"|'[^']*')+/gs;

/** The words of an input with quotes, separated by NUL. Undefined if it has no quotes. */
function unquote(input: string): string | undefined {
  if (!/["'\\]/.test(input)) return undefined;
  const words = input.match(WORD) ?? [];
  if (/["']/.test(input.replace(WORD, ""))) return UNMATCHED;
  return words
    .map((word) =>
      word.replace(
        /\\(.)|"([^"]*)"|'([^']*)'/gs,
        (_, escaped, double, single) => escaped ?? double ?? single,
      ),
    )
    .join("\0");
}

/** The index of the command that `xargs` runs. */
function indexOfCommand(args: readonly string[]): number {
  for (let index = 0; index < args.length; index += 1) {
    const arg = args[index] ?? "";
    if (/^-[A-Za-z0-9]*[nPLIdsEa]$/.test(arg)) index += 1;
    else if (!arg.startsWith("-")) return index;
  }
  return args.length;
}
