import type { ExecResult } from "just-bash";
import {
  type CommandContext,
  type Execute,
  failWith,
  original,
  pathOf,
  splitArguments,
  succeed,
  withOutput,
} from "./command.js";

/** `diff` in its default format, and `-r`. just-bash writes only the unified format, of two files. */
export const diff: Execute = async (args, context) => {
  const { options, operands } = splitArguments(args);
  const [one, other] = operands;
  const isRecursive = options.some((option) => /^-\w*r|^--recursive$/.test(option));
  if (one !== undefined && other !== undefined && operands.length === 2) {
    const both = await Promise.all([isDirectory(context, one), isDirectory(context, other)]);
    if (both[0] && both[1])
      return await compareDirectories(one, other, { options, isRecursive }, context);
    if (both[0]) return await diff([...options, `${one}/${nameOf(other)}`, other], context);
    if (both[1]) return await diff([...options, one, `${other}/${nameOf(one)}`], context);
  }
  const known = options.flatMap((option) => {
    const letters = option.replace(/^(-\w*)r/, "$1");
    return option === "--recursive" || letters === "-" ? [] : [letters];
  });
  const rest = [...known, ...operands];
  const result = await original(context, rest);
  const isUnified = options.some((option) => /^-\w*[uUq]|^--(?:unified|brief)/.test(option));
  const unified = result.stdout.replace(/^={60,}\n/, "");
  return withOutput(
    result,
    isUnified
      ? unified.replaceAll(/^@@ -(\d+),1 \+(\d+),1 @@/gm, "@@ -$1 +$2 @@")
      : toNormal(unified),
  );
};

async function compareDirectories(
  one: string,
  other: string,
  settings: { readonly options: readonly string[]; readonly isRecursive: boolean },
  context: CommandContext,
): Promise<ExecResult> {
  const [left, right] = await Promise.all(
    [one, other].map((name) => context.fs.readdir(pathOf(context, name))),
  );
  const names = [...new Set([...(left ?? []), ...(right ?? [])])].sort();
  let stdout = "";
  let exitCode = 0;
  for (const name of names) {
    const paths = [`${one}/${name}`, `${other}/${name}`] as const;
    const isMissing = !right?.includes(name) ? one : !left?.includes(name) ? other : undefined;
    if (isMissing !== undefined) {
      stdout += `Only in ${isMissing}: ${name}\n`;
      exitCode = 1;
      continue;
    }
    const isFolder = await isDirectory(context, paths[0]);
    if (isFolder && !settings.isRecursive) {
      stdout += `Common subdirectories: ${paths[0]} and ${paths[1]}\n`;
      continue;
    }
    const result = await diff([...settings.options, ...paths], context);
    const isSilent = isFolder || result.exitCode === 0 || /^Files /.test(result.stdout);
    const title = isSilent ? "" : `diff ${[...settings.options, ...paths].join(" ")}\n`;
    stdout += title + result.stdout;
    exitCode = Math.max(exitCode, result.exitCode);
  }
  return { stdout, stderr: "", exitCode };
}

interface Change {
  readonly removedFrom: number;
  readonly addedFrom: number;
  readonly removed: string[];
  readonly added: string[];
}

/** The default format of `diff`, from the unified one. */
function toNormal(unified: string): string {
  if (!unified.startsWith("--- ")) return unified;
  const changes: Change[] = [];
  let [before, after] = [0, 0];
  let current: Change | undefined;
  for (const line of unified.split("\n").slice(2)) {
    const hunk = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(line);
    if (hunk !== null) {
      // The number of an empty range is that of the line before it.
      before = Number(hunk[1]) - (hunk[2] === "0" ? 0 : 1);
      after = Number(hunk[3]) - (hunk[4] === "0" ? 0 : 1);
      current = undefined;
    } else if (line.startsWith("-") || line.startsWith("+")) {
      if (current === undefined) {
        current = { removedFrom: before, addedFrom: after, removed: [], added: [] };
        changes.push(current);
      }
      if (line.startsWith("-")) before += current.removed.push(`< ${line.slice(1)}\n`) > 0 ? 1 : 0;
      else after += current.added.push(`> ${line.slice(1)}\n`) > 0 ? 1 : 0;
    } else if (line.startsWith("\\")) {
      const last = current?.added.length ? current.added : current?.removed;
      last?.push("\\ No newline at end of file\n");
    } else {
      before += 1;
      after += 1;
      current = undefined;
    }
  }
  return changes.map(showChange).join("");
}

function showChange({ removed, added, removedFrom, addedFrom }: Change): string {
  const [less, more] = [removed, added].map(
    (lines) => lines.filter((line) => !line.startsWith("\\")).length,
  );
  const left = range(removedFrom, less ?? 0);
  const right = range(addedFrom, more ?? 0);
  const letter = less === 0 ? "a" : more === 0 ? "d" : "c";
  const middle = letter === "c" ? "---\n" : "";
  return `${left}${letter}${right}\n${removed.join("")}${middle}${added.join("")}`;
}

function range(from: number, count: number): string {
  if (count === 0) return String(from);
  return count === 1 ? String(from + 1) : `${from + 1},${from + count}`;
}

/** `cmp`, also with `-s`. */
export const cmp: Execute = async (args, context) => {
  const { options, operands } = splitArguments(args);
  const [one = "", other = ""] = operands;
  const contents: Uint8Array[] = [];
  for (const name of [one, other]) {
    const content =
      name === "-"
        ? Buffer.from(String(context.stdin), "latin1")
        : await context.fs.readFileBuffer(pathOf(context, name)).catch(() => undefined);
    if (content === undefined) return failWith(`cmp: ${name}: No such file or directory`, 2);
    contents.push(content);
  }
  const [left = new Uint8Array(), right = new Uint8Array()] = contents;
  const length = Math.min(left.length, right.length);
  let at = 0;
  while (at < length && left[at] === right[at]) at += 1;
  if (at === left.length && at === right.length) return succeed();
  if (options.some((option) => /^-s|^--(?:quiet|silent)$/.test(option)))
    return { ...succeed(), exitCode: 1 };
  const lines = left.subarray(0, at).filter((byte) => byte === 10).length + 1;
  if (at < length)
    return { ...succeed(`${one} ${other} differ: byte ${at + 1}, line ${lines}\n`), exitCode: 1 };
  const short = left.length < right.length ? one : other;
  return failWith(`cmp: EOF on ${short} after byte ${at}, line ${lines - 1}`);
};

async function isDirectory(context: CommandContext, name: string): Promise<boolean> {
  if (name === "-") return false;
  const stat = await context.fs.stat(pathOf(context, name)).catch(() => undefined);
  return stat?.isDirectory === true;
}

function nameOf(path: string): string {
  return path.split("/").at(-1) ?? path;
}
