import {
  addResults,
  type CommandContext,
  type Execute,
  failWith,
  lstat,
  original,
  pathOf,
  separateValues,
  splitArguments,
  succeed,
} from "./command.js";

/** `cp` with `-a`, `-d`, `-P`, `-t` and `-T`. Recursive copies keep links, modes and times. */
export const cp: Execute = async (given, context) => {
  const args = await withoutT(given, context);
  const known = withTarget(args).flatMap((arg) => {
    if (arg === "--archive") return ["-r", "-p"];
    if (!/^-[A-Za-z]+$/.test(arg)) return [arg];
    const letters = arg.replace("a", "rp").replace(/[dPu]/g, "");
    return letters === "-" ? [] : [letters];
  });
  const { options } = splitArguments(args);
  if (
    options.some((option) => /^-[A-Za-z]*[dP]/.test(option)) &&
    !options.some((option) => /^-\w*[arR]/.test(option))
  )
    return await copyLink(known, context);
  const updates = args.some((arg) => arg === "--update" || /^-[A-Za-z]*u/.test(arg));
  if (!updates) return await original(context, known);
  const { operands } = splitArguments(known);
  const [from, to] = operands;
  if (operands.length !== 2 || from === undefined || to === undefined)
    return await original(context, known);
  const [source, target] = [await lstat(context, from), await lstat(context, to)];
  const isNewer = source !== undefined && target !== undefined && source.mtime <= target.mtime;
  return isNewer && !target.isDirectory ? succeed() : await original(context, known);
};

/** `cp -rT from to` copies the contents of a directory. */
async function withoutT(
  args: readonly string[],
  context: CommandContext,
): Promise<readonly string[]> {
  const { options, operands } = splitArguments(args);
  if (!options.some((option) => /^-[a-zA-Z]*T/.test(option))) return args;
  const [from = "", to = ""] = operands;
  const target = await context.fs.stat(pathOf(context, to)).catch(() => undefined);
  const others = options.map((option) => option.replace("T", "")).filter((each) => each !== "-");
  return [...others, target?.isDirectory ? `${from}/.` : from, to];
}

/** `cp -P`, which copies a link as a link. */
const copyLink: Execute = async (args, context) => {
  const [from = "", to = ""] = splitArguments(args).operands;
  if (!(await lstat(context, from))?.isSymbolicLink) return await original(context, args);
  const target = await context.fs.readlink(pathOf(context, from));
  const isInside = (await lstat(context, to))?.isDirectory === true;
  await context.fs.symlink(
    target,
    pathOf(context, isInside ? `${to}/${from.split("/").at(-1)}` : to),
  );
  return succeed();
};

export const mv: Execute = (args, context) => original(context, withTarget(args));

/** Removes a link without `-r`, also if it leads to a directory or in a circle. */
export const rm: Execute = async (args, context) => {
  const { options, operands } = splitArguments(args);
  const links: string[] = [];
  for (const name of operands)
    if (!name.endsWith("/") && (await lstat(context, name))?.isSymbolicLink) links.push(name);
  for (const name of links) await context.fs.rm(pathOf(context, name));
  const others = operands.filter((name) => !links.includes(name));
  if (links.length > 0 && others.length === 0) return succeed();
  return await original(context, [...options, "--", ...others]);
};

/** `touch` with `-r` and `-t`. */
export const touch: Execute = async (args, context) => {
  const separated = separateValues(args, "drt");
  const time: string[] = [];
  for (let index = 0; index < separated.length; index += 1) {
    const [option = "", value = ""] = separated.slice(index, index + 2);
    const reference = option.startsWith("--reference=") ? option.slice(12) : undefined;
    if (option === "-r" || reference !== undefined) {
      const from = await lstat(context, reference ?? value);
      if (from === undefined)
        return failWith(
          `touch: failed to get attributes of '${reference ?? value}': No such file or directory`,
        );
      time.push("-d", from.mtime.toISOString());
    } else if (option === "-d" && /^@-?\d+/.test(value))
      time.push("-d", new Date(Number(value.slice(1)) * 1_000).toISOString());
    else if (option === "-t") time.push("-d", parseStamp(value));
    else {
      time.push(option);
      continue;
    }
    if (reference === undefined) index += 1;
  }
  return await original(context, time);
};

/** `[[CC]YY]MMDDhhmm[.ss]` as an ISO time. */
function parseStamp(stamp: string): string {
  const [digits = "", seconds = "00"] = stamp.split(".");
  const pairs = digits.match(/\d\d/g) ?? [];
  const [month, day, hour, minute] = pairs.slice(-4);
  const [century = "20", short] = pairs.length === 6 ? pairs : [undefined, pairs[pairs.length - 5]];
  const year = short === undefined ? String(new Date().getUTCFullYear()) : `${century}${short}`;
  return `${year}-${month}-${day}T${hour}:${minute}:${seconds}Z`;
}

/** Moves the directory of `-t` to the end. */
function withTarget(args: readonly string[]): readonly string[] {
  const rest: string[] = [];
  let target: string | undefined;
  for (const [index, arg] of args.entries())
    if (arg === "-t") target = args[index + 1];
    else if (arg.startsWith("--target-directory=")) target = arg.slice(19);
    else if (args[index - 1] !== "-t") rest.push(arg);
  return target === undefined ? args : [...rest, target];
}

/** `realpath` of existing files and of missing names in existing directories. */
export const realpath: Execute = async (args, context) => {
  const results = splitArguments(args).operands.map(async (name) => {
    const path = pathOf(context, name);
    try {
      return succeed(`${await context.fs.realpath(path)}\n`);
    } catch {
      const [parent, last] = [path.replace(/\/[^/]*$/, "") || "/", path.split("/").at(-1)];
      const directory = await context.fs.realpath(parent).catch(() => undefined);
      if (directory === undefined) return failWith(`realpath: ${name}: No such file or directory`);
      return succeed(`${directory.replace(/\/$/, "")}/${last}\n`);
    }
  });
  return addResults(await Promise.all(results));
};

/** `mktemp` and `mktemp -d`, with an optional template. */
export const mktemp: Execute = async (args, context) => {
  const { options, operands } = splitArguments(args);
  const inTemporary = operands.length === 0 || options.includes("-t") || options.includes("-p");
  const template = operands.at(-1) ?? "tmp.XXXXXXXXXX";
  const unknown = template.match(/X{3,}/)?.[0];
  if (unknown === undefined) return failWith(`mktemp: too few X's in template '${template}'`);
  const directory = inTemporary ? `${context.env.get("TMPDIR") ?? "/tmp"}/` : "";
  const name = `${directory}${template.replace(unknown, randomLetters(unknown.length))}`;
  if (options.some((option) => option.includes("d"))) await context.fs.mkdir(pathOf(context, name));
  else {
    await context.fs.writeFile(pathOf(context, name), "");
    await context.fs.chmod(pathOf(context, name), 0o600);
  }
  return succeed(`${name}\n`);
};

function randomLetters(length: number): string {
  return Array.from({ length }, () => Math.floor(Math.random() * 36).toString(36)).join("");
}
