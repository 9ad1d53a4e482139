import type { BashOptions, Command } from "just-bash";
import { awk } from "./awk.js";
import { type Execute, original, succeed } from "./command.js";
import { cmp, diff } from "./diff.js";
import { cp, mktemp, mv, realpath, rm, touch } from "./file-commands.js";
import { ls } from "./ls.js";
import { sort } from "./sort.js";
import { stat } from "./stat.js";
import { bash, cut, find, grep, head, paste, sed, uniq } from "./text-commands.js";
import { xargs } from "./xargs.js";

/** just-bash's commands with options that scripts often use and that it does not have. */
const IMPROVED: Readonly<Record<string, Execute>> = {
  ...{ awk, bash, cp, cut, diff, find, grep, head, mv, paste, rm, sed, sort, touch, uniq, xargs },
  sh: bash,
  ls: async (args, context) => (await ls(args, context)) ?? (await original(context, args)),
  stat: async (args, context) => (await stat(args, context)) ?? (await original(context, args)),
};

/** Commands that just-bash does not have. */
const ADDED: Readonly<Record<string, Execute>> = {
  ...{ cmp, mktemp, realpath },
  unlink: async (args, { exec, cwd }) =>
    (await exec?.("rm", { cwd, args: [...args] })) ?? succeed(),
  umask: async () => succeed("0022\n"),
};

/**
 * @param allowed the commands that scripts may use, if not all
 * @param asShell changes a command so that it runs its script in a new shell
 */
export function bashCommands(
  allowed: BashOptions["commands"],
  asShell: (execute: Execute) => Execute,
): Command[] {
  const improved = Object.entries(IMPROVED).filter(
    ([name]) => allowed === undefined || (allowed as readonly string[]).includes(name),
  );
  const added = allowed === undefined ? Object.entries(ADDED) : [];
  return [...improved, ...added].map(([name, command]) => {
    const execute = command === bash ? asShell(command) : command;
    return { name, execute: (args, context) => execute(args, context) };
  });
}
