import {
  type Execute,
  original,
  pathOf,
  separateValues,
  splitArguments,
  withOutput,
} from "./command.js";

/** `cut` with values next to their options, and with `-b`, as characters. */
export const cut: Execute = async (args, context) =>
  await original(
    context,
    separateValues(args, "bcfd").map((arg) => (arg === "-b" ? "-c" : arg)),
  );

/** `paste` with values next to their options, and with the standard input if no file is given. */
export const paste: Execute = (args, context) => {
  const separated = separateValues(args, "d");
  const operands = separated.filter(
    (arg, index) => separated[index - 1] !== "-d" && (arg === "-" || !arg.startsWith("-")),
  );
  return original(context, operands.length > 0 ? separated : [...separated, "-"]);
};

/** `uniq -c` with the width of the counts in bash. */
export const uniq: Execute = async (args, context) => {
  const result = await original(context, args);
  if (!args.some((arg) => /^-\w*c|^--count$/.test(arg))) return result;
  const stdout = result.stdout.replace(
    /^ *(\d+) /gm,
    (_, count: string) => `${count.padStart(7)} `,
  );
  return withOutput(result, stdout);
};

/** `head -n -N`, which leaves out the last lines. */
export const head: Execute = async (args, context) => {
  const separated = separateValues(args, "nc");
  const at = separated.findIndex(
    (arg, index) => arg === "-n" && separated[index + 1]?.startsWith("-"),
  );
  if (at < 0) return await original(context, args);
  const left = Number(separated[at + 1]?.slice(1));
  const names = separated.filter((arg, index) => index > at + 1 && !arg.startsWith("-"));
  const read = context.execWithInheritedStdin;
  if (read === undefined) return await original(context, args);
  const { stdout, stderr, exitCode } = await read("cat", { cwd: context.cwd, args: [...names] });
  const lines = stdout.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  return { stdout: lines.slice(0, Math.max(0, lines.length - left)).join(""), stderr, exitCode };
};

/** `a\text` after an address, with a text in the same line. */
const TEXT_COMMAND =
  /((?:^|[\n;{}])\s*(?:(?:\d+|\$|\/(?:\\.|[^/\\\n])*\/)[,!\s]*)*[aic])\\(?=[^\n])[ \t]*/g;

/** just-bash's `sed`, and in addition `-i.bak` (copies each file first), `--expression=…` and `1a\text` in one line. */
export const sed: Execute = async (given, context) => {
  const args = given
    .flatMap((arg) => {
      const [, script] = /^--expression=(.*)$/s.exec(arg) ?? [];
      return script === undefined ? [arg] : ["-e", script];
    })
    .map((arg) => arg.replace(TEXT_COMMAND, "$1 "));
  const suffix = args.map((arg) => /^(?:-i|--in-place=)(.+)$/.exec(arg)?.[1]).find(Boolean);
  const known = args.map((arg) => {
    if (/^-i./.test(arg) || arg.startsWith("--in-place=")) return "-i";
    return arg === "-Ei" || arg === "-ri" ? "-Ei" : arg;
  });
  if (suffix === undefined) return await original(context, args);
  const separated = separateValues(known, "ef");
  const hasScript = separated.some((arg) => /^(?:-[ef]|--expression|--file)/.test(arg));
  const operands = separated.filter(
    (arg, index) => !arg.startsWith("-") && !/^-[ef]$/.test(separated[index - 1] ?? ""),
  );
  for (const name of hasScript ? operands : operands.slice(1)) {
    const path = pathOf(context, name);
    if (await context.fs.exists(path)) await context.fs.cp(path, path + suffix);
  }
  return await original(context, known);
};

/** `grep` with several patterns, with `-H`, `-s` and `--color`, and with the names that bash shows below `.`. */
export const grep: Execute = async (args, context) => {
  const { options, operands } = splitArguments(args);
  const separated = separateValues(args, "efmABC").flatMap(knownToGrep);
  const has = (flag: RegExp) => options.some((option) => flag.test(option));
  const patterns = separated.filter((_, index) => separated[index - 1] === "-e");
  let known: readonly string[] = separated;
  if (patterns.length > 1) {
    const isExtended =
      separated.some((arg) => /^-\w*[EP]/.test(arg)) || context.env.get("0") === "egrep";
    const others = separated.filter((arg, index) => arg !== "-e" && separated[index - 1] !== "-e");
    known = ["-e", patterns.join(isExtended ? "|" : "\\|"), ...others];
  }
  // `grep` prints the names of files if there are several, so add a second one.
  const shown = await original(context, has(/^-\w*H/) ? [...known, "/dev/null"] : known);
  const result = has(/^-\w*s|^--no-messages$/) ? { ...shown, stderr: "" } : shown;
  const isRecursive = has(/^-\w*[rR]|^--recursive$/);
  if (!isRecursive || operands.at(-1) !== "." || has(/^-\w*[hq]/)) return result;
  const stdout = result.stdout.replace(/^(?!--$|\.\/|Binary file)(?=.)/gm, "./");
  return withOutput(result, stdout);
};

function knownToGrep(arg: string): string[] {
  if (/^--(?:colou?r(?:=|$)|line-buffered$|no-messages$)/.test(arg)) return [];
  if (!/^-[a-zA-Z]*[Hs]/.test(arg)) return [arg];
  const letters = arg.replace(/[Hs]/g, "");
  return letters === "-" ? [] : [letters];
}

/** `find` whose exit code does not depend on the commands of `-exec … \\;`, with `-quit` and `-type l`. */
export const find: Execute = async (args, context) => {
  const onlyLinks = args.findIndex((arg, index) => arg === "-type" && args[index + 1] === "l");
  const quits = args.includes("-quit");
  const known = args.filter(
    (arg, index) =>
      arg !== "-quit" && (onlyLinks < 0 || (index !== onlyLinks && index !== onlyLinks + 1)),
  );
  const runs = args.includes("-exec");
  const result = await original(context, known);
  const exitCode =
    runs && args.includes(";") && !/^find: /m.test(result.stderr) ? 0 : result.exitCode;
  let lines: readonly string[] = result.stdout.match(/[^\n]*\n/g) ?? [];
  if (onlyLinks >= 0 && !runs) {
    const stats = lines.map((line) =>
      context.fs.lstat(pathOf(context, line.slice(0, -1))).catch(() => undefined),
    );
    const kinds = await Promise.all(stats);
    lines = lines.filter((_, index) => kinds[index]?.isSymbolicLink);
  }
  if (quits) lines = lines.slice(0, 1);
  const isFiltered = onlyLinks >= 0 || quits;
  return { ...(isFiltered ? withOutput(result, lines.join("")) : result), exitCode };
};

/** `bash -e`, `-u` and `-o pipefail`, also before `-c`. */
export const bash: Execute = async (args, context) => {
  const settings: string[] = [];
  let rest = [...args];
  for (;;) {
    const [option = "", value = ""] = rest;
    const flags = /^-([euxv]+)(c?)$/.exec(option);
    if (flags !== null) {
      settings.push(`set -${flags[1]}`);
      rest = flags[2] === "c" ? ["-c", ...rest.slice(1)] : rest.slice(1);
    } else if (option === "-o") {
      settings.push(`set -o ${value}`);
      rest = rest.slice(2);
    } else break;
  }
  if (settings.length === 0) return await original(context, args);
  const [first = "", script = "", ...more] = rest;
  if (first === "-c")
    return await original(context, ["-c", `${settings.join("; ")}\n${script}`, ...more]);
  return await original(context, ["-c", `${settings.join("; ")}\n. "$0"`, ...rest]);
};
