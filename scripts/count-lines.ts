// Counts the lines of code of packages and apps, without tests, test support and `testing/`.
import { parseArgs } from "node:util";
import { countCodeLines, isCounted } from "./lines/count-code-lines.js";
import { readRevision, readWorkingTree, type TreeFile } from "./lines/read-tree.js";

const { values } = parseArgs({
  options: { base: { type: "string" }, help: { type: "boolean", short: "h", default: false } },
});

if (values.help) {
  console.log("Counts lines that are neither blank nor only a comment.\n");
  console.log("  pnpm lines                 the working tree");
  console.log("  pnpm lines --base 44ebf7e  and the difference to a revision");
} else {
  const after = countByProject(await readWorkingTree(isCounted));
  const before =
    values.base === undefined
      ? undefined
      : countByProject(await readRevision(values.base, isCounted));
  print(after, before);
}

type Counts = ReadonlyMap<string, number>;

/** Lines of each package and app, and of all. */
function countByProject(files: readonly TreeFile[]): Counts {
  const counts = new Map<string, number>();
  for (const { file, text } of files) {
    const lines = countCodeLines(file, text);
    for (const key of [file.split("/").slice(0, 2).join("/"), "all"])
      counts.set(key, (counts.get(key) ?? 0) + lines);
  }
  return counts;
}

function print(after: Counts, before: Counts | undefined): void {
  const names = new Set([...(before ?? after).keys(), ...after.keys()]);
  names.delete("all");
  for (const name of [...[...names].sort(), "all"]) {
    const now = after.get(name) ?? 0;
    const then = before?.get(name) ?? 0;
    const numbers = before === undefined ? [now] : [then, now];
    const columns = numbers.map((number) => number.toLocaleString("en").padStart(8));
    console.log(`${name.padEnd(22)}${columns.join("")}${describeChange(before, then, now)}`);
  }
}

function describeChange(before: Counts | undefined, then: number, now: number): string {
  if (before === undefined) return "";
  if (then === 0) return "      new";
  const percent = (100 * (now - then)) / then;
  return `${percent > 0 ? "+" : ""}${percent.toFixed(1)} %`.padStart(10);
}
