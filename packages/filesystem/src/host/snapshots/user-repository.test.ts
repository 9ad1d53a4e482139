import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { hostileSurroundings } from "./hostile-surroundings.test.support.js";
import {
  afterwards,
  manifest,
  putFile,
  SYSTEM_PATH,
  scratch,
} from "./store-fixture.test.support.js";
import { openRepositorySnapshots, type RepositorySnapshots } from "./user-repository.js";

beforeAll(hostileSurroundings);

const ENVIRONMENT = {
  PATH: SYSTEM_PATH,
  HOME: "/nonexistent",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_AUTHOR_NAME: "a",
  GIT_AUTHOR_EMAIL: "a@b",
  GIT_COMMITTER_NAME: "a",
  GIT_COMMITTER_EMAIL: "a@b",
};

function git(directory: string, ...args: string[]): string {
  return execFileSync("git", ["-c", "protocol.file.allow=always", ...args], {
    cwd: directory,
    encoding: "utf8",
    env: ENVIRONMENT,
    stdio: ["ignore", "pipe", "pipe"],
  });
}

function repository(...initOptions: string[]): string {
  const directory = join(scratch(), "repository");
  mkdirSync(directory);
  git(directory, "init", "-q", "-b", "main", ...initOptions);
  putFile(join(directory, "a.txt"), "one\n");
  putFile(join(directory, ".gitignore"), "*.log\n");
  putFile(join(directory, "src/deep/b.txt"), "two\n");
  git(directory, "add", "-A");
  git(directory, "commit", "-qm", "first");
  return directory;
}

interface Shape {
  readonly shape: string;
  /** Creates the repository and returns its working tree. */
  readonly make: () => string;
}

const shapes: readonly Shape[] = [
  { shape: "plain", make: () => repository() },
  { shape: "sha256", make: () => repository("--object-format=sha256") },
  {
    shape: "unborn HEAD",
    make() {
      const directory = join(scratch(), "repository");
      mkdirSync(directory);
      git(directory, "init", "-q");
      putFile(join(directory, "a.txt"), "one\n");
      return directory;
    },
  },
  {
    shape: "linked working tree",
    make() {
      const directory = repository();
      git(directory, "worktree", "add", "-q", "../linked", "-b", "linked");
      return join(directory, "../linked");
    },
  },
  {
    shape: "in the middle of a merge",
    make() {
      const directory = repository();
      git(directory, "checkout", "-qb", "other");
      putFile(join(directory, "a.txt"), "theirs\n");
      git(directory, "commit", "-qam", "theirs");
      git(directory, "checkout", "-q", "main");
      putFile(join(directory, "a.txt"), "ours\n");
      git(directory, "commit", "-qam", "ours");
      expect(() => git(directory, "merge", "other")).toThrow();
      return directory;
    },
  },
  {
    shape: "with a submodule",
    make() {
      const inner = repository();
      const directory = repository();
      git(directory, "submodule", "--quiet", "add", inner, "sub");
      git(directory, "commit", "-qm", "sub");
      return directory;
    },
  },
  {
    shape: "shallow clone",
    make() {
      const origin = repository();
      putFile(join(origin, "a.txt"), "more\n");
      git(origin, "commit", "-qam", "second");
      const directory = join(scratch(), "clone");
      git(origin, "clone", "-q", "--depth=1", `file://${origin}`, directory);
      return directory;
    },
  },
  {
    shape: "with alternates",
    make() {
      const origin = repository();
      const directory = join(scratch(), "clone");
      git(origin, "clone", "-q", "--shared", origin, directory);
      return directory;
    },
  },
  {
    shape: "detached, with a stash and an index lock held",
    make() {
      const directory = repository();
      putFile(join(directory, "a.txt"), "stashed\n");
      git(directory, "stash");
      git(directory, "checkout", "-q", "--detach");
      putFile(join(directory, "staged.txt"), "staged\n");
      git(directory, "add", "staged.txt");
      putFile(join(directory, ".git/index.lock"), "");
      return directory;
    },
  },
];

/** All files of a repository except objects, the references of WINK and its other files. */
function gitState(workTree: string): readonly string[] {
  const common = git(workTree, "rev-parse", "--path-format=absolute", "--git-common-dir").trim();
  return manifest(common).filter(
    (line) => !/^[dfx] \/(?:worktrees\/[^/]+\/)?(?:objects|wink|refs\/sandbox)\b/.test(line),
  );
}

function files(workTree: string): readonly string[] {
  return manifest(workTree).filter((line) => !/^. \/\.git(?:[/ ]|$)/.test(line));
}

async function open(directory: string): Promise<RepositorySnapshots> {
  const snapshots = await openRepositorySnapshots(directory, { fsync: false });
  afterwards(() => void snapshots.close());
  return snapshots;
}

describe("snapshots in the user's own repository", () => {
  it.each(shapes)(
    "change nothing else in the repository: $shape (D135, SN-19)",
    async ({ make }) => {
      const workTree = make();
      putFile(join(workTree, "ignored.log"), "kept\n");
      const before = gitState(workTree);
      const start = files(workTree);
      const snapshots = await open(workTree);

      await snapshots.create("before", { description: "before the change" });
      putFile(join(workTree, "a.txt"), "changed\r\n");
      putFile(join(workTree, "new/file"), "1");
      rmSync(join(workTree, "ignored.log"));
      const changed = files(workTree);
      await snapshots.create("after");
      expect(
        (await snapshots.diff("before")).files.map(({ type, path }) => `${type} ${path}`),
      ).toEqual(["modified a.txt", "deleted ignored.log", "added new/file"]);
      await snapshots.restore("before");
      expect(files(workTree)).toEqual(start);
      await snapshots.restore("after");
      expect(files(workTree)).toEqual(changed);
      expect((await snapshots.list()).map(({ name, description }) => [name, description])).toEqual([
        ["after", ""],
        ["before", "before the change"],
      ]);
      expect(gitState(workTree)).toEqual(before);
      expect(
        git(workTree, "log", "-1", "--format=%s", "refs/sandbox/snapshots/before").trim(),
      ).toBe("before the change");
      git(workTree, "fsck", "--strict", "--no-dangling");
      await snapshots.delete("before");
      expect(git(workTree, "for-each-ref", "--format=%(refname)", "refs/sandbox").trim()).toBe(
        "refs/sandbox/snapshots/after",
      );
      expect(gitState(workTree)).toEqual(before);
    },
  );

  it("survive the user's garbage collection, as deltas and packed references (D126)", async () => {
    const workTree = repository();
    const snapshots = await open(workTree);
    const lines = Array.from({ length: 2_000 }, (_, index) => `line ${index}`);
    for (const version of [1, 2, 3]) {
      putFile(join(workTree, "large.txt"), [...lines, `version ${version}`].join("\n"));
      await snapshots.create(`v${version}`);
    }
    git(workTree, "gc", "-q", "--aggressive", "--prune=now");
    const packed = readFileSync(join(workTree, ".git/packed-refs"), "utf8");
    expect(packed).toContain("refs/sandbox/snapshots/v1");
    const later = await open(workTree);
    for (const version of [1, 3, 2]) {
      await later.restore(`v${version}`);
      expect(readFileSync(join(workTree, "large.txt"), "utf8")).toContain(`version ${version}`);
    }
    await later.delete("v2");
    expect((await later.list()).map(({ name }) => name)).toEqual(["v3", "v1"]);
    const withoutV2 = packed.split("\n").filter((line) => !line.endsWith("/v2"));
    expect(readFileSync(join(workTree, ".git/packed-refs"), "utf8")).toBe(withoutV2.join("\n"));
  });

  it.each([
    { kind: "a bare repository", args: ["--bare"], reason: /bare/ },
    { kind: "a directory without a repository", args: undefined, reason: /not a git repository/ },
    {
      kind: "references in reftables",
      args: [],
      config: "extensions.refStorage=reftable",
      reason: /tables/,
    },
    { kind: "an unknown extension", args: [], config: "extensions.future=true", reason: /future/ },
  ])("are refused for $kind (D135)", async ({ args, config, reason }) => {
    const directory = scratch();
    if (args !== undefined) git(directory, "init", "-q", ...args);
    if (config !== undefined) {
      const [key, value] = config.split("=") as [string, string];
      writeFileSync(
        join(directory, ".git/config"),
        `[core]\n\trepositoryformatversion = 1\n[extensions]\n\t${key.split(".")[1]} = ${value}\n`,
      );
    }
    await expect(openRepositorySnapshots(directory)).rejects.toMatchObject({
      code: "INVALID_STORE",
      message: expect.stringMatching(reason),
    });
  });

  it.each(["", ".x", "a/b", "-x", "a..b", "x.lock", "a@{1}", "x.", "ü", "a b", "x".repeat(300)])(
    "refuse the name %j (D134)",
    async (name) => {
      const snapshots = await open(repository());
      for (const call of ["create", "restore", "diff", "delete"] as const)
        await expect(snapshots[call](name)).rejects.toMatchObject({ code: "INVALID_NAME" });
    },
  );

  it("do not include those of another working tree (D133)", async () => {
    const directory = repository();
    git(directory, "worktree", "add", "-q", "../linked", "-b", "linked");
    await (await open(directory)).create("mine");
    const linked = await open(join(directory, "../linked"));
    expect(await linked.list()).toEqual([]);
    await expect(linked.restore("mine")).rejects.toMatchObject({ code: "FOREIGN_SNAPSHOT" });
  });

  it("store links, modes and nested repositories as data (D97, D111, D113)", async () => {
    const workTree = repository();
    symlinkSync("/etc/passwd", join(workTree, "link"));
    putFile(join(workTree, "run.sh"), "#!/bin/sh\n");
    chmodSync(join(workTree, "run.sh"), 0o755);
    mkdirSync(join(workTree, "nested"));
    git(join(workTree, "nested"), "init", "-q");
    const start = files(workTree);
    const snapshots = await open(workTree);
    await snapshots.create("all");
    for (const name of ["link", "run.sh", "nested"])
      rmSync(join(workTree, name), { recursive: true });
    await snapshots.restore("all");
    expect(files(workTree)).toEqual(start);
    git(workTree, "fsck", "--strict", "--no-dangling");
  });
});
