/**
 * A process swaps a directory and a file for links to the outside, as fast as it can, while every operation of the
 * driver works on them.
 *
 * Runs few operations by default and more in CI. To set another number:
 *
 *     WINK_RACE_OPS=1000000 vitest run --config scripts/vitest.config.ts host-race
 */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { join, sep } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { isFilesystemError } from "../../protocol/filesystem-error.js";
import type { HostDriver } from "./host-driver.js";
import {
  at,
  bytes,
  hostFixture,
  manifest,
  QUICK_PLACE,
  SECRET,
  textOf,
} from "./host-fixture.test.setup.js";

const OPERATIONS = Number(
  process.env.WINK_RACE_OPS ?? (process.env.WINK_MORE_ROUNDS ? 300_000 : 20_000),
);
/** Plain JavaScript, because it runs in a separate process. The tree is intact again after each round. */
const SWAPPER = `
  const fs = require("node:fs");
  const [root, outside] = process.argv.slice(1);
  const stay = () => {
    const until = process.hrtime.bigint() + BigInt(Math.floor(Math.random() * 40_000));
    while (process.hrtime.bigint() < until);
  };
  const swap = (path, target) => {
    fs.renameSync(path, path + ".away");
    fs.symlinkSync(target, path);
    stay();
    fs.unlinkSync(path);
    fs.renameSync(path + ".away", path);
    stay();
  };
  process.stdout.write("ready");
  for (;;) {
    try {
      for (let time = 0; time < 4; time++) swap(root + "/dir", outside);
      swap(root + "/dir/deep", outside + "/deep");
      swap(root + "/leaf.txt", outside + "/leaf.txt");
    } catch {}
  }
`;

type Step = (driver: HostDriver, round: number) => unknown;

/** The result of each operation is searched for the secret. */
const STEPS: Readonly<Record<string, Step>> = {
  load: (driver) => textOf(driver.accelerate.load(at("dir/secret.txt"), 1_000)),
  "load deep": (driver) => textOf(driver.accelerate.load(at("dir/deep/secret.txt"), 1_000)),
  "load leaf": (driver) => textOf(driver.accelerate.load(at("leaf.txt"), 1_000)),
  read: (driver) => Buffer.from(driver.read(at("dir/secret.txt"), 0, 1_000)).toString(),
  stat: (driver) => driver.stat(at("dir/only-outside.txt"))?.kind,
  "stat deep": (driver) => driver.stat(at("dir/deep/only-outside.txt"))?.kind,
  revision: (driver) => driver.accelerate.revision(at("dir/secret.txt")),
  list: (driver) => driver.list(at("dir")).map(({ name }) => name),
  "list deep": (driver) => driver.list(at("dir/deep")).map(({ name }) => name),
  write: (driver, round) => driver.write(at(`dir/w${round % 5}.txt`), bytes("w"), "overwrite"),
  "write over": (driver) => driver.write(at("dir/leaf.txt"), bytes("w"), "overwrite"),
  "write leaf": (driver) => driver.write(at("leaf.txt"), bytes("l"), "overwrite"),
  append: (driver) => driver.write(at("dir/deep/a.txt"), bytes(""), "append"),
  create: (driver, round) => driver.write(at(`dir/deep/c${round % 4}.txt`), bytes("c"), "create"),
  remove: (driver, round) => driver.remove(at(`dir/deep/c${(round + 2) % 4}.txt`)),
  "remove canary": (driver) => driver.remove(at("dir/only-outside.txt")),
  mkdir: (driver, round) => driver.mkdir(at(`dir/m${round % 7}`)),
  "mkdir in tree": (driver) => driver.mkdir(at("dir/tree")),
  rename: (driver, round) =>
    driver.accelerate.rename(at(`dir/w${round % 5}.txt`), at("dir/deep/moved.txt")),
  "rename canary in": (driver) =>
    driver.accelerate.rename(at("dir/only-outside.txt"), at("stolen.txt")),
  removeTree: (driver) => driver.accelerate.removeTree(at("dir/tree")),
  "removeTree deep": (driver, round) => driver.accelerate.removeTree(at(`dir/m${round % 7}`)),
  clone: async (driver) => {
    await driver.accelerate.clone(at("dir/deep"), at("copied"));
    const copied = [...driver.accelerate.walk(at("copied"), () => true)];
    const texts = copied.map((entry) => `${entry.path} ${textOf(entry.load(1_000)) ?? ""}`);
    await driver.accelerate.removeTree(at("copied"));
    return texts;
  },
  walk: (driver) =>
    [...driver.accelerate.walk(at(""), () => true)].map(
      (entry) => `${entry.path} ${Buffer.from(entry.peek(1_000) ?? []).toString()}`,
    ),
  openRead: (driver) => {
    const reader = driver.accelerate.openRead(at("dir/secret.txt"));
    try {
      return Buffer.from(reader.read(0, reader.sizeBytes) as Uint8Array).toString();
    } finally {
      reader.close();
    }
  },
  openWrite: async (driver) => {
    const writer = await driver.accelerate.openWrite(at("dir/deep/streamed.txt"), "overwrite");
    try {
      writer.write(bytes("s"));
      await writer.commit();
    } finally {
      writer.abort();
    }
  },
};

/** Slow operations run less often, but each of them runs. */
const RARE = ["walk", "clone", "removeTree deep", "openWrite", "usage"];
const COMMON_TURNS = Object.entries(STEPS).filter(([name]) => !RARE.includes(name));
const ALL_TURNS = Object.entries(STEPS);

const EXPECTED_CODES = ["ENOENT", "EACCES", "EEXIST", "ENOTDIR", "ESTALE", "EISDIR"];

it(`${OPERATIONS.toLocaleString("en")} raced operations stay inside, while a naive check loses (A36, A37, A38, A39, TM-3)`, async () => {
  const { driver, root, outside } = await hostFixture({}, QUICK_PLACE);
  furnish(root, outside);
  const before = manifest(outside);
  const attacker = await startSwapper(root, outside);

  const lost = raceNaively(root, Math.max(OPERATIONS / 5, 20_000));
  const tally = await race(driver, OPERATIONS);

  attacker.kill("SIGKILL");
  const summary = Object.entries(tally.codes).map(([code, count]) => `${code} ${count}`);
  console.log(
    `race: ${tally.done} operations, ${tally.links} met a link, ${tally.escapes.length} escapes; ` +
      `${summary.join(", ")}; ${Math.round(tally.elapsedMs)} ms; naive control lost ${lost.escapes} of ${lost.tries}`,
  );
  expect(tally.escapes).toEqual([]);
  expect(manifest(outside)).toEqual(before);
  expect(tally.done).toBe(OPERATIONS);
  expect(Object.keys(tally.codes).filter((code) => !EXPECTED_CODES.includes(code))).toEqual([]);
  // Otherwise there was no race, and the test proves nothing.
  expect(lost.escapes).toBeGreaterThan(0);
  expect(tally.links).toBeGreaterThan(0);
  const leftovers = execFileSync("find", [root, outside, "-name", ".wink-tmp-*"], {
    encoding: "utf8",
  });
  expect(leftovers).toBe("");
}, 1_800_000);

/** Uses the same names inside and outside, so that an escape would find files. */
function furnish(root: string, outside: string): void {
  for (const directory of ["dir", "dir/deep", "dir/tree"]) mkdirSync(join(root, directory));
  for (const directory of ["deep", "tree", "tree/branch", "m0", "m1"])
    mkdirSync(join(outside, directory));
  const shared = ["secret.txt", "leaf.txt", "deep/secret.txt", "deep/a.txt"];
  for (const name of [...shared, "only-outside.txt", "deep/only-outside.txt", "tree/branch/leaf"])
    writeFileSync(join(outside, name), SECRET);
  for (const name of [...shared, "tree/leaf"]) writeFileSync(join(root, "dir", name), "inside");
  writeFileSync(join(root, "leaf.txt"), "inside");
}

async function startSwapper(root: string, outside: string): Promise<ChildProcess> {
  const child = spawn(process.execPath, ["-e", SWAPPER, root, outside], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  await new Promise((resolve) => child.stdout.once("data", resolve));
  return child;
}

/** The wrong way: check that the path is inside, and open it afterwards. */
function raceNaively(root: string, tries: number): { escapes: number; tries: number } {
  let escapes = 0;
  for (let round = 0; round < tries; round++) {
    try {
      const path = join(root, "dir/secret.txt");
      if (!realpathSync.native(path).startsWith(root + sep)) continue;
      if (readFileSync(path, "utf8").includes(SECRET)) escapes++;
    } catch {}
  }
  return { escapes, tries };
}

interface Tally {
  done: number;
  links: number;
  elapsedMs: number;
  readonly escapes: string[];
  readonly codes: Record<string, number>;
}

async function race(driver: HostDriver, operations: number): Promise<Tally> {
  const tally: Tally = { done: 0, links: 0, elapsedMs: 0, escapes: [], codes: {} };
  const startedAtMs = performance.now();
  for (let round = 0; tally.done < operations; round++) {
    const turns = round % 50 === 0 ? ALL_TURNS : COMMON_TURNS;
    for (const [name, step] of turns.slice(0, operations - tally.done)) {
      await attempt(tally, name, () => step(driver, round));
    }
    // The test runner would report a timeout if the thread were blocked for minutes.
    if (round % 50 === 0) await turn();
  }
  tally.elapsedMs = performance.now() - startedAtMs;
  return tally;
}

async function attempt(tally: Tally, name: string, body: () => unknown): Promise<void> {
  tally.done++;
  try {
    const pending = body();
    const seen = pending instanceof Promise ? await pending : pending;
    if (seen === undefined) return;
    const shown = JSON.stringify(seen);
    if (shown.includes(SECRET) || shown.includes("only-outside")) tally.escapes.push(name);
    if (name.startsWith("stat")) tally.escapes.push(name);
  } catch (error) {
    if (!isFilesystemError(error)) throw error;
    tally.codes[error.code] = (tally.codes[error.code] ?? 0) + 1;
    if (error.message.includes("symbolic link")) tally.links++;
    if (error.message.includes(SECRET)) tally.escapes.push(name);
  }
}
