import { parseArgs } from "node:util";
import { execa } from "execa";
import { root } from "./repository.js";

/** The oldest Node that is supported and the newest of each line after it. */
const VERSIONS = ["20.20.2", "22.23.3", "24.21.0", "26.10.0"] as const;
const PNPM = "pnpm@12.4.2";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    versions: { type: "string", default: VERSIONS.join(",") },
    help: { type: "boolean", short: "h", default: false },
  },
});

if (values.help) {
  console.log("Runs the tests on several versions of Node, one after the other.\n");
  console.log("  pnpm test:nodes                              pnpm test on all of them");
  console.log("  pnpm test:nodes --versions 22,26             on these only");
  console.log("  pnpm test:nodes -- pnpm test --only tests    another command");
} else {
  await runAll(choose(values.versions), positionals.length > 0 ? positionals : ["pnpm", "test"]);
}

async function runAll(versions: readonly string[], command: readonly string[]): Promise<void> {
  const rows = [];
  for (const version of versions) rows.push(await runOn(version, command));
  console.log(`\n${command.join(" ")}`);
  for (const { version, ok, seconds } of rows)
    console.log(`  Node ${version.padEnd(9)} ${ok ? "passed" : "FAILED"} ${seconds.padStart(7)} s`);
  process.exitCode = rows.every((row) => row.ok) ? 0 : 1;
}

async function runOn(version: string, command: readonly string[]) {
  console.log(`\nNode ${version}`);
  const start = performance.now();
  const packages = ["-p", `node@${version}`, "-p", PNPM];
  // `--` stops npx from parsing the command's options.
  const result = await execa("npx", ["-y", ...packages, "--", ...command], {
    cwd: root,
    stdio: "inherit",
    reject: false,
  });
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  return { version, ok: !result.failed, seconds };
}

/** `22` means the version of that line in the list; a full version means itself. */
function choose(list: string): readonly string[] {
  return list
    .split(",")
    .map((wanted) => VERSIONS.find((version) => version.startsWith(`${wanted}.`)) ?? wanted);
}
