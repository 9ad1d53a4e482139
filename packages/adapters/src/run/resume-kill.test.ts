import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { openStore } from "@wink/store/url";
import { beforeAll, expect, it } from "vitest";
import { KilledProgram, type KillPlace, PLACES, randomFrom } from "./kill-places.test.support.js";
import { readRun } from "./read-run.js";
import { type ResumePlace, requestsOf, resumePlace } from "./resume-agent.test.support.js";
import type { RunReader } from "./run-reader.js";

/** The promise is 100 kills for each place: WINK_RESUME_KILLS=100. The default keeps the suite short. */
const KILLS = Number(process.env["WINK_RESUME_KILLS"] ?? (process.env["WINK_MORE_ROUNDS"] ? 3 : 1));
const IS_LONG = process.env["WINK_RESUME_KILLS"] !== undefined;
const SEED = Number(process.env["WINK_SEED"] ?? Date.now() % 1_000_000);
const random = randomFrom(SEED);
/** Servers only in the long form. `WINK_RESUME_PLACES` names some of them. */
const WANTED = process.env["WINK_RESUME_PLACES"]?.split(",") ?? [
  ...["directory", "memory", "SQLite"],
  ...(IS_LONG ? ["PostgreSQL", "Redis"] : []),
];
/** Every fifth kill is one of the server, if there is one. */
const SERVER_EVERY = 5;

const program = new KilledProgram();
let expected: ResumePlace;
/** How far a process of the undisturbed run came in a directory. */
let changes = 0;

beforeAll(async () => {
  const clean = await program.bundle(new URL("./resume.test.program.ts", import.meta.url));
  expected = resumePlace(join(program.directory, "reference"));
  for (let how = ""; how !== "done"; ) {
    const ended = await start("reference", "directory", "", 0);
    how = ended.how;
    changes = Math.max(changes, ended.far);
  }
  return clean;
}, 120_000);

const BACKENDS: Readonly<Record<string, string>> = { directory: "host", memory: "memory" };

/** Starts a process that continues the run. It is killed at `at`, as the program explains. */
async function start(
  name: string,
  place: string,
  url: string,
  at: number,
  duringIt?: () => Promise<void>,
) {
  const args = [join(program.directory, name), BACKENDS[place] ?? "store", url, `${at}`];
  const { output, errors, isKilled } = await program.run(args, duringIt);
  // A process may end with an error if its server does.
  if (duringIt === undefined) expect(errors, `${name} at ${at}, seed ${SEED}`).toBe("");
  const [how = "", far = "0"] = output.split(" ");
  return { how, isKilled, far: Number(far) };
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

async function requireSame(place: ResumePlace, url: string, kills: number, where: string) {
  expect(requestsOf(place), where).toEqual(requestsOf(expected));
  expect(resultOf(place), where).toEqual(resultOf(expected));
  const asked = readFileSync(place.requests, "utf8").split("\n").length - 1;
  expect(asked - requestsOf(place).length, where).toBeLessThanOrEqual(kills);
  await using store = url === "" ? undefined : await openStore(url);
  using run = await readRun(store === undefined ? place.run : { store, id: place.run });
  await requireAnsweredOnce(run);
  const processes = run.events.filter(({ type }) => type === "run.take-over");
  expect(processes.length, where).toBeGreaterThan(0);
}

/** Continues one run with processes that are killed, until it is over or `most` kills have happened. */
async function continueKilled(name: string, place: string, server: KillPlace, most: number) {
  const { url, restart } = server;
  let kills = 0;
  let longest = url === "" ? changes : 1_000;
  for (let how = ""; how !== "done"; ) {
    const isLeft = kills < most;
    const isServer = isLeft && restart !== undefined && random(SERVER_EVERY) === 0;
    // Most processes get far, some are killed while they open the run.
    const at = url === "" && random(4) === 0 ? 1 + random(60) : 1 + random(longest);
    const restarted = async () => {
      await sleep(at);
      await restart?.();
    };
    const ended = await start(
      name,
      place,
      url,
      isLeft && !isServer ? at : 0,
      isServer ? restarted : undefined,
    );
    how = ended.how;
    longest = Math.max(longest, ended.far);
    if (ended.isKilled || isServer) kills++;
  }
  return kills;
}

it.for(WANTED.filter((name) => name in PLACES))(
  "a run in %s with 40 turns, a subagent and approvals that is killed at random points, with its server, has the result and the requests of an undisturbed run (RUN-15, RUN-16)",
  { timeout: 180_000 + KILLS * 10_000 },
  async (name) => {
    await using server = (await PLACES[name]?.(program.directory)) as KillPlace;
    for (let [round, kills] = [0, 0]; kills < KILLS; round++) {
      const place = resumePlace(join(program.directory, `${name}-${round}`));
      const here = await continueKilled(`${name}-${round}`, name, server, KILLS - kills);
      kills += here;
      await requireSame(place, server.url, here, `${name}-${round}, seed ${SEED}`);
      rmSync(join(program.directory, `${name}-${round}`), { recursive: true });
    }
  },
);
