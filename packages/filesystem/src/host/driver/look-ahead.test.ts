import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { Random } from "../../testing/differential/random.test.support.js";
import { createFilesystem } from "../../wrap/create-filesystem.js";
import { hostFixture, openDescriptors, QUICK_PLACE, SECRET } from "./host-fixture.test.setup.js";

/** More files than a search reads before it starts a second thread. */
const FILES = 4_000;
const PER_DIRECTORY = 200;

function writeFiles(root: string, content: (index: number) => string | Uint8Array): void {
  for (let index = 0; index < FILES; index++) {
    const directory = join(root, `d${Math.floor(index / PER_DIRECTORY)}`);
    if (index % PER_DIRECTORY === 0) mkdirSync(directory);
    writeFileSync(join(directory, `${index}.txt`), content(index));
  }
}

it("a search on two threads finds and skips the same files as on one (FS-43, FS-47, FS-48)", async () => {
  const { root, driver } = await hostFixture({}, QUICK_PLACE);
  const random = new Random(7);
  writeFiles(root, (index) => {
    const text = `line ${index}\n`.repeat(random.below(20));
    const kind = random.below(40);
    if (kind === 0) return `${text}the needle ${index}`;
    if (kind === 1) return `${text}\0`;
    if (kind === 2) return Uint8Array.of(0xff, 0xfe, 0x61);
    if (kind === 3) return "x".repeat(64 * 1024 - 5 + random.below(10));
    if (kind === 4) return `${"x".repeat(100_000)}\nthe needle ${index}`;
    return text;
  });
  symlinkSync("/etc/passwd", join(root, "d3/link"));
  writeFileSync(Buffer.from(`${root}/d3/odd-\xff.txt`, "latin1"), "the needle, oddly");
  execFileSync("mkfifo", [join(root, "d4/pipe")]);
  for (const directory of ["d5/.git", "d6/empty", `d7${"/deep".repeat(40)}`])
    mkdirSync(join(root, directory), { recursive: true });
  for (let level = 0; level <= 40; level++) {
    const directory = join(root, `d7${"/deep".repeat(level)}`);
    writeFileSync(join(directory, "needle.txt"), `the needle, ${level} deep`);
    writeFileSync(join(directory, "deep-hay.txt"), "hay");
  }
  writeFileSync(join(root, "d5/.git/config"), "the needle of git");
  const fs = createFilesystem(driver);
  // A search with a glob does not use the quick look.
  const carefully = await fs.grep("the needle", { glob: "**" });
  expect(carefully.length).toBeGreaterThan(100);
  expect(carefully.skippedCount).toBeGreaterThan(100);
  await fs.grep("the needle");
  const before = openDescriptors();
  for (let time = 0; time < 5; time++) {
    const found = await fs.grep("the needle");
    expect(found).toEqual(carefully);
    expect([found.skipped, found.skippedCount]).toEqual([
      carefully.skipped,
      carefully.skippedCount,
    ]);
  }
  // Each search opens as many descriptors. The second thread may still be starting and has a few descriptors itself.
  expect(openDescriptors()).toBeLessThan(before + FILES / PER_DIRECTORY);
});

it("a search reveals nothing from outside while files turn into links to the outside (A36, A37)", async () => {
  const { root, outside, driver, expectOutsideUntouched } = await hostFixture({}, QUICK_PLACE);
  writeFiles(root, (index) => `nothing ${index}`);
  // Plain JavaScript, because it runs in a separate process.
  const swapper = spawn(process.execPath, [
    "-e",
    `const fs = require("node:fs");
    const [root, outside] = process.argv.slice(1);
    process.stdout.write("ready");
    for (let round = 0; ; round++) {
      const path = root + "/d" + (round % 20) + "/" + ((round % 20) * 200 + 100 + (round % 90)) + ".txt";
      const other = root + "/d" + ((round + 7) % 20);
      for (const [swapped, target] of [[path, outside + "/secret.txt"], [other, outside]]) {
        fs.renameSync(swapped, root + "/away");
        fs.symlinkSync(target, swapped);
        fs.unlinkSync(swapped);
        fs.renameSync(root + "/away", swapped);
      }
    }`,
    root,
    outside,
  ]);
  onTestFinished(() => void swapper.kill("SIGKILL"));
  await new Promise((resolve) => swapper.stdout.once("data", resolve));
  const fs = createFilesystem(driver);
  let looked = 0;
  for (let time = 0; time < 30; time++) {
    expect(await fs.grep(SECRET)).toHaveLength(0);
    looked += (await fs.grep("nothing", { maxMatches: 10 })).length;
  }
  expect(looked).toBe(300);
  swapper.kill("SIGKILL");
  expectOutsideUntouched();
});

it("several searches can run concurrently, and the filesystem can be closed during a search (FS-71)", async () => {
  const { root, driver } = await hostFixture({}, QUICK_PLACE);
  writeFiles(root, (index) => `the ${index === 3_333 ? "needle" : "hay"}`);
  const fs = createFilesystem(driver);
  await fs.grep("nothing to find");
  const searches = ["needle", "needle", "nothing", "needle"].map((text) => fs.grep(text));
  expect((await Promise.all(searches)).map((found) => found.length)).toEqual([1, 1, 0, 1]);
  const last = fs.grep("needle");
  driver.close();
  await expect(last).rejects.toMatchObject({ code: "EBADF" });
});
