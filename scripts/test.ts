import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { boundaries } from "./checks/boundaries.js";
import { documentation } from "./checks/documentation.js";
import { examples } from "./checks/examples.js";
import { installed } from "./checks/installed.js";
import { lint } from "./checks/lint.js";
import { lockfile } from "./checks/lockfile.js";
import { tarballs } from "./checks/tarballs.js";
import { types } from "./checks/types.js";
import { tests } from "./checks/vitest.js";
import { type Check, closingLine, type Outcome } from "./outcome.js";
import { providePythonInterpreter } from "./python-interpreter.js";

// The order matters in one place: `types` builds what `boundaries`, `tarballs` and `installed` look at.
const checks = [
  types,
  lint,
  boundaries,
  lockfile,
  tarballs,
  installed,
  tests,
  examples,
  documentation,
] as const satisfies readonly Check[];

const { values } = parseArgs({
  options: { only: { type: "string" }, help: { type: "boolean", short: "h", default: false } },
});

if (values.help) printHelp();
else await runAll(choose(values.only));

async function runAll(chosen: readonly Check[]): Promise<void> {
  // Tools keep what they write inside the clone, and nothing reports home.
  process.env["TURBO_TELEMETRY_DISABLED"] = "1";
  process.env["TSX_DISABLE_CACHE"] = "1";

  await providePythonInterpreter();
  await using _ = await useOwnTemporaryFolder();

  console.log(`Node ${process.versions.node} on ${process.platform} ${process.arch}\n`);
  const outcomes: Outcome[] = [];
  for (const check of chosen) outcomes.push(await runOne(check));

  const failed = outcomes.some((outcome) => outcome.failed > 0);
  process.exitCode = failed ? 1 : 0;
  console.log(`\n${closingLine(outcomes)}`);
}

/** What killed processes and whole programs leave among temporary files goes when the checks are over. */
async function useOwnTemporaryFolder(): Promise<AsyncDisposable> {
  const folder = await mkdtemp(path.join(tmpdir(), "wink-checks-"));
  // Tests run programs as other users too.
  await chmod(folder, 0o755);
  process.env["TMPDIR"] = folder;
  return { [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) };
}

async function runOne(check: Check): Promise<Outcome> {
  const title = check.name.padEnd(15);
  process.stdout.write(title);
  const start = performance.now();
  const seconds = () => ((performance.now() - start) / 1000).toFixed(1);
  const clock = process.stdout.isTTY
    ? setInterval(() => process.stdout.write(`\r${title}running ${seconds()} s`), 1_000)
    : undefined;
  const outcome = await check.run().catch(brokenCheck);
  clearInterval(clock);
  if (clock !== undefined) process.stdout.write(`\r${title}`);
  console.log(`${closingLine([outcome]).padEnd(32)} ${seconds().padStart(6)} s`);
  for (const note of outcome.notes) console.log(indent(note));
  for (const failure of outcome.failures) console.log(`\n${indent(failure.trimEnd())}`);
  if (outcome.failures.length > 0) console.log();
  return outcome;
}

/** A check that throws is a failure of its own and must not hide what the others find. */
function brokenCheck(error: unknown): Outcome {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { passed: 0, failed: 1, skipped: 0, failures: [text], notes: [] };
}

function choose(only: string | undefined): readonly Check[] {
  if (only === undefined) return checks;
  const names = only.split(",").map((name) => name.trim());
  const unknown = names.filter((name) => !checks.some((check) => check.name === name));
  if (unknown.length > 0) {
    const known = checks.map((check) => check.name).join(", ");
    console.error(`No check is named ${unknown.join(", ")}. There are: ${known}.`);
    process.exit(2);
  }
  return checks.filter((check) => names.includes(check.name));
}

function printHelp(): void {
  console.log("Runs every check of the repository.\n");
  console.log("  pnpm test                      all of them");
  console.log("  pnpm test --only types,lint    these, in the usual order\n");
  for (const check of checks) console.log(`  ${check.name.padEnd(15)} ${check.promise}`);
}

function indent(text: string): string {
  return text.replaceAll(/^(?=.)/gm, "  ");
}
