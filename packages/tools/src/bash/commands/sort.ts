import { type Execute, failWith, original, pathOf, separateValues, withOutput } from "./command.js";
import { compareLines, type SortKey } from "./sort-keys.js";

const LONG: Readonly<Record<string, string>> = {
  "--key": "-k",
  "--field-separator": "-t",
  "--output": "-o",
  "--numeric-sort": "-n",
  "--general-numeric-sort": "-g",
  "--human-numeric-sort": "-h",
  "--month-sort": "-M",
  "--version-sort": "-V",
  "--random-sort": "-R",
  "--sort=version": "-V",
  "--sort=numeric": "-n",
  "--reverse": "-r",
  "--unique": "-u",
  "--stable": "-s",
  "--ignore-case": "-f",
  "--ignore-leading-blanks": "-b",
  "--dictionary-order": "-d",
  "--zero-terminated": "-z",
  "--check": "-c",
  "--merge": "-m",
};

/** `sort` by bytes, with all keys and orders. just-bash's own compares without case and knows fewer of them. */
export const sort: Execute = async (args, context) => {
  const known = separateValues(args.flatMap(shorten), "ktoST");
  const flags = new Set<string>();
  const keys: string[] = [];
  const operands: string[] = [];
  let [separator, output]: (string | undefined)[] = [];
  for (let at = 0; at < known.length; at += 1) {
    const arg = known[at] ?? "";
    if (arg === "--") operands.push(...known.slice(at + 1));
    if (arg === "--") break;
    if (!/^-./.test(arg)) operands.push(arg);
    else if (arg === "-k") keys.push(known[++at] ?? "");
    else if (arg === "-t") separator = known[++at]?.replace("\\t", "\t");
    else if (arg === "-o") output = known[++at];
    else if (/^-[ST]$/.test(arg)) at += 1;
    else if (/^-[bcCdfghimMnrRsuVz]+$/.test(arg)) for (const each of arg.slice(1)) flags.add(each);
    else return await original(context, args);
  }
  const parsed = keys.map(parseKey);
  if (parsed.some((key) => key === undefined))
    return failWith(`sort: invalid key: ${keys.join(" ")}`, 2);
  const read = context.execWithInheritedStdin;
  if (read === undefined) return await original(context, args);
  const input = await read("cat", { cwd: context.cwd, args: operands });
  if (input.exitCode !== 0)
    return failWith(input.stderr.replace(/^cat/gm, "sort").replace(/\n$/, ""), 2);
  const end = flags.has("z") ? "\0" : "\n";
  const lines = input.stdout.split(end);
  if (lines.at(-1) === "") lines.pop();
  const compare = compareLines({ keys: parsed as SortKey[], flags, separator });
  const byKeys = compareLines({
    keys: parsed as SortKey[],
    flags: new Set([...flags, "s"]),
    separator,
  });
  if (flags.has("c") || flags.has("C")) {
    const at = lines.findIndex(
      (line, index) => index > 0 && compare(lines[index - 1] ?? "", line) > 0,
    );
    return at < 0
      ? { stdout: "", stderr: "", exitCode: 0 }
      : failWith(`sort: ${operands[0] ?? "-"}:${at + 1}: disorder: ${lines[at]}`);
  }
  lines.sort(flags.has("u") ? byKeys : compare);
  const kept = flags.has("u")
    ? lines.filter((line, index) => index === 0 || byKeys(lines[index - 1] ?? "", line) !== 0)
    : lines;
  const text = kept.map((line) => line + end).join("");
  if (output === undefined) return withOutput(input, text);
  const encoding = input.stdoutKind === "bytes" ? "latin1" : "utf8";
  await context.fs.writeFile(pathOf(context, output), Buffer.from(text, encoding));
  return withOutput(input, "");
};

function shorten(arg: string): string[] {
  const [name = "", value] = arg.startsWith("--sort=") ? [arg] : arg.split(/=(.*)/s, 2);
  const short = LONG[name];
  if (/^--(?:parallel|buffer-size)/.test(name)) return [];
  return short === undefined ? [arg] : [short, ...(value === undefined ? [] : [value])];
}

/** Parses `2.3n,4.1r`. */
function parseKey(text: string): SortKey | undefined {
  const [, field, character = "1", options = "", endField, endCharacter, endOptions = ""] =
    /^(\d+)(?:\.(\d+))?([bdfgihMnRrV]*)(?:,(\d+)(?:\.(\d+))?([bdfgihMnRrV]*))?$/.exec(text) ?? [];
  if (field === undefined || field === "0") return undefined;
  return {
    start: { field: Number(field), character: Number(character) },
    end:
      endField === undefined
        ? undefined
        : { field: Number(endField), character: Number(endCharacter ?? 0) },
    flags: new Set(options + endOptions),
  };
}
