import { mkdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { InMemoryFilesystem, paths } from "@wink/filesystem";
import { describe, expect, it } from "vitest";
import { scratchDirectory } from "../mount/tree-fixture.test.support.js";
import { mountHost } from "../workspace/mount-host.js";
import {
  changedFiles,
  fingerprints,
  git,
  hasReftables,
  KINDS,
  makeRepository,
} from "./repositories.test.support.js";

const TOOL = paths.shownName(Buffer.from('tool é"\t.sh'));
const AUTHOR = { name: "Agent", email: "agent@example.com" };

async function mounted(directory: string) {
  const filesystem = new InMemoryFilesystem();
  const options = {
    allowedHostRoots: [directory],
    stateDirectory: join(scratchDirectory(), "state"),
  };
  const workspace = await mountHost(filesystem, [{ hostPath: "." }], options);
  return { filesystem, workspace };
}

const commit = (branch: string) => ({
  branch,
  message: "Change files\n\nBecause.\n",
  author: AUTHOR,
});

describe("changes().commit", () => {
  it.each(Object.keys(KINDS))(
    "changes only its branch and new objects: %s (SN-33)",
    async (kind) => {
      const { directory, place, gitDirectory } = makeRepository(kind);
      const below = kind === "below the top" ? "" : "src/";
      const { filesystem, workspace } = await mounted(directory);
      await filesystem.write(`${below}a.txt`, "one\n2\nthree\n");
      await filesystem.write(`${below}new/${TOOL}`, "#!/bin/sh\n", { executable: true });
      await filesystem.delete(`${below}b.txt`);
      const before = fingerprints(place);

      const report = await workspace.changes().commit(commit("fix/median"));

      expect(changedFiles(before, fingerprints(place), ["refs/heads/fix/median"])).toEqual([]);
      expect(git(directory, "rev-parse", "fix/median")).toBe(report.commitId);
      expect(git(directory, "log", "-1", "--format=%an <%ae> %s", "fix/median")).toBe(
        "Agent <agent@example.com> Change files",
      );
      expect(git(directory, "show", "fix/median:src/a.txt")).toBe("one\n2\nthree");
      expect(git(directory, "ls-tree", "-z", "--full-tree", "fix/median:src/new")).toMatch(
        /^100755 blob .*\ttool é"\t\.sh\0$/,
      );
      if (kind !== "unborn HEAD") {
        expect(
          git(directory, "diff", "--name-status", "--no-renames", "HEAD", "fix/median").split("\n")
            .length,
        ).toBe(3);
        expect(git(directory, "rev-parse", "fix/median^")).toBe(
          git(directory, "rev-parse", "HEAD"),
        );
      }
      git(
        gitDirectory,
        "fsck",
        "--strict",
        "--no-dangling",
        ...(kind === "partial clone" ? ["--connectivity-only"] : []),
      );
    },
  );

  it("works with references in reftables (SN-33)", async ({ skip }) => {
    if (!hasReftables()) {
      console.log("skipped: this git cannot make repositories with reftables");
      skip("this git cannot make repositories with reftables");
    }
    const directory = join(scratchDirectory(), "r");
    mkdirSync(directory);
    git(directory, "init", "-q", "--ref-format=reftable");
    writeFileSync(join(directory, "a.txt"), "a\n");
    git(directory, "add", ".");
    git(directory, "commit", "-qm", "first");
    const { filesystem, workspace } = await mounted(directory);
    await filesystem.write("a.txt", "b\n");
    const { commitId } = await workspace.changes().commit(commit("x"));
    expect(git(directory, "rev-parse", "x")).toBe(commitId);
  });

  it("gives new files and directories the permissions of a shared repository (SN-33)", async () => {
    const { directory, gitDirectory } = makeRepository("shared permissions");
    const { filesystem, workspace } = await mounted(directory);
    await filesystem.write("src/a.txt", "x\n");
    await workspace.changes().commit(commit("fix/shared"));
    expect((statSync(join(gitDirectory, "refs/heads/fix")).mode & 0o2070).toString(8)).toBe("2070");
    expect((statSync(join(gitDirectory, "refs/heads/fix/shared")).mode & 0o060).toString(8)).toBe(
      "60",
    );
  });

  it("commits only the agent's changes, not the user's uncommitted ones (SN-33)", async () => {
    const { directory } = makeRepository("plain");
    writeFileSync(join(directory, "src/a.txt"), "one\ntwo\nthree by the user\n");
    const { filesystem, workspace } = await mounted(directory);
    await filesystem.write("src/a.txt", "one by the agent\ntwo\nthree by the user\n");
    await expect(workspace.changes().commit(commit("x"))).rejects.toMatchObject({
      code: "CONFLICT",
      conflicts: [{ path: "src/a.txt", reason: "changed" }],
      message: "branch 'x': src/a.txt (changed). Nothing was written.",
    });
    const report = await workspace.changes().commit({ ...commit("x"), onConflict: "merge" });
    expect(report.merged).toEqual(["src/a.txt"]);
    expect(git(directory, "show", "x:src/a.txt")).toBe("one by the agent\ntwo\nthree");
  });

  it("adds a second commit to its own branch, and refuses when the branch has moved (SN-33)", async () => {
    const { directory } = makeRepository("plain");
    const { filesystem, workspace } = await mounted(directory);
    await filesystem.write("src/a.txt", "first\n");
    const first = await workspace.changes().commit(commit("x"));
    await filesystem.write("src/a.txt", "second\n");
    await filesystem.write("src/c.txt", "c\n");
    const second = await workspace.changes().commit(commit("x"));
    expect(second).toMatchObject({ written: ["src/a.txt", "src/c.txt"], deleted: [], outside: [] });
    expect(git(directory, "rev-parse", "x^")).toBe(first.commitId);
    expect((await workspace.changes().commit(commit("x"))).commitId).toBeUndefined();

    git(directory, "branch", "-f", "x", "main");
    await filesystem.write("src/a.txt", "third\n");
    await expect(workspace.changes().commit(commit("x"))).rejects.toMatchObject({
      code: "BRANCH_MOVED",
      subject: "branch 'x'",
    });
    expect(git(directory, "rev-parse", "x")).toBe(git(directory, "rev-parse", "main"));
  });

  it.each([
    ["main", "BRANCH_CHECKED_OUT"],
    ["-x", "INVALID_BRANCH"],
    ["a..b", "INVALID_BRANCH"],
    ["@{-1}", "INVALID_BRANCH"],
    ["HEAD", "INVALID_BRANCH"],
    ["", "INVALID_BRANCH"],
    ["x.lock", "INVALID_BRANCH"],
    ["a\nb", "INVALID_BRANCH"],
  ])("refuses the branch %j (SN-33)", async (branch, code) => {
    const { directory, place } = makeRepository("plain");
    const { filesystem, workspace } = await mounted(directory);
    await filesystem.write("src/a.txt", "x\n");
    const before = fingerprints(place);
    await expect(workspace.changes().commit(commit(branch))).rejects.toMatchObject({
      code,
      subject: `branch '${branch}'`,
    });
    expect(changedFiles(before, fingerprints(place), [])).toEqual([]);
  });

  it("outside of a repository is refused with a typed error (SN-33)", async () => {
    const directory = scratchDirectory();
    writeFileSync(join(directory, "a.txt"), "a\n");
    const { filesystem, workspace } = await mounted(directory);
    await filesystem.write("a.txt", "b\n");
    await expect(workspace.changes().commit(commit("x"))).rejects.toMatchObject({
      code: "NOT_A_REPOSITORY",
      message: "repository: The directory is not in a git repository. Create one with git init.",
    });
  });

  it("never commits names that git treats specially, and lists them (SN-33)", async () => {
    const { directory } = makeRepository("plain");
    const filesystem = new InMemoryFilesystem({ allowGit: true });
    const workspace = await mountHost(filesystem, [{ hostPath: "." }], {
      allowedHostRoots: [directory],
      stateDirectory: join(scratchDirectory(), "state"),
    });
    const special = [
      ".git/hooks/x",
      ".GIT/x",
      "a/.git/config",
      "git~1/x",
      ".gitmodules",
      "src/.gitmodules",
      ".g\u200cit/x",
    ];
    for (const path of [...special, ".gitlab-ci.yml", ".github/ci.yml", "src/.gitignore"])
      await filesystem.write(path, "x\n");
    const report = await workspace.changes().commit(commit("x"));
    expect([...report.outside].sort()).toEqual([...special].sort());
    expect([...report.written].sort()).toEqual([
      ".github/ci.yml",
      ".gitlab-ci.yml",
      "src/.gitignore",
    ]);
    git(directory, "fsck", "--strict", "--no-dangling");
  });

  it("does not replace a submodule by files (SN-33)", async () => {
    const { directory } = makeRepository("with a submodule");
    const { filesystem, workspace } = await mounted(directory);
    await filesystem.write("module/src/a.txt", "x\n");
    await expect(workspace.changes().commit(commit("x"))).rejects.toMatchObject({
      conflicts: [{ path: "module/src/a.txt", reason: "blocked" }],
    });
  });
});
