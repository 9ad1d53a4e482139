import { execFileSync, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, realpathSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { buildInterposer, ENDLESS_STATUS, makeControlFile } from "./interposer.test.support.js";

/** In memory if possible, because the trials write a lot. */
const PARENT = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();
const PROGRAM = fileURLToPath(
  new URL("../../dist/attacks/attack.test.program.js", import.meta.url),
);
/** A trial takes milliseconds. After this time it counts as blocked. */
const BLOCKED_AFTER_MS = 120_000;

/** Whether the interposer can be built here. Logs the reason once if it cannot. */
export const hasCompiler: boolean = findCompiler();

function findCompiler(): boolean {
  if (process.platform === "linux" && spawnSync("gcc", ["--version"]).status === 0) return true;
  const reason = "attacks on system calls need Linux and gcc; apt-get install gcc libc6-dev";
  if (process.env["WINK_REQUIRE_ALL"]) throw new Error(reason);
  console.log(`skipped: ${reason}`);
  return false;
}

export interface Job {
  readonly kind: "moments" | "faults";
  /** Where to start. Set if an earlier process died in the trial before. */
  readonly from: { readonly operation: number; readonly attack: number; readonly at: number };
  readonly perOperation: number | "all";
  readonly seed: number;
  /** Only operations whose name contains this text. */
  readonly only: string;
  /** Which of how many processes this is. Each one attacks some of the operations. */
  readonly share: { readonly index: number; readonly of: number };
  /** Attacks operations with known mistakes instead, which proves that the attacks work. */
  readonly isNaive: boolean;
}

/** A line that the attacking process reports. */
export type Line =
  | {
      readonly type: "trying";
      readonly operation: number;
      readonly attack: number;
      readonly at: number;
      readonly trial: string;
    }
  | {
      readonly type: "failed";
      readonly trial: string;
      readonly at: number;
      readonly hit: string;
      readonly problems: readonly string[];
    }
  | { readonly type: "done"; readonly operations: number; readonly attacks: number };

export interface AttackReport {
  readonly trials: number;
  readonly operations: number;
  readonly attacks: number;
  /** One line for each trial in which a promise was broken. */
  readonly failures: readonly string[];
}

/** Reads from environment variables which and how many trials to run. */
export function jobFromEnvironment(kind: Job["kind"]): Job {
  const perOperation = process.env["WINK_MORE_ROUNDS"] === undefined ? 1 : 6;
  const wanted = process.env[kind === "moments" ? "WINK_MOMENTS" : "WINK_FAULTS"];
  return {
    kind,
    from: { operation: 0, attack: 0, at: 1 },
    perOperation: wanted === "all" ? "all" : Number(wanted ?? perOperation),
    // The short form repeats the same trials, so that it fails only for a change. The long form tries others each time.
    seed: Number(process.env["WINK_ATTACK_SEED"] ?? (wanted === undefined ? 1 : randomSeed())),
    only: process.env["WINK_ATTACK_ONLY"] ?? "",
    share: { index: 0, of: wanted === "all" ? availableParallelism() : 1 },
    isNaive: false,
  };
}

/** Runs all trials of a job, in as many processes as it names. */
export async function runAttacks(
  job: Job,
  onFailure: (failure: string) => void = console.log,
): Promise<AttackReport> {
  const shares = Array.from({ length: job.share.of }, (_, index) => ({ ...job.share, index }));
  const reports = await Promise.all(shares.map((share) => runShare({ ...job, share }, onFailure)));
  return {
    trials: reports.reduce((sum, { trials }) => sum + trials, 0),
    operations: reports.reduce((sum, { operations }) => sum + operations, 0),
    attacks: Math.max(...reports.map(({ attacks }) => attacks)),
    failures: reports.flatMap(({ failures }) => failures),
  };
}

/**
 * Runs trials in a process with the interposer. If the process dies or hangs, its trial fails and another process
 * continues.
 */
async function runShare(job: Job, onFailure: (failure: string) => void): Promise<AttackReport> {
  const directory = mkdtempSync(join(realpathSync(PARENT), "wink-attack-"));
  try {
    const library = buildInterposer(directory);
    const run = new AttackRun(directory, library, onFailure);
    for (let from: Job["from"] | undefined = job.from; from !== undefined; )
      from = await run.continueFrom({ ...job, from });
    return run.report;
  } finally {
    execFileSync("rm", ["-rf", directory]);
  }
}

class AttackRun {
  readonly #directory: string;
  readonly #library: string;
  readonly #onFailure: (failure: string) => void;
  readonly #failures: string[] = [];
  #trials = 0;
  #done = { operations: 0, attacks: 0 };

  constructor(directory: string, library: string, onFailure: (failure: string) => void) {
    this.#directory = directory;
    this.#library = library;
    this.#onFailure = onFailure;
  }

  get report(): AttackReport {
    return { trials: this.#trials, failures: this.#failures, ...this.#done };
  }

  /** Returns where the next process has to start, or `undefined` if all trials are done. */
  async continueFrom(job: Job): Promise<Job["from"] | undefined> {
    const control = join(this.#directory, "control");
    makeControlFile(control);
    const child = spawn(
      process.execPath,
      [PROGRAM, "attack", this.#directory, JSON.stringify(job)],
      {
        env: {
          ...process.env,
          LD_PRELOAD: this.#library,
          WINK_INTERPOSER_CONTROL: control,
        },
        stdio: ["ignore", "pipe", "pipe"],
      },
    );
    const closed = new Promise<number | null>((resolve) => child.once("close", resolve));
    let stderr = "";
    child.stderr.on("data", (chunk) => {
      stderr += chunk;
    });
    let last: Extract<Line, { type: "trying" }> | undefined;
    let isDone = false;
    let isBlocked = false;
    const watchdog = setTimeout(() => {
      isBlocked = true;
      child.kill("SIGKILL");
    }, BLOCKED_AFTER_MS);
    for await (const text of createInterface({ input: child.stdout })) {
      watchdog.refresh();
      const line = JSON.parse(text) as Line;
      if (line.type === "trying") {
        last = line;
        this.#trials++;
      } else if (line.type === "failed")
        this.#fail(line.trial, line.at, `${line.hit}: ${line.problems.join(" | ")}`);
      else {
        isDone = true;
        this.#done = { operations: line.operations, attacks: line.attacks };
      }
    }
    clearTimeout(watchdog);
    const status = await closed;
    if (isDone) return undefined;
    if (last === undefined) {
      this.#fail("the attacking process", 0, `it did not start (${status}): ${stderr}`);
      return undefined;
    }
    const how = isBlocked
      ? "it did not end: a call is blocked"
      : status === ENDLESS_STATUS
        ? "it did not end: it makes calls without end"
        : `the process died (${status}): ${stderr}`;
    this.#fail(last.trial, last.at, how);
    return { operation: last.operation, attack: last.attack, at: last.at + 1 };
  }

  #fail(trial: string, at: number, how: string): void {
    const failure = `${trial}, before call ${at}, ${how}`.replaceAll(this.#directory, "…");
    this.#failures.push(failure);
    this.#onFailure(failure);
  }
}

function randomSeed(): number {
  return Math.floor(Math.random() * 1_000_000);
}
