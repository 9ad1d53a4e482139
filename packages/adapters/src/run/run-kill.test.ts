import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { isAdapterError } from "../error/adapter-error.js";
import { bundleProgram } from "./bundle-program.test.support.js";
import { readRun } from "./read-run.js";
import {
  call,
  KINDS,
  layOut,
  openRun,
  type Place,
  placeIn,
  roundsIn,
  stateOf,
} from "./run-agent.test.support.js";

/** The promise is 500 kills: WINK_KILLS=500. The default keeps the suite short. */
const KILLS = Number(process.env["WINK_KILLS"] ?? (process.env["WINK_MORE_ROUNDS"] ? 24 : 4));
const ROUNDS = KINDS.length;
/**
 * In memory if possible: a killed process loses nothing that it has written, so a real disk would
 * only be slower.
 */
const SCRATCH = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();

let directory: string;
let program: string;
/** Session and files after each number of calls, from an uninterrupted run. */
const states: ReturnType<typeof stateOf>[] = [];

beforeAll(async () => {
  directory = mkdtempSync(join(SCRATCH, "wink-disk-run-"));
  program = await bundleProgram(new URL("./run-kill.test.program.ts", import.meta.url), directory);
  const place = placeIn(join(directory, "reference"));
  layOut(place);
  const run = await openRun(place);
  states.push(stateOf(run));
  for (const [round, kind] of KINDS.entries()) {
    expect(await call(run, "spoil", round)).toBe("failed");
    expect(stateOf(run)).toEqual(states.at(-1));
    expect(await call(run, kind, round)).toBe("succeeded");
    states.push(stateOf(run));
  }
  await run.close();
  return () => rmSync(directory, { recursive: true, force: true });
});

/** Starts the program. It is killed at call `at`, or when it has reported `reports` rounds. */
async function start(name: string, how: { readonly at?: number; readonly reports?: number }) {
  const place = join(directory, name);
  const child = spawn(process.execPath, [program, place, `${ROUNDS}`, `${how.at ?? 0}`], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  let [output, errors] = ["", ""];
  child.stdout.on("data", (data) => {
    output += data;
    if (output.split("\n").length > (how.reports ?? Number.POSITIVE_INFINITY))
      child.kill("SIGKILL");
  });
  child.stderr.on("data", (data) => {
    errors += data;
  });
  const [, signal] = await once(child, "close");
  const reported = Math.max(
    0,
    ...[...output.matchAll(/^(\d+) /gm)].map(([, round]) => Number(round)),
  );
  const [calls = 0, ...commits] = (/^calls (.*)$/m.exec(output)?.[1] ?? "").split(" ").map(Number);
  return { reported, signal, errors, calls, commits };
}

/**
 * Opens the run as the next process would. It must have exactly one state, and no reported call
 * may be lost.
 */
async function requireWhole(name: string, reported: number): Promise<number> {
  await requireAgreement(placeIn(join(directory, name)));
  const run = await openRun(placeIn(join(directory, name)));
  const state = stateOf(run);
  const rounds = roundsIn(state);
  expect({ name, ...state }).toEqual({ name, ...states[rounds] });
  expect(rounds, name).toBeGreaterThanOrEqual(reported);
  const interrupted = run.interrupted.length;
  await run.close();
  expect(await requireAgreement(placeIn(join(directory, name)))).toEqual(
    state.files.filter((each) => !each.endsWith(" /")),
  );
  expect(readdirSync(join(directory, name)).sort()).toEqual(["run", "workspace"]);
  return interrupted;
}

/**
 * Reads a run without opening it. Every call that has ended must have an answer with the same status, and every state
 * that the log names must be readable. Resolves to the files of the last state.
 */
async function requireAgreement({ run: path }: Place): Promise<readonly string[]> {
  if (!existsSync(join(path, "session.jsonl"))) return [];
  using run = await readRun(path).catch((error: unknown) => {
    // Killed before the first line of the log.
    if (isAdapterError(error, "RUN_INVALID")) return undefined;
    throw error;
  });
  if (run === undefined) return [];
  for (const { toolCallId, ended, answer } of run.calls)
    if (ended !== undefined)
      expect([toolCallId, answer?.status]).toEqual([toolCallId, ended.status]);
  const read = (sequence: number) =>
    [...run.filesAt(sequence)]
      .filter(({ kind }) => kind === "file")
      .map((entry) => `/${entry.path} ${Buffer.from(entry.read() as Uint8Array)}`)
      .sort();
  const first = run.events.find(({ type }) => type === "run.keep-state");
  if (first === undefined) return [];
  for (const { sequence } of run.events) {
    read(sequence);
    await (await run.undoneBy(sequence))?.toPatch();
  }
  return read(run.lastSequence);
}

it("a call is committed in session and files or in neither, whenever the process is killed, a reported call is never lost, and log, transcript and states agree (AD-52, AD-53, RUN-13, F167, F168, E151)", {
  timeout: 120_000 + KILLS * 4_000,
}, async () => {
  layOut(placeIn(join(directory, "count")));
  const { calls, commits, ...whole } = await start("count", {});
  expect(whole).toEqual({ reported: ROUNDS, signal: null, errors: "" });
  // One commit per round, plus one for the nested call.
  expect(commits).toHaveLength(ROUNDS + 1);
  expect(await requireWhole("count", ROUNDS)).toBe(0);
  // First the commits and the calls just after them, then all other calls, evenly spread.
  const decisive = commits.flatMap((commit) => [0, 1, 2, 3, 4].map((after) => commit + after));
  let [killed, interrupted] = [0, 0];
  const kill = async (index: number) => {
    const name = `kill-${index}`;
    layOut(placeIn(join(directory, name)));
    const at = decisive[index] ?? 1 + Math.floor(((index + 0.5) * calls) / KILLS);
    // Some of the others are killed from outside, at a random moment.
    const isOutside = index >= decisive.length && index % 4 === 0;
    const first = await start(name, isOutside ? { reports: 1 + (index % ROUNDS) } : { at });
    // The next process finds the state that the first one left. It is killed too, often during
    // recovery.
    const second = await start(name, { at: 1 + ((index * 7) % 60) });
    expect(first.errors + second.errors).toBe("");
    for (const { signal } of [first, second]) if (signal === "SIGKILL") killed++;
    interrupted += await requireWhole(name, Math.max(first.reported, second.reported));
    rmSync(join(directory, name), { recursive: true });
  };
  const indexes = Array.from({ length: KILLS }, (_, index) => index);
  const work = async () => {
    for (let index = indexes.pop(); index !== undefined; index = indexes.pop()) await kill(index);
  };
  await Promise.all([work(), work()]);
  // Few kills may all fall between two calls.
  for (let index = KILLS; interrupted === 0 && index < KILLS + 24; index++) await kill(index);
  expect(killed).toBeGreaterThan(KILLS / 2);
  expect(interrupted).toBeGreaterThan(0);
});
