import { spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { createFilesystem } from "../../backend/create-filesystem.js";
import { hostFixture, QUICK_PLACE, SECRET } from "./host-fixture.test.setup.js";

const FILES = 4_000;
const PER_DIRECTORY = 200;

function writeFiles(root: string, content: (index: number) => string | Uint8Array): void {
  for (let index = 0; index < FILES; index++) {
    const directory = join(root, `d${Math.floor(index / PER_DIRECTORY)}`);
    if (index % PER_DIRECTORY === 0) mkdirSync(directory);
    writeFileSync(join(directory, `${index}.txt`), content(index));
  }
}

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
