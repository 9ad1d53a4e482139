import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { bundleProgram } from "./bundle-program.test.support.js";
import { readRun } from "./read-run.js";
import {
  type Backend,
  type ResumePlace,
  requestsOf,
  resumePlace,
} from "./resume-agent.test.support.js";
import type { RunReader } from "./run-reader.js";

/** The promise is 100 kills for each backend: WINK_RESUME_KILLS=100. The default keeps the suite short. */
const KILLS = Number(process.env["WINK_RESUME_KILLS"] ?? 3);
const SEED = Number(process.env["WINK_SEED"] ?? Date.now() % 1_000_000);
/** In memory if possible: a killed process loses nothing that it has written. */
const SCRATCH = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();

let directory: string;
let program: string;

beforeAll(async () => {
  directory = mkdtempSync(join(SCRATCH, "wink-resume-"));
  program = await bundleProgram("resume", directory);
  return () => rmSync(directory, { recursive: true, force: true });
});

let state = SEED;
function random(below: number): number {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return Math.floor((state / 2 ** 32) * below);
}

/** Starts a process that continues the run. It is killed at the change of the disk with the number `at`. */
async function start(name: string, backend: Backend, at: number) {
  const args = [program, join(directory, name), backend, `${at}`];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"] });
  let [output, errors] = ["", ""];
  child.stdout.on("data", (data) => {
    output += data;
  });
  child.stderr.on("data", (data) => {
    errors += data;
  });
  const [code, signal] = await once(child, "close");
  expect(errors, `${name} at ${at}, seed ${SEED}`).toBe("");
  const [how = "", changes = "0"] = output.trim().split(" ");
  return { how, isKilled: signal === "SIGKILL", changes: Number(changes), code };
}

function resultOf({ result }: ResumePlace): unknown {
  return JSON.parse(readFileSync(result, "utf8"));
}

/** Every turn was answered once, in the run and in its subagents. */
async function requireAnsweredOnce(run: RunReader): Promise<void> {
  const turns = run.transcript.filter(({ kind }) => kind === "turn");
  const names = turns.map((record) => ("turn" in record ? `${record.run}/${record.turn}` : ""));
  expect(new Set(names).size, `seed ${SEED}`).toBe(names.length);
  for (const child of await run.children()) {
    using reader = await child.open();
    await requireAnsweredOnce(reader);
  }
}

it.each<Backend>(["host", "memory"])(
  "a run with 40 turns, a subagent and approvals that is killed at random points on %s and continued by other processes has the result and the requests of an undisturbed run (RUN-15, RUN-16)",
  {
    timeout: 120_000 + KILLS * 5_000,
  },
  async (backend) => {
    const reference = `${backend}-reference`;
    let changes = 0;
    for (let how = ""; how !== "done"; ) {
      const ended = await start(reference, backend, 0);
      how = ended.how;
      changes = Math.max(changes, ended.changes);
    }
    const expected = resumePlace(join(directory, reference));
    let kills = 0;
    for (let round = 0; kills < KILLS; round++) {
      const name = `${backend}-${round}`;
      const place = resumePlace(join(directory, name));
      let killsHere = 0;
      for (let how = ""; how !== "done"; ) {
        // Most processes get far, some are killed while they open the run.
        const at = random(4) === 0 ? 1 + random(60) : 1 + random(changes);
        const ended = await start(name, backend, kills < KILLS ? at : 0);
        how = ended.how;
        if (!ended.isKilled) continue;
        kills++;
        killsHere++;
      }
      const where = `${name}, seed ${SEED}`;
      expect(requestsOf(place), where).toEqual(requestsOf(expected));
      expect(resultOf(place), where).toEqual(resultOf(expected));
      const asked = readFileSync(place.requests, "utf8").split("\n").length;
      expect(asked - requestsOf(place).length - 1, where).toBeLessThanOrEqual(killsHere);
      using run = await readRun(place.run);
      await requireAnsweredOnce(run);
      const processes = run.events.filter(({ type }) => type === "run.take-over");
      expect(processes.length, where).toBeGreaterThan(0);
      rmSync(join(directory, name), { recursive: true });
    }
  },
);
