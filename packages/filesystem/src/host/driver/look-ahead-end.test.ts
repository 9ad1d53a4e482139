import { mkdirSync, readdirSync, readlinkSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import type { HostRoot } from "../containment/host-root.js";
import { openHostRoot } from "../containment/open-host-root.js";
import { makePlaces, QUICK_PLACE, skipWithReason } from "./host-fixture.test.setup.js";
import { LookAhead } from "./look-ahead.js";
import { QUICK_BYTES } from "./quick-look.js";

/** Reading this many entries takes so long that the thread is found at it. */
const MANY = 60_000;
/** A machine that is busy elsewhere may let the thread get through between two lines of a test. */
const MOST_TRIES = 50;

const needle = (text: string) => ({ text, maxBytes: 1_000 });

/** A tree whose last directory is large and some levels down. The thread starts there. */
function setup(skip: (note: string) => never) {
  const { root: path } = makePlaces(QUICK_PLACE);
  const large = join(path, "z/z/large");
  mkdirSync(large, { recursive: true });
  // Links take the least time to make, and to read.
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
  if (ahead === undefined) skipWithReason(skip, "a second thread takes a second processor");
  onTestFinished(() => ahead.close());
  return ahead;
}

/** The directories at or below `place` that this process has open, on whichever thread. */
function openBelow(place: string): string[] {
  return readdirSync("/proc/self/fd").flatMap((fd) => {
    try {
      const path = readlinkSync(`/proc/self/fd/${fd}`);
      return path === place || path.startsWith(`${place}/`) ? [path] : [];
    } catch {
      // Closed meanwhile; the one that the list itself was read by always is.
      return [];
    }
  });
}

/** What the thread goes out from must not be closed before it is back: one, besides the root's own. */
function countBases({ path }: HostRoot): number {
  const count = openBelow(path).filter((open) => open === path).length - 1;
  expect(count).toBe(1);
  return count;
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve));
}

it("ends a search without waiting for the thread, and begins another when it is back (B71, TM-6)", async ({
  skip,
}) => {
  const { root, large, ...given } = setup(skip);
  const ahead = given.ahead();
  let stayed = 0;
  for (let time = 0; time < MOST_TRIES && stayed < 3; time++) {
    expect(ahead.begin(root.directory, needle("alpha"))).toBe(true);
    await until(() => openBelow(large).length > 0);
    ahead.end();
    // Nobody has waited for it if it is still at it.
    if (ahead.begin(root.directory, needle("alpha"))) ahead.end();
    else stayed += countBases(root);
    // All that is open of a search goes by itself; what stays is the root's own.
    await until(() => openBelow(root.path).length === 1);
  }
  expect(stayed).toBeGreaterThan(0);
});

it("gives a search nothing that was found out for the one before it (FS-43)", async ({ skip }) => {
  const { root, large, ...given } = setup(skip);
  const ahead = given.ahead();
  for (let time = 0; time < 9; time++) {
    const [wanted, other] = time % 2 === 0 ? ["alpha", "beta"] : ["beta", "alpha"];
    await until(() => ahead.begin(root.directory, needle(other ?? "")));
    // Some end at once, some in the middle, and some when it has said all and nobody has listened.
    if (time % 3 > 0) await until(() => openBelow(large).length > 0);
    if (time % 3 > 1) await until(() => openBelow(root.path).length === 2);
    ahead.end();
    await until(() => ahead.begin(root.directory, needle(wanted ?? "")));
    await until(() => ahead.leftIn("a/") !== undefined);
    expect(ahead.leftIn("a/")).toEqual([{ name: wanted, kind: "file" }]);
    ahead.end();
  }
});

it("closes all that the thread has open when it is closed in the middle of a directory (K255)", async ({
  skip,
}) => {
  const { root, large, ...given } = setup(skip);
  let stayed = 0;
  for (let time = 0; time < MOST_TRIES && stayed < 3; time++) {
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

it("gives up a thread that does not come back, and closes what it had open when it does (K255, TM-6)", async ({
  skip,
}) => {
  const { root, large, ...given } = setup(skip);
  onTestFinished(() => void vi.useRealTimers());
  let isGivenUp = false;
  for (let time = 0; time < MOST_TRIES && !isGivenUp; time++) {
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
