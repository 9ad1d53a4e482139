import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  appendFileSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { scratchDirectory } from "../mount/tree-fixture.test.support.js";

const IDENTITY = {
  GIT_AUTHOR_NAME: "Ada",
  GIT_AUTHOR_EMAIL: "ada@example.com",
  GIT_COMMITTER_NAME: "Ada",
  GIT_COMMITTER_EMAIL: "ada@example.com",
};

/** Runs git as a user does. */
export function git(directory: string, ...args: readonly string[]): string {
  const env = {
    PATH: process.env["PATH"],
    HOME: "/nonexistent",
    ...IDENTITY,
    GIT_CONFIG_NOSYSTEM: "1",
  };
  const config = ["-c", "protocol.file.allow=always", "-c", "init.defaultBranch=main"];
  return execFileSync("git", [...config, ...args], {
    cwd: directory,
    env,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
  }).trim();
}

export interface Repository {
  /** The directory to mount. */
  readonly directory: string;
  /** A directory with everything that must not change. */
  readonly place: string;
  /** Where references are stored. */
  readonly gitDirectory: string;
}

function fill(directory: string): void {
  mkdirSync(join(directory, "src"), { recursive: true });
  writeFileSync(join(directory, "src/a.txt"), "one\ntwo\nthree\n");
  writeFileSync(join(directory, "src/b.txt"), "b\n");
  writeFileSync(join(directory, "README.md"), "hello\n");
  git(directory, "add", ".");
  git(directory, "commit", "-qm", "first");
}

/** A repository with commits, a stash, staged and dirty files. */
function make(directory: string, ...options: readonly string[]): void {
  mkdirSync(directory, { recursive: true });
  git(directory, "init", "-q", ...options);
  fill(directory);
  dirty(directory);
}

function dirty(directory: string): void {
  appendFileSync(join(directory, "README.md"), "stashed\n");
  git(directory, "stash");
  writeFileSync(join(directory, "staged.txt"), "staged\n");
  git(directory, "add", "staged.txt");
  writeFileSync(join(directory, "untracked.txt"), "untracked\n");
}

function plain(place: string, ...options: readonly string[]): Repository {
  const directory = join(place, "repository");
  make(directory, ...options);
  return { directory, place, gitDirectory: join(directory, ".git") };
}

/** Every kind of repository, each in a separate directory. */
export const KINDS: Readonly<Record<string, (place: string) => Repository>> = {
  plain: (place) => plain(place),
  sha256: (place) => plain(place, "--object-format=sha256"),
  "shared permissions": (place) => plain(place, "--shared=group"),
  "packed references and objects"(place) {
    const repository = plain(place);
    git(repository.directory, "branch", "other");
    git(repository.directory, "gc", "-q");
    return repository;
  },
  "quoted config"(place) {
    const repository = plain(place);
    appendFileSync(
      join(repository.gitDirectory, "config"),
      '[user]\n\tname = "Quoted # name" ; comment\n[core]\n\trepositoryformatversion = "0" # quoted\n',
    );
    return repository;
  },
  "separate git directory"(place) {
    const directory = join(place, "repository");
    make(directory, `--separate-git-dir=${join(place, "elsewhere")}`);
    return { directory, place, gitDirectory: join(place, "elsewhere") };
  },
  worktree(place) {
    const { directory: main } = plain(place);
    const directory = join(place, "tree");
    git(main, "worktree", "add", "-q", "-b", "side", directory);
    return { directory, place, gitDirectory: join(main, ".git") };
  },
  "bare with a worktree"(place) {
    const { directory: main } = plain(place);
    const bare = join(place, "bare.git");
    git(place, "clone", "-q", "--bare", main, bare);
    const directory = join(place, "tree");
    git(bare, "worktree", "add", "-q", "-b", "side", directory);
    return { directory, place, gitDirectory: bare };
  },
  submodule(place) {
    const { directory: inner } = plain(join(place, "inner"));
    const outer = plain(place);
    git(outer.directory, "submodule", "--quiet", "add", inner, "module");
    git(outer.directory, "commit", "-qm", "add module");
    return {
      directory: join(outer.directory, "module"),
      place,
      gitDirectory: join(outer.gitDirectory, "modules/module"),
    };
  },
  "with a submodule"(place) {
    const { directory: inner } = plain(join(place, "inner"));
    const outer = plain(place);
    git(outer.directory, "submodule", "--quiet", "add", inner, "module");
    git(outer.directory, "commit", "-qm", "add module");
    return outer;
  },
  "unborn HEAD"(place) {
    const directory = join(place, "repository");
    mkdirSync(join(directory, "src"), { recursive: true });
    git(directory, "init", "-q");
    writeFileSync(join(directory, "src/a.txt"), "one\ntwo\nthree\n");
    writeFileSync(join(directory, "src/b.txt"), "b\n");
    return { directory, place, gitDirectory: join(directory, ".git") };
  },
  "detached HEAD"(place) {
    const repository = plain(place);
    git(repository.directory, "checkout", "-q", "--detach");
    return repository;
  },
  "in the middle of a merge"(place) {
    const repository = plain(place);
    const { directory } = repository;
    git(directory, "commit", "-qm", "staged");
    git(directory, "checkout", "-qb", "other", "HEAD~1");
    writeFileSync(join(directory, "README.md"), "theirs\n");
    git(directory, "commit", "-qam", "theirs");
    git(directory, "checkout", "-q", "main");
    writeFileSync(join(directory, "README.md"), "ours\n");
    git(directory, "commit", "-qam", "ours");
    try {
      git(directory, "merge", "other");
    } catch {
      // The conflict is what this kind is about.
    }
    return repository;
  },
  alternates(place) {
    const { directory: source } = plain(join(place, "source"));
    const directory = join(place, "repository");
    git(place, "clone", "-q", "--shared", source, directory);
    dirty(directory);
    return { directory, place, gitDirectory: join(directory, ".git") };
  },
  shallow(place) {
    const { directory: source } = plain(join(place, "source"));
    writeFileSync(join(source, "second.txt"), "second\n");
    git(source, "add", "second.txt");
    git(source, "commit", "-qm", "second");
    const directory = join(place, "repository");
    git(place, "clone", "-q", "--depth=1", `file://${source}`, directory);
    dirty(directory);
    return { directory, place, gitDirectory: join(directory, ".git") };
  },
  "partial clone"(place) {
    const { directory: source } = plain(join(place, "source"));
    git(source, "config", "uploadpack.allowFilter", "true");
    const directory = join(place, "repository");
    git(place, "clone", "-q", "--filter=blob:none", `file://${source}`, directory);
    return { directory, place, gitDirectory: join(directory, ".git") };
  },
  sparse(place) {
    const repository = plain(place);
    mkdirSync(join(repository.directory, "hidden"));
    writeFileSync(join(repository.directory, "hidden/c.txt"), "c\n");
    git(repository.directory, "add", ".");
    git(repository.directory, "commit", "-qm", "hidden");
    git(repository.directory, "sparse-checkout", "set", "src");
    return repository;
  },
  "below the top"(place) {
    const repository = plain(place);
    return { ...repository, directory: join(repository.directory, "src") };
  },
};

export function makeRepository(kind: string): Repository {
  const make = KINDS[kind];
  if (make === undefined) throw new Error(`unknown kind ${kind}`);
  return make(scratchDirectory());
}

/** Whether this git can make repositories whose references are in reftables. */
export function hasReftables(): boolean {
  try {
    git(scratchDirectory(), "init", "-q", "--ref-format=reftable", "r");
    return true;
  } catch {
    return false;
  }
}

/** Every file below a directory with its mode, modification time and hash. */
export function fingerprints(directory: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const name of readdirSync(directory, { recursive: true, encoding: "utf8" })) {
    const path = join(directory, name);
    const stat = lstatSync(path);
    if (stat.isDirectory()) continue;
    const bytes = stat.isSymbolicLink() ? readlinkSync(path) : readFileSync(path);
    const hash = createHash("sha256").update(bytes).digest("hex");
    found.set(name, `${stat.mode.toString(8)} ${stat.mtimeMs} ${hash}`);
  }
  return found;
}

/** Lists the files that differ, without new objects and the references of `refs`. */
export function changedFiles(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
  refs: readonly string[],
): readonly string[] {
  const isExpected = (name: string) =>
    /(?:^|\/)objects\//.test(name) ||
    refs.some((ref) => name.endsWith(`/${ref}`) || name.endsWith(`/logs/${ref}`));
  const names = new Set([...before.keys(), ...after.keys()]);
  return [...names]
    .filter((name) => before.get(name) !== after.get(name) && !isExpected(name))
    .sort();
}
