import { mkdir, readdir, writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { type Run, startRun } from "./harness.js";

/** A suite is a file `<name>.bench.ts` that exports `run`. The suites run compiled, because a source loader slows down every subject that opens files. */
interface Suite {
  run(run: Run): Promise<void>;
}

const { values, positionals } = parseArgs({
  options: { quick: { type: "boolean", default: false }, json: { type: "string" } },
  allowPositionals: true,
});

const here = new URL(".", import.meta.url);
const suites = (await readdir(here))
  .filter((file) => file.endsWith(".bench.js"))
  .map((file) => file.slice(0, -".bench.js".length))
  .sort();
const unknown = positionals.filter((name) => !suites.includes(name));
if (unknown.length > 0) {
  console.error(`No suite is named ${unknown.join(", ")}. There are: ${suites.join(", ")}.`);
  process.exit(2);
}
const names = positionals.length > 0 ? positionals : suites;

const rows = [];
for (const name of names) {
  console.log(`\n# ${name}${values.quick ? " (quick)" : ""}`);
  const suite: Suite = await import(new URL(`${name}.bench.js`, here).href);
  const run = startRun(name, values);
  await suite.run(run);
  rows.push(...run.rows);
}

const verdicts = rows.flatMap((row) => row.verdicts);
const missed = verdicts.filter((verdict) => !verdict.holds).length;
const report = values.json ?? new URL("../../.cache/benchmarks.json", here);
await mkdir(new URL("../../.cache/", here), { recursive: true });
await writeFile(report, `${JSON.stringify({ node: process.version, rows }, undefined, 2)}\n`);
console.log(`\n${verdicts.length - missed} of ${verdicts.length} targets hold.`);
process.exitCode = missed > 0 ? 1 : 0;
