import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import { makeScratchFolder } from "../scratch-folder.js";
import { runVitest } from "./vitest.js";

it("the test command fails when a file fails once and would pass on a retry", async () => {
  await using folder = await makeScratchFolder("flaky");
  const runs = path.join(folder.path, "runs");
  await writeFile(
    path.join(folder.path, "flaky.test.ts"),
    `import { appendFileSync, readFileSync } from "node:fs";
     import { expect, it } from "vitest";
     it("passes", () => {});
     it("passes at the second try", () => {
       appendFileSync(${JSON.stringify(runs)}, "x");
       expect(readFileSync(${JSON.stringify(runs)}, "utf8")).toBe("xx");
     });`,
  );
  const progress: string[] = [];
  const outcome = await runVitest([`--root=${folder.path}`], (text) => progress.push(text));

  expect(outcome).toMatchObject({ passed: 1, failed: 1, skipped: 0 });
  expect(outcome.failures.join("\n")).toContain("passes at the second try");
  expect(await readFile(runs, "utf8")).toBe("x");
  expect(progress.at(0)).toBe("0/1 files, 0 tests, 0 failed");
  expect(progress.at(-1)).toBe("1/1 files, 2 tests, 1 failed");
});

it("the test command names a reason for skipped tests once, with their number", async () => {
  await using folder = await makeScratchFolder("skipped");
  await writeFile(
    path.join(folder.path, "skipped.test.ts"),
    `import { it } from "vitest";
     console.log("skipped: links: are copied: no links here");
     console.log("skipped: links: are moved: no links here");
     console.log("skipped: no git here");
     it.skip("links: are copied", () => {});
     it.skip("links: are moved", () => {});
     it.skip("git", () => {});`,
  );
  const { notes } = await runVitest([`--root=${folder.path}`], () => {});
  expect(notes).toEqual(["skipped: 2 tests: no links here", "skipped: no git here"]);
});

it("the test command ends a file that hangs, and names it and the tests that failed", async () => {
  await using folder = await makeScratchFolder("hangs");
  await writeFile(
    path.join(folder.path, "hangs.test.ts"),
    `import { expect, it } from "vitest";
     it("fails first", () => expect(1).toBe(2));
     it("never ends", () => new Promise(() => {}), 1_000_000);`,
  );
  const outcome = await runVitest([`--root=${folder.path}`], () => {}, { silenceMs: 15_000 });

  expect(outcome).toMatchObject({ passed: 0, failed: 2 });
  expect(outcome.failures.join("\n")).toContain("hangs.test.ts > fails first\n");
  expect(outcome.failures.join("\n")).toContain("hangs.test.ts did not end.");
});
