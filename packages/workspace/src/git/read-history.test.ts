import { appendFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { scratchDirectory } from "../mount/tree-fixture.test.support.js";
import { readHistory } from "./read-history.js";
import { git, makeRepository } from "./repositories.test.support.js";

it("readHistory has branch, recent commits, frequent files and authors", async () => {
  const { directory } = makeRepository("plain");
  for (const number of [1, 2, 3]) {
    appendFileSync(join(directory, "src/a.txt"), `${number}\n`);
    git(directory, "commit", "-qm", `change\t${number}`, "src/a.txt");
  }
  const history = await readHistory(directory);
  expect(history?.branch).toBe("main");
  expect(history?.recentCommits.map(({ subject, author }) => `${author}: ${subject}`)).toEqual([
    "Ada: change 3",
    "Ada: change 2",
    "Ada: change 1",
    "Ada: first",
  ]);
  expect(history?.recentCommits[0]?.commitId).toBe(git(directory, "rev-parse", "HEAD"));
  expect(history?.frequentFiles).toEqual([{ path: "src/a.txt", commitCount: 4 }]);
  expect(history?.authors).toEqual([{ name: "Ada", commitCount: 4 }]);
  expect((await readHistory(join(directory, "src")))?.frequentFiles).toEqual([
    { path: "a.txt", commitCount: 4 },
  ]);
});

it("readHistory of a repository without commits is empty, and undefined outside of a repository", async () => {
  const { directory } = makeRepository("unborn HEAD");
  expect(await readHistory(directory)).toEqual({
    branch: "main",
    recentCommits: [],
    frequentFiles: [],
    authors: [],
  });
  const outside = scratchDirectory();
  writeFileSync(join(outside, "a.txt"), "a\n");
  expect(await readHistory(outside)).toBeUndefined();
});
