import { mkdirSync, readdirSync, readlinkSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import type { HostRoot } from "../containment/host-root.js";
import { openHostRoot } from "../containment/open-host-root.js";
import { makePlaces, QUICK_PLACE, skipWithReason } from "./host-fixture.test.setup.js";
import { LookAhead } from "./look-ahead.js";
import { QUICK_BYTES } from "./quick-look.js";

/** Reading this many entries takes long enough to find the thread busy. */
const MANY = 60_000;
/** On a busy machine the thread may finish between two lines of a test, so the test is repeated. */
const MAX_TRIES = 50;

const needle = (text: string) => ({ text, maxBytes: 1_000 });

/** A tree whose last directory is large and nested. The thread starts there. */
function setup(skip: (note: string) => never) {
  const { root: path } = makePlaces(QUICK_PLACE);
  const large = join(path, "z/z/large");
  mkdirSync(large, { recursive: true });
  // Links are the fastest to create and to read.
  for (let index = 0; index < MANY; index++) symlinkSync("nowhere", join(large, `${index}`));
  mkdirSync(join(path, "a"));
  writeFileSync(join(path, "a/alpha"), "alpha");
  writeFileSync(join(path, "a/beta"), "beta");
  const root = openHostRoot(path);
  onTestFinished(() => root.close());
  return { root, large, ahead: () => start(root, skip) };
}

function start(root: HostRoot, skip: (note: string) => never): LookAhead {
  const ahead = LookAhead.where(root, QUICK_BYTES);
  if (ahead === undefined) skipWithReason(skip, "a second thread needs a second processor");
  onTestFinished(() => ahead.close());
  return ahead;
}

/** The directories at or below `place` that this process has open, on any thread. */
function openBelow(place: string): string[] {
  return readdirSync("/proc/self/fd").flatMap((fd) => {
    try {
      const path = readlinkSync(`/proc/self/fd/${fd}`);
      return path === place || path.startsWith(`${place}/`) ? [path] : [];
    } catch {
      // It was closed in the meantime. The descriptor of this listing always is.
      return [];
    }
  });
}

/**
 * The thread's base directory must stay open until the thread is done. So one descriptor is open besides the root's
 * own.
 */
function countBases({ path }: HostRoot): number {
  const count = openBelow(path).filter((open) => open === path).length - 1;
  expect(count).toBe(1);
  return count;
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve));
}

it("a search ends without waiting for the thread, and the next one starts when the thread is done (B71, TM-6)", async ({
  skip,
}) => {
  const { root, large, ...given } = setup(skip);
  const ahead = given.ahead();
  let stayed = 0;
  for (let time = 0; time < MAX_TRIES && stayed < 3; time++) {
    expect(ahead.begin(root.directory, needle("alpha"))).toBe(true);
    await until(() => openBelow(large).length > 0);
    ahead.end();
    // If the thread is still busy, `end` did not wait for it.
    if (ahead.begin(root.directory, needle("alpha"))) ahead.end();
    else stayed += countBases(root);
    // The descriptors of a search are closed automatically. Only the root's own stays open.
    await until(() => openBelow(root.path).length === 1);
  }
  expect(stayed).toBeGreaterThan(0);
});

it("a search gets no results of the previous search (FS-43)", async ({ skip }) => {
  const { root, large, ...given } = setup(skip);
  const ahead = given.ahead();
  for (let time = 0; time < 9; time++) {
    const [wanted, other] = time % 2 === 0 ? ["alpha", "beta"] : ["beta", "alpha"];
    await until(() => ahead.begin(root.directory, needle(other ?? "")));
    // Some searches end immediately, some in the middle, and some after the thread has finished but before its
    // results were read.
    if (time % 3 > 0) await until(() => openBelow(large).length > 0);
    if (time % 3 > 1) await until(() => openBelow(root.path).length === 2);
    ahead.end();
    await until(() => ahead.begin(root.directory, needle(wanted ?? "")));
    await until(() => ahead.leftIn("a/") !== undefined);
    expect(ahead.leftIn("a/")).toEqual([{ name: wanted, kind: "file" }]);
    ahead.end();
  }
});

it("closing in the middle of a directory closes all descriptors of the thread (K255)", async ({
  skip,
}) => {
  const { root, large, ...given } = setup(skip);
  let stayed = 0;
  for (let time = 0; time < MAX_TRIES && stayed < 3; time++) {
    const ahead = given.ahead();
    expect(ahead.begin(root.directory, needle("alpha"))).toBe(true);
    await until(() => openBelow(large).length > 0);
    ahead.close();
    if (openBelow(large).length > 0) stayed += countBases(root);
    expect(ahead.begin(root.directory, needle("alpha"))).toBe(false);
    expect(ahead.leftIn("a/")).toBeUndefined();
    await until(() => openBelow(root.path).length === 1);
  }
  expect(stayed).toBeGreaterThan(0);
});

it("a thread that does not finish is terminated, and its descriptors are closed when it ends (K255, TM-6)", async ({
  skip,
}) => {
  const { root, large, ...given } = setup(skip);
  onTestFinished(() => void vi.useRealTimers());
  let isGivenUp = false;
  for (let time = 0; time < MAX_TRIES && !isGivenUp; time++) {
    const ahead = given.ahead();
    expect(ahead.begin(root.directory, needle("alpha"))).toBe(true);
    await until(() => openBelow(large).length > 0);
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
    ahead.end();
    vi.advanceTimersByTime(10_000);
    vi.useRealTimers();
    await until(() => openBelow(root.path).length === 1);
    isGivenUp = !ahead.begin(root.directory, needle("alpha"));
    ahead.end();
  }
  expect(isGivenUp).toBe(true);
});
