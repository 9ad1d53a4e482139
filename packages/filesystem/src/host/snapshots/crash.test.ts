import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";
import { beforeAll, describe, expect, it } from "vitest";
import {
  open,
  type Place,
  placeIn,
  prepare,
  run,
  SCENARIOS,
  type Scenario,
} from "./crash-scenarios.test.support.js";
import { interceptCalls } from "./intercepted-calls.test.support.js";
import { manifest, runGit } from "./store-fixture.test.support.js";

// The promise is 500 kills, and a failure at every call: WINK_KILLS=500. The defaults keep the suite short.
const HAS_MORE_ROUNDS = process.env["WINK_MORE_ROUNDS"] !== undefined;
const KILLS = Number(process.env["WINK_KILLS"] ?? (HAS_MORE_ROUNDS ? 120 : 18));
/** In memory, because a disk is slow and a killed process loses nothing that it has written. */
const PLACE = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();

/**
 * All tests use the same path, because a store identifies its workspace by its path. It is copied again for each
 * test.
 */
let place: Place;
let copy: string;
let child: string;
const calls = new Map<Scenario, number>();
/** The allowed states after a crash. */
const allowed = new Map<Scenario, readonly (readonly string[])[]>();

beforeAll(async () => {
  const directory = mkdtempSync(join(PLACE, "wink-crash-"));
  place = placeIn(join(directory, "place"));
  copy = join(directory, "copy");
  await prepare(place);
  execFileSync("cp", ["-a", join(directory, "place"), copy]);
  child = await bundle(directory);
  for (const scenario of SCENARIOS) {
    layOut();
    const before = manifest(place.workspace);
    const undo = interceptCalls((number, _name, args, proceed) => {
      calls.set(scenario, number);
      return proceed(...args);
    });
    await run(place, scenario).finally(undo);
    const isKept = ["write", "restore", "transaction", "decided", "decided-full"].includes(
      scenario,
    );
    allowed.set(scenario, isKept ? [before, manifest(place.workspace)] : [before]);
  }
  return () => execFileSync("rm", ["-rf", directory]);
});

function layOut(): void {
  const directory = join(place.workspace, "..");
  rmSync(directory, { recursive: true, force: true });
  cpSync(copy, directory, { recursive: true, verbatimSymlinks: true });
}

describe("a process killed at any point (D129, D130)", { timeout: 120_000 + KILLS * 1_000 }, () => {
  it.each(SCENARIOS)("in %s leaves the old state or the new one", async (scenario) => {
    const points = calls.get(scenario) ?? 0;
    const wanted = Math.ceil(KILLS / SCENARIOS.length);
    for (let kill = 0; kill < wanted; kill++) {
      let at =
        1 + (wanted >= points ? kill % points : Math.floor(((kill + 0.5) * points) / wanted));
      // The number of calls differs between runs, so the program may end before a late one. Then kill it earlier.
      while (!(await isKilled(scenario, at))) at = Math.floor(at * 0.8);
    }
  });
});

/** Whether the program was killed at a call, and not at its end. Checks what it leaves. */
async function isKilled(scenario: Scenario, at: number): Promise<boolean> {
  expect(at, "the call to kill at").toBeGreaterThan(0);
  layOut();
  const { signal, stderr } = spawnSync(
    process.execPath,
    [child, join(place.workspace, ".."), scenario, `${at}`],
    { encoding: "utf8" },
  );
  expect(stderr).toBe("");
  await requireWhole(scenario, `killed at call ${at} of ${calls.get(scenario)}`);
  return signal === "SIGKILL";
}

describe("a call that fails at any point (D127, D129, D130)", () => {
  it.each(SCENARIOS)("in %s leaves the old state or the new one", async (scenario) => {
    const points = calls.get(scenario) ?? 0;
    const stride =
      process.env["WINK_KILLS"] === undefined ? Math.ceil(points / (HAS_MORE_ROUNDS ? 30 : 8)) : 1;
    for (let at = 1; at <= points; at += stride) {
      layOut();
      const undo = interceptCalls((number, name, args, proceed) => {
        if (number === at)
          throw Object.assign(new Error(`EIO: injected into ${name}`), { code: "EIO" });
        return proceed(...args);
      });
      await run(place, scenario)
        .catch((error: unknown) => {
          expect(String(error)).not.toContain(place.workspace);
        })
        .finally(undo);
      await requireWhole(scenario, `failed at call ${at} of ${points}`);
    }
  });
});

/** Opens everything again, like the next process would, without manual repair. */
async function requireWhole(scenario: Scenario, how: string): Promise<void> {
  const driver = await open(place);
  try {
    expect(allowed.get(scenario), how).toContainEqual(visible(place));
    const verdict = await driver.snapshots.verify();
    expect(verdict.damaged, how).toEqual([]);
    expect(verdict.snapshotCount, how).toBeGreaterThan(0);
    const names = (await driver.snapshots.list()).map(({ name }) => name);
    expect(names, how).not.toContain(undefined);
    const kept = await driver.snapshots.create({ name: "afterwards" });
    const state = visible(place);
    for (const snapshot of await driver.snapshots.list()) await driver.snapshots.restore(snapshot);
    await driver.snapshots.restore(kept);
    expect(visible(place), how).toEqual(state);
    const oldest = (await driver.snapshots.list()).at(-1);
    if (oldest !== undefined) await driver.snapshots.delete([oldest]);
    expect((await driver.snapshots.verify()).damaged, how).toEqual([]);
  } finally {
    await driver.close();
  }
  const beside = readdirSync(join(place.workspace, "..")).sort();
  expect(beside, how).toEqual(["store", "workspace"]);
  if (how.includes("call 1 ")) runGit(place.storeDirectory, "fsck", "--strict", "--no-dangling");
}

/** The visible files, without temporary files of a living process. */
function visible({ workspace }: Place): readonly string[] {
  return manifest(workspace).filter((line) => !line.includes("/.wink-tmp-"));
}

/** Bundles the program into one file, which starts ten times faster. */
async function bundle(directory: string): Promise<string> {
  await build({
    configFile: false,
    logLevel: "silent",
    root: directory,
    ssr: { noExternal: true },
    build: {
      ssr: fileURLToPath(new URL("./crash-child.test.support.ts", import.meta.url)),
      outDir: directory,
      emptyOutDir: false,
      target: "es2023",
      rolldownOptions: { output: { entryFileNames: "child.mjs", codeSplitting: false } },
    },
  });
  return join(directory, "child.mjs");
}
