import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { boundaries } from "./checks/boundaries.js";
import { documentation } from "./checks/documentation.js";
import { examples } from "./checks/examples.js";
import { installed } from "./checks/installed.js";
import { language } from "./checks/language.js";
import { lint } from "./checks/lint.js";
import { lockfile } from "./checks/lockfile.js";
import { tarballs } from "./checks/tarballs.js";
import { types } from "./checks/types.js";
import { tests } from "./checks/vitest.js";
import { type Check, closingLine, type Outcome } from "./outcome.js";
import { formatDuration, Progress } from "./progress.js";
import { providePythonInterpreter } from "./python-interpreter.js";

type Lanes = readonly (readonly Check[])[];

/** `types` builds the files that the later checks read. It uses one core. */
const FIRST: Lanes = [[types], [lint, language, lockfile]];

/** The tests wait for processes and disks; the other checks use the cores in the meantime. */
const LATER: Lanes = [[tests], [boundaries, tarballs, installed, examples, documentation]];

const checks = [...FIRST, ...LATER].flat();

const { values } = parseArgs({
  options: { only: { type: "string" }, help: { type: "boolean", short: "h", default: false } },
});

if (values.help) printHelp();
else await runAll(choose(values.only));

async function runAll(isChosen: (check: Check) => boolean): Promise<void> {
  // Tools write only inside the clone and send no telemetry.
  process.env["TURBO_TELEMETRY_DISABLED"] = "1";
  process.env["TSX_DISABLE_CACHE"] = "1";

  await providePythonInterpreter();
  await using _ = await useOwnTemporaryFolder();

  const usualMs = 1000 * usualSeconds(isChosen);
  console.log(`Node ${process.versions.node} on ${process.platform} ${process.arch}`);
  console.log(`Usually takes about ${formatDuration(usualMs)} on two cores without containers.\n`);
  const outcomes = await runLanes(isChosen, usualMs);
  for (const { name } of checks.filter((check) => !isChosen(check) && values.only === undefined))
    console.log(`${name.padEnd(15)}not run: CI runs it, and so does \`pnpm test --only ${name}\``);

  const failed = outcomes.some((outcome) => outcome.failed > 0);
  process.exitCode = failed ? 1 : 0;
  console.log(`\n${closingLine(outcomes)}`);
}

async function runLanes(
  isChosen: (check: Check) => boolean,
  usualMs: number,
): Promise<readonly Outcome[]> {
  using progress = new Progress({ stream: process.stdout, usualMs });
  const runLane = async (lane: readonly Check[]) => {
    const outcomes: Outcome[] = [];
    for (const check of lane.filter(isChosen)) outcomes.push(await runOne(check, progress));
    return outcomes;
  };
  const runAtOnce = async (lanes: Lanes) => (await Promise.all(lanes.map(runLane))).flat();
  return [...(await runAtOnce(FIRST)), ...(await runAtOnce(LATER))];
}

/** A separate temporary folder, because killed processes leave files in it. It is deleted at the end. */
async function useOwnTemporaryFolder(): Promise<AsyncDisposable> {
  const folder = await mkdtemp(path.join(tmpdir(), "wink-checks-"));
  // Tests run programs as other users too.
  await chmod(folder, 0o755);
  process.env["TMPDIR"] = folder;
  return { [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) };
}

async function runOne(check: Check, progress: Progress): Promise<Outcome> {
  const start = performance.now();
  progress.update(check.name, "");
  const outcome = await check.run((text) => progress.update(check.name, text)).catch(describeCrash);
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  const counts = closingLine([outcome]).padEnd(32);
  const lines = [
    `${check.name.padEnd(15)}${counts} ${seconds.padStart(6)} s`,
    ...outcome.notes.map(indent),
    ...outcome.failures.map((failure) => `\n${indent(failure.trimEnd())}`),
  ];
  progress.finish(check.name, `${lines.join("\n")}${outcome.failures.length > 0 ? "\n" : ""}`);
  return outcome;
}

/** A check that throws counts as one failure, and the other checks still run. */
function describeCrash(error: unknown): Outcome {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { passed: 0, failed: 1, skipped: 0, failures: [text], notes: [] };
}

function choose(only: string | undefined): (check: Check) => boolean {
  if (only === undefined)
    return ({ isForCi = false }) => !isForCi || process.env["WINK_MORE_ROUNDS"] !== undefined;
  const names = only.split(",").map((name) => name.trim());
  const unknown = names.filter((name) => !checks.some((check) => check.name === name));
  if (unknown.length > 0) {
    const known = checks.map((check) => check.name).join(", ");
    console.error(`No check is named ${unknown.join(", ")}. There are: ${known}.`);
    process.exit(2);
  }
  return (check) => names.includes(check.name);
}

function printHelp(): void {
  console.log("Runs every check of the repository. The seconds are for two quiet cores.\n");
  console.log("  pnpm test                      all of them");
  console.log("  pnpm test --only types,lint    these, in the usual order\n");
  for (const { name, usualSeconds, promise } of checks)
    console.log(`  ${name.padEnd(13)} ${`${usualSeconds} s`.padStart(6)}  ${promise}`);
}

/** The lanes run at the same time, so the longest one counts. */
function usualSeconds(isChosen: (check: Check) => boolean): number {
  const secondsOf = (lane: readonly Check[]) =>
    lane.filter(isChosen).reduce((sum, check) => sum + check.usualSeconds, 0);
  const longest = (lanes: Lanes) => Math.max(...lanes.map(secondsOf));
  return longest(FIRST) + longest(LATER);
}

function indent(text: string): string {
  return text.replaceAll(/^(?=.)/gm, "  ");
}
