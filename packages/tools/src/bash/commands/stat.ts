import type { ExecResult } from "just-bash";
import { type CommandContext, lstat, pathOf, separateValues } from "./command.js";
import { permissionsOf, sizeBytesOf, typeLetter } from "./describe-mode.js";

/** `stat -c FORMAT` and `stat --format=FORMAT`. Everything else goes to just-bash's `stat`. */
export async function stat(
  args: readonly string[],
  context: CommandContext,
): Promise<ExecResult | undefined> {
  const names: string[] = [];
  let format: string | undefined;
  let end = "\n";
  let follows = false;
  const separated = separateValues(args, "c");
  for (const [index, arg] of separated.entries()) {
    const value = /^--(format|printf)=(.*)$/s.exec(arg);
    if (value !== null) {
      format = value[1] === "printf" ? expandEscapes(value[2] ?? "") : value[2];
      end = value[1] === "printf" ? "" : "\n";
    } else if (arg === "-c") format = separated[index + 1];
    else if (arg === "-L" || arg === "--dereference") follows = true;
    else if (arg.startsWith("-")) return undefined;
    else if (separated[index - 1] !== "-c") names.push(arg);
  }
  if (format === undefined) return undefined;
  let stdout = "";
  let stderr = "";
  for (const name of names) {
    const shown = await showName(format, name, context, follows);
    if (shown === undefined) stderr += `stat: cannot statx '${name}': No such file or directory\n`;
    else stdout += shown + end;
  }
  return { stdout, stderr, exitCode: stderr === "" ? 0 : 1 };
}

async function showName(
  format: string,
  name: string,
  context: CommandContext,
  follows: boolean,
): Promise<string | undefined> {
  const path = pathOf(context, name);
  const found = follows
    ? await context.fs.stat(path).catch(() => undefined)
    : await lstat(context, name);
  if (found === undefined) return undefined;
  const seconds = String(Math.floor(found.mtime.getTime() / 1_000));
  const time = `${found.mtime.toISOString().replace("T", " ").slice(0, 23)}000000 +0000`;
  const target = found.isSymbolicLink ? ` -> '${await context.fs.readlink(path)}'` : "";
  const values: Readonly<Record<string, string>> = {
    ...{ n: name, N: `'${name}'${target}`, s: String(sizeBytesOf(found)), F: kindOf(found) },
    ...{ a: (found.mode & 0o777).toString(8), A: typeLetter(found) + permissionsOf(found.mode) },
    ...{ U: "user", G: "user", u: "1000", g: "1000", h: "1", "%": "%" },
    ...{ X: seconds, Y: seconds, Z: seconds, W: "0", x: time, y: time, z: time },
    ...{ b: String(Math.ceil(found.size / 512)), B: "512" },
  };
  return format.replace(/%([a-zA-Z%])/g, (text, letter: string) => values[letter] ?? text);
}

function kindOf({
  isDirectory,
  isSymbolicLink,
  size,
}: {
  isDirectory: boolean;
  isSymbolicLink: boolean;
  size: number;
}) {
  if (isSymbolicLink) return "symbolic link";
  if (isDirectory) return "directory";
  return size === 0 ? "regular empty file" : "regular file";
}

function expandEscapes(format: string): string {
  return format.replaceAll("\\n", "\n").replaceAll("\\t", "\t");
}
