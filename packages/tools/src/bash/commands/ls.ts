import type { ExecResult } from "just-bash";
import { type CommandContext, lstat, pathOf, splitArguments } from "./command.js";
import { permissionsOf, sizeBytesOf, typeLetter } from "./describe-mode.js";

const FLAGS = /^-[1aACdFhlnpRrStU]+$/;

interface Entry {
  readonly name: string;
  readonly stat: NonNullable<Awaited<ReturnType<typeof lstat>>>;
  readonly target: string | undefined;
}

/** `ls` with the operands, links and order of bash. Options that it does not know go to just-bash's `ls`. */
export async function ls(
  args: readonly string[],
  context: CommandContext,
): Promise<ExecResult | undefined> {
  const { options, operands } = splitArguments(args);
  if (!options.every((option) => FLAGS.test(option))) return undefined;
  const flags = new Set(options.join("").replaceAll("-", ""));
  const files: Entry[] = [];
  const directories: string[] = [];
  let stderr = "";
  for (const name of operands.length > 0 ? operands : ["."]) {
    const entry = await entryAt(context, name, name);
    if (entry === undefined) stderr += `ls: cannot access '${name}': No such file or directory\n`;
    else if (!flags.has("d") && (await isDirectory(context, entry, flags))) directories.push(name);
    else files.push(entry);
  }
  const sections: string[] = [];
  if (files.length > 0) sections.push(show(sortEntries(files, flags), flags));
  const inOrder = directories.sort(compare);
  if (flags.has("r")) inOrder.reverse();
  const hasTitles = operands.length > 1 || flags.has("R");
  for (const directory of inOrder) await listInto(sections, context, directory, flags, hasTitles);
  return { stdout: sections.join("\n"), stderr, exitCode: stderr === "" ? 0 : 2 };
}

async function listInto(
  sections: string[],
  context: CommandContext,
  directory: string,
  flags: ReadonlySet<string>,
  hasTitle: boolean,
): Promise<void> {
  const shown = await context.fs.readdir(pathOf(context, directory));
  const names =
    flags.has("a") || flags.has("A") ? shown : shown.filter((name) => !name.startsWith("."));
  const all = flags.has("a") ? [".", "..", ...names] : names;
  const found = await Promise.all(
    all.map((name) => entryAt(context, name, `${directory}/${name}`)),
  );
  const entries = sortEntries(
    found.filter((entry) => entry !== undefined),
    flags,
  );
  const title = hasTitle ? `${directory}:\n` : "";
  const total = flags.has("l")
    ? `total ${entries.reduce((sum, { stat }) => sum + blocksOf(stat), 0)}\n`
    : "";
  sections.push(title + total + show(entries, flags));
  if (flags.has("R"))
    for (const { name, stat } of entries)
      if (stat.isDirectory && name !== "." && name !== "..")
        await listInto(sections, context, `${directory.replace(/\/$/, "")}/${name}`, flags, true);
}

async function entryAt(
  context: CommandContext,
  name: string,
  path: string,
): Promise<Entry | undefined> {
  const stat = await lstat(context, path);
  if (stat === undefined) return undefined;
  const target = stat.isSymbolicLink ? await context.fs.readlink(pathOf(context, path)) : undefined;
  return { name, stat, target };
}

/** As on a disk with blocks of 4 KiB. */
function blocksOf({ isDirectory: isFolder, isSymbolicLink, size }: Entry["stat"]): number {
  if (isSymbolicLink) return 0;
  return isFolder ? 4 : Math.ceil(size / 4_096) * 4;
}

/** A link to a directory is listed as a directory, unless details are asked for. */
async function isDirectory(
  context: CommandContext,
  { name, stat }: Entry,
  flags: ReadonlySet<string>,
): Promise<boolean> {
  if (!stat.isSymbolicLink || (flags.has("l") && !name.endsWith("/"))) return stat.isDirectory;
  try {
    return (await context.fs.stat(pathOf(context, name))).isDirectory;
  } catch {
    return false;
  }
}

function sortEntries(entries: readonly Entry[], flags: ReadonlySet<string>): readonly Entry[] {
  const sorted = [...entries].sort((one, other) => {
    const byTime = flags.has("t") ? other.stat.mtime.getTime() - one.stat.mtime.getTime() : 0;
    const bySize = flags.has("S") ? other.stat.size - one.stat.size : 0;
    return byTime || bySize || compare(one.name, other.name);
  });
  return flags.has("r") ? sorted.reverse() : sorted;
}

function compare(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

function show(entries: readonly Entry[], flags: ReadonlySet<string>): string {
  const sizes = entries.map(({ stat }) => sizeOf(sizeBytesOf(stat), flags.has("h")));
  const width = Math.max(0, ...sizes.map((size) => size.length));
  const lines = entries.map(({ name, stat, target }, index) => {
    const shown = name + markOf(stat, flags);
    if (!flags.has("l")) return `${shown}\n`;
    const details = `${typeLetter(stat)}${permissionsOf(stat.mode)} 1 user user`;
    const link = target === undefined ? "" : ` -> ${target}`;
    return `${details} ${sizes[index]?.padStart(width)} ${timeOf(stat.mtime)} ${shown}${link}\n`;
  });
  return lines.join("");
}

function markOf(stat: Entry["stat"], flags: ReadonlySet<string>): string {
  if (stat.isDirectory) return flags.has("F") || flags.has("p") ? "/" : "";
  if (!flags.has("F") || flags.has("l")) return "";
  if (stat.isSymbolicLink) return "@";
  return (stat.mode & 0o111) === 0 ? "" : "*";
}

function sizeOf(bytes: number, isHuman: boolean): string {
  if (!isHuman || bytes < 1_024) return String(bytes);
  const power = Math.min(4, Math.floor(Math.log2(bytes) / 10));
  const value = bytes / 1_024 ** power;
  return `${value < 10 ? (Math.ceil(value * 10) / 10).toFixed(1) : Math.ceil(value)}${" KMGT"[power]}`;
}

const HALF_A_YEAR_MS = 182 * 86_400_000;

function timeOf(time: Date): string {
  const month = time.toLocaleString("en-US", { month: "short", timeZone: "UTC" });
  const day = String(time.getUTCDate()).padStart(2);
  const isRecent = Math.abs(Date.now() - time.getTime()) < HALF_A_YEAR_MS;
  const clock = time.toISOString().slice(11, 16);
  return `${month} ${day} ${isRecent ? clock : String(time.getUTCFullYear()).padStart(5)}`;
}
