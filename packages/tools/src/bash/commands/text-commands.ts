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

/** `sort` of whole lines by their bytes, and with `-z`. Other orders are those of just-bash's `sort`. */
export const sort: Execute = async (args, context) => {
  const read = context.execWithInheritedStdin;
  const { options, operands } = splitArguments(args);
  const flags = options.join("").replaceAll("-", "");
  if (read === undefined || !options.every((option) => /^-[a-zA-Z]+$/.test(option)))
    return await original(context, args);
  if (/^[ruzs]*$/.test(flags)) {
    const { stdout, stderr, exitCode } = await read("cat", {
      cwd: context.cwd,
      args: [...operands],
    });
    if (exitCode !== 0)
      return { stdout: "", stderr: stderr.replace(/^cat/gm, "sort"), exitCode: 2 };
    const end = flags.includes("z") ? "\0" : "\n";
    return { stdout: sortLines(stdout, end, flags), stderr, exitCode: 0 };
  }
  if (!flags.includes("z") || /[ktoST]/.test(flags))
    return await original(
      context,
      args.map((arg) => (arg === "-g" ? "-n" : arg)),
    );
  const others = options
    .map((option) => option.replaceAll("z", ""))
    .filter((option) => option !== "-");
  const script = `tr '\\n\\0' '\\0\\n' | sort ${others.join(" ")} | tr '\\n\\0' '\\0\\n'`;
  return await read(script, { cwd: context.cwd });
};

function sortLines(text: string, end: string, flags: string): string {
  const lines = text.split(end);
  if (lines.at(-1) === "") lines.pop();
  const byBytes = lines.map((line) => ({ line, bytes: Buffer.from(line) }));
  byBytes.sort((one, other) => Buffer.compare(one.bytes, other.bytes));
  if (flags.includes("r")) byBytes.reverse();
  const kept = flags.includes("u")
    ? byBytes.filter(({ line }, index) => line !== byBytes[index - 1]?.line)
    : byBytes;
  return kept.map(({ line }) => line + end).join("");
}

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

/** `sed -i.bak`, which copies each file first, and `-s`. */
export const sed: Execute = async (args, context) => {
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

/** `grep` with several patterns, and with the names that bash shows below `.`. */
export const grep: Execute = async (args, context) => {
  const separated = separateValues(args, "efmABC");
  const patterns = separated.filter((_, index) => separated[index - 1] === "-e");
  let known = args;
  if (patterns.length > 1) {
    const isExtended =
      separated.some((arg) => /^-\w*[EP]/.test(arg)) || context.env.get("0") === "egrep";
    const others = separated.filter((arg, index) => arg !== "-e" && separated[index - 1] !== "-e");
    known = ["-e", patterns.join(isExtended ? "|" : "\\|"), ...others];
  }
  const result = await original(context, known);
  const isRecursive = args.some((arg) => /^-\w*[rR]|^--recursive$/.test(arg));
  const { operands } = splitArguments(args);
  if (!isRecursive || operands.at(-1) !== "." || args.some((arg) => /^-\w*[hq]/.test(arg)))
    return result;
  const stdout = result.stdout.replace(/^(?!--$|\.\/|Binary file)(?=.)/gm, "./");
  return withOutput(result, stdout);
};

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
