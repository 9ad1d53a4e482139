import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { bundleProgram } from "./bundle-program.test.support.js";

/** The promise is a kill at every request: WINK_LONG_RUN_STEP=1. The default keeps the suite short. */
const ORDINARY_STEP = process.env["WINK_MORE_ROUNDS"] ? 100 : 200;
const STEP = Number(process.env["WINK_LONG_RUN_STEP"] ?? ORDINARY_STEP);
/** In memory if possible: a killed process loses nothing that it has written. */
const SCRATCH = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();

let directory: string;
let program: string;

beforeAll(async () => {
  directory = mkdtempSync(join(SCRATCH, "wink-long-run-"));
  program = await bundleProgram(new URL("./long-run.test.program.ts", import.meta.url), directory);
  return () => rmSync(directory, { recursive: true, force: true });
});

interface Options {
  readonly files: number;
  readonly windowTokens: number;
}

/** Starts a process that continues the run. Resolves to its result, or to `undefined` if it was killed. */
async function start(name: string, { files, windowTokens }: Options, kill = "") {
  const args = [program, join(directory, name), `${files}`, `${windowTokens}`, kill];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"] });
  let [output, errors] = ["", ""];
  child.stdout.on("data", (data) => {
    output += data;
  });
  child.stderr.on("data", (data) => {
    errors += data;
  });
  const [, signal] = await once(child, "close");
  expect(errors, `${name}, ${kill}`).toBe("");
  return signal === "SIGKILL" ? undefined : JSON.parse(output);
}

function requestsOf(name: string): readonly string[] {
  return readFileSync(join(directory, name, "requests"), "utf8")
    .trim()
    .split("\n");
}

it.each([
  { name: "fits", files: 400, windowTokens: 128_000, what: "400 files of 20 kB" },
  // The window is smaller than the adapter assumes, so the provider refuses requests.
  { name: "small", files: 60, windowTokens: 60_000, what: "60 files with refused requests" },
])(
  "a run over $what that is killed while it asks and while it calls sends the same next request (MD-20, MD-23, MD-25)",
  { timeout: 1_800_000 },
  async ({ name, ...options }) => {
    const result = await start(name, options);
    expect(result).toMatchObject({ text: "All are read.", usage: { turns: options.files + 1 } });
    const expected = requestsOf(name);
    expect(expected.every((request) => request.endsWith("pinned"))).toBe(true);
    const refused = expected.filter((request) => request.includes("refused"));
    if (name === "fits") expect(refused).toEqual([]);
    else expect(refused.length).toBeGreaterThan(0);

    const killed = `${name}-killed`;
    const step = name === "fits" ? STEP : Math.ceil(STEP / 8);
    let kills = 0;
    let again: unknown;
    for (let phase = "ask"; again === undefined; phase = phase === "ask" ? "call" : "ask") {
      // With a step of 1, every process is killed at its second request, so no request is skipped.
      again = await start(killed, options, `${phase}:${step + 1}`);
      kills += again === undefined ? 1 : 0;
    }
    expect(kills).toBeGreaterThan(1);
    expect(again).toEqual(result);
    const requests = requestsOf(killed);
    // A request whose answer was not stored is sent again, unchanged.
    expect(requests.filter((request, at) => request !== requests[at - 1])).toEqual(expected);
    expect(requests.length - expected.length).toBeLessThanOrEqual(kills);
  },
);
