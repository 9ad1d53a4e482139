import { appendFileSync, existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { InMemoryFilesystem } from "@wink/filesystem";
import { expect, it, onTestFinished } from "vitest";
import type { HostMount } from "../mount/host-mount.js";
import { contentsOf } from "../mount/mount-fixture.test.support.js";
import { scratchDirectory } from "../mount/tree-fixture.test.support.js";
import { mountHost } from "../workspace/mount-host.js";
import {
  changedFiles,
  fingerprints,
  git,
  KINDS,
  makeRepository,
} from "./repositories.test.support.js";

async function mounted(directory: string, mount: Partial<HostMount>) {
  const filesystem = new InMemoryFilesystem();
  const options = {
    allowedHostRoots: [directory],
    stateDirectory: join(scratchDirectory(), "state"),
  };
  const workspace = await mountHost(filesystem, [{ hostPath: ".", ...mount }], options);
  return { filesystem, workspace };
}

const BORN = Object.keys(KINDS).filter((kind) => !["unborn HEAD", "partial clone"].includes(kind));

it.each(BORN)(
  "a mount of HEAD has the committed files and reads no work tree: %s (SN-34)",
  async (kind) => {
    const { directory, place } = makeRepository(kind);
    const before = fingerprints(place);
    const { filesystem, workspace } = await mounted(directory, { git: { rev: "HEAD" } });
    const listed = git(directory, "ls-tree", "-r", "--name-only", "HEAD").split("\n");
    const expected = listed.filter((path) => path !== ".gitmodules" && path !== "module");
    expect(
      Object.keys(await contentsOf(filesystem))
        .filter((path) => path !== ".gitmodules")
        .sort(),
    ).toEqual(expected.sort());
    const a = kind === "below the top" ? "a.txt" : "src/a.txt";
    expect((await filesystem.read(a)).content).toBe("one\ntwo\nthree\n");
    expect(changedFiles(before, fingerprints(place), [])).toEqual([]);

    await filesystem.write(a, "changed\n");
    const { commitId } = await workspace.changes().commit({ branch: "x", message: "m" });
    expect(git(directory, "rev-parse", "x^", "x")).toBe(
      `${git(directory, "rev-parse", "HEAD")}\n${commitId}`,
    );
  },
);

it("a mount of an older revision ignores dirty and deleted files, and its filters apply (SN-34)", async () => {
  const { directory } = makeRepository("plain");
  writeFileSync(join(directory, ".env"), "TOKEN=s3cr3t-1\n");
  writeFileSync(join(directory, "big.bin"), "x".repeat(5_000));
  git(directory, "add", "-f", ".");
  git(directory, "commit", "-qm", "more");
  appendFileSync(join(directory, "src/a.txt"), "dirty\n");
  rmSync(join(directory, "src/b.txt"));
  const older = await mounted(directory, { git: { rev: "main~1" } });
  expect(await contentsOf(older.filesystem)).toEqual({
    "README.md": "hello\n",
    "src/a.txt": "one\ntwo\nthree\n",
    "src/b.txt": "b\n",
  });
  const newer = await mounted(directory, {
    git: { rev: "main" },
    excludeGlob: ["src"],
    maxFileBytes: 1_000,
  });
  expect(newer.workspace.report.leftOut.map(({ path, reason }) => `${path} ${reason}`)).toEqual([
    ".env secret",
    "big.bin too-large",
    "src excluded",
  ]);
  await expect(mounted(directory, { git: { rev: "main" }, maxBytes: 100 })).rejects.toMatchObject({
    code: "EFBIG",
  });
});

it.each(["nope", "--all", "-x", "", "HEAD:src", "main\n"])(
  "the revision %j is refused with a typed error (SN-34)",
  async (rev) => {
    const { directory } = makeRepository("plain");
    await expect(mounted(directory, { git: { rev } })).rejects.toMatchObject({
      code: "UNKNOWN_REVISION",
      subject: `revision '${rev}'`,
    });
  },
);

it("a commit after a mount of a revision is refused when the branch does not contain it (SN-33, SN-34)", async () => {
  const { directory } = makeRepository("plain");
  git(directory, "branch", "old");
  git(directory, "commit", "-qm", "second");
  const { filesystem, workspace } = await mounted(directory, { git: { rev: "main" } });
  await filesystem.write("src/a.txt", "x\n");
  await expect(workspace.changes().commit({ branch: "old", message: "m" })).rejects.toMatchObject({
    code: "BRANCH_MOVED",
  });
});

it("a branch that moves while its files are listed does not mix two commits (SN-34)", async () => {
  const { directory } = makeRepository("plain");
  const older = git(directory, "rev-parse", "HEAD");
  writeFileSync(join(directory, "src/a.txt"), "newer\n");
  git(directory, "commit", "-qam", "newer");
  const newer = git(directory, "rev-parse", "HEAD");
  git(directory, "branch", "moving", older);

  const place = scratchDirectory();
  const moved = join(place, "moved");
  const path = process.env["PATH"];
  onTestFinished(() => {
    process.env["PATH"] = path;
  });
  // The branch moves right after it was listed for the first time.
  const script = `#!/bin/sh
PATH='${path}' git "$@"; code=$?
case "$*" in *ls-tree*) [ -e '${moved}' ] || PATH='${path}' git update-ref refs/heads/moving ${newer}; : > '${moved}';; esac
exit $code
`;
  writeFileSync(join(place, "git"), script, { mode: 0o755 });
  process.env["PATH"] = `${place}:${path}`;
  const { filesystem, workspace } = await mounted(directory, { git: { rev: "moving" } });
  expect(existsSync(moved)).toBe(true);
  expect((await filesystem.read("src/a.txt")).content).toBe("newer\n");
  await filesystem.write("src/a.txt", "changed\n");
  await workspace.changes().commit({ branch: "x", message: "m" });
  expect(git(directory, "rev-parse", "x^")).toBe(newer);
});

it("a revision has the exact bytes of files of all sizes, also with left out ones between (SN-34)", async () => {
  const { directory } = makeRepository("plain");
  const sizes = [0, 1, 65_480, 65_535, 65_536, 65_537, 131_000, 300_000];
  const expected = new Map<string, string>();
  for (let index = 0; index < 160; index++) {
    const size =
      index % 3 === 0 ? (sizes[(index / 3) % sizes.length] ?? 0) : (index * 7_919) % 9_000;
    // Each file is another object, and its bytes look like the lines between objects.
    const content = `${index} blob 12\n`.repeat(size / 8 + 1).slice(0, size);
    writeFileSync(join(directory, `file-${index}`), content);
    if (size <= 200_000) expected.set(`file-${index}`, content);
  }
  git(directory, "add", ".");
  git(directory, "commit", "-qm", "sizes");
  const { filesystem } = await mounted(directory, { git: { rev: "HEAD" }, maxFileBytes: 200_000 });
  const found = await contentsOf(filesystem);
  for (const [path, content] of expected) expect(found[path] === content, path).toBe(true);
  expect(Object.keys(found).filter((path) => path.startsWith("file-"))).toHaveLength(expected.size);
});
