import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, it } from "vitest";
import { QUICK_PLACE, skipWithReason } from "../driver/host-fixture.test.setup.js";
import { unseenChangeMs } from "../driver/unseen-changes.js";
import { HostFilesystem } from "../open/host-filesystem.js";
import { afterwards, scratch } from "./store-fixture.test.support.js";

/** Maps a file and writes each line that it reads to the mapping. */
const MAPPER = `
import mmap, sys
with open(sys.argv[1], "r+b") as file:
    mapped = mmap.mmap(file.fileno(), 0)
    print("ready", flush=True)
    for line in sys.stdin:
        text = line.strip().encode()
        mapped[0:len(text)] = text
        print("written", flush=True)
`;

const hasPython = spawnSync("python3", ["--version"]).status === 0;

/** Starts a program that writes through a mapping. The returned function resolves after a write. */
async function mapFile(path: string): Promise<(text: string) => Promise<void>> {
  const child: ChildProcess = spawn("python3", ["-c", MAPPER, path], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  afterwards(() => void child.kill());
  const { stdin, stdout } = child;
  if (stdin === null || stdout === null) throw new Error("The program has no pipes.");
  const answers = createInterface({ input: stdout })[Symbol.asyncIterator]();
  await answers.next();
  return async (text) => {
    stdin.write(`${text}\n`);
    await answers.next();
  };
}

it.each([
  ["on a disk", tmpdir()],
  ["in memory", QUICK_PLACE],
])(
  "a write through a mapping %s is detected by stat, diff and restore (SN-2, SN-28, FS-21, D119)",
  async (_where, place) => {
    if (!hasPython) return skipped();
    const workspace = scratch(place);
    const path = join(workspace, "file");
    writeFileSync(path, "0 before the mapping");
    await using fs = await HostFilesystem.open(workspace, { fsync: false });
    const write = await mapFile(path);
    // From here on the page is dirty, and the file's times no longer change.
    await write("1");
    // A file that changed within a tick of the clock would be read again in any case.
    while (Date.now() - statSync(path).ctimeMs < 100)
      await new Promise((resolve) => setTimeout(resolve, 10));
    const { revision } = await fs.stat("file");
    const snapshot = await fs.snapshot();
    await write("2");
    expect(readFileSync(path, "utf8")).toBe("2 before the mapping");
    expect((await fs.stat("file")).revision).not.toBe(revision);
    expect((await fs.diff(snapshot)).files).toMatchObject([{ path: "file", type: "modified" }]);
    await write("3");
    await fs.restore(snapshot);
    expect(readFileSync(path, "utf8")).toBe("1 before the mapping");
  },
);

it("a stat is trusted after one clock tick if no other program writes (SN-28)", () => {
  const place = scratch();
  expect(unseenChangeMs(place, { otherWriters: "none" })).toBe(50);
  expect(unseenChangeMs(place, {})).toBeGreaterThan(10_000);
});

it("a stat on a filesystem in memory is never trusted (SN-28)", ({ skip }) => {
  if (QUICK_PLACE !== "/dev/shm") skipWithReason(skip, "there is no /dev/shm here");
  expect(unseenChangeMs(QUICK_PLACE, {})).toBe(Number.POSITIVE_INFINITY);
});

function skipped(): void {
  console.log("skipped: a write through a mapping: python3 is not installed");
}
