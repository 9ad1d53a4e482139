import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { scratchDirectory } from "../snapshots/tree-fixture.test.support.js";
import { mergeText } from "./merge-text.js";

const BASE = "1\n2\n3\n4\n5\n6\n7\n8\n9\n";

it.each<{ what: string; base?: string; ours: string; theirs: string; merged: string | undefined }>([
  {
    what: "changes in different places",
    ours: BASE.replace("2", "two"),
    theirs: BASE.replace("8", "eight"),
    merged: "1\ntwo\n3\n4\n5\n6\n7\neight\n9\n",
  },
  {
    what: "the same change twice",
    ours: BASE.replace("5", "x"),
    theirs: BASE.replace("5", "x"),
    merged: BASE.replace("5", "x"),
  },
  {
    what: "different changes of one line as a conflict",
    ours: BASE.replace("5", "x"),
    theirs: BASE.replace("5", "y"),
    merged: undefined,
  },
  {
    what: "changes of neighbouring lines as a conflict",
    ours: BASE.replace("5", "x"),
    theirs: BASE.replace("6", "y"),
    merged: undefined,
  },
  {
    what: "different lines added at one place as a conflict",
    ours: `${BASE}a\n`,
    theirs: `${BASE}b\n`,
    merged: undefined,
  },
  {
    what: "the same lines added at one place",
    ours: `${BASE}a\n`,
    theirs: `${BASE}a\n`,
    merged: `${BASE}a\n`,
  },
  {
    what: "an addition at the start and a removal at the end",
    ours: `0\n${BASE}`,
    theirs: BASE.replace("9\n", ""),
    merged: `0\n${BASE.replace("9\n", "")}`,
  },
  {
    what: "a lost final newline",
    ours: BASE.slice(0, -1),
    theirs: BASE.replace("1", "one"),
    merged: BASE.replace("1", "one").slice(0, -1),
  },
  {
    what: "one side untouched",
    ours: BASE,
    theirs: "something else\n",
    merged: "something else\n",
  },
  {
    what: "everything removed and something changed as a conflict",
    ours: "",
    theirs: BASE.replace("5", "x"),
    merged: undefined,
  },
])("merges $what", async ({ base = BASE, ours, theirs, merged }) => {
  expect(await mergeText(base, ours, theirs)).toBe(merged);
  expect(await mergeText(base, theirs, ours)).toBe(merged);
});

it("mergeText agrees with git on texts whose lines are all different", async () => {
  const directory = scratchDirectory();
  let state = 7;
  const random = (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const lines = Array.from({ length: 30 }, (_, index) => `line ${index}\n`);
  const edit = () => {
    const edited = [...lines];
    for (let count = random(4); count >= 0; count--) {
      const at = random(30);
      edited[at] = ["", `edit ${random(3)}\n`, `${lines[at]}new ${random(3)}\n`][random(3)] ?? "";
    }
    return edited.join("");
  };
  for (let round = 0; round < 150; round++) {
    const texts = { ours: edit(), base: lines.join(""), theirs: edit() };
    for (const [name, text] of Object.entries(texts)) writeFileSync(join(directory, name), text);
    const { status, stdout } = spawnSync("git", ["merge-file", "-p", "ours", "base", "theirs"], {
      cwd: directory,
      encoding: "utf8",
    });
    expect(await mergeText(texts.base, texts.ours, texts.theirs)).toBe(
      status === 0 ? stdout : undefined,
    );
  }
});
