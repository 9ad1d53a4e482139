import type { CallOptions } from "@wink/filesystem";
import { checkOptions } from "../error/check-options.js";
import { requirePath } from "../error/require-path.js";
import { isWorkspaceError } from "../error/workspace-error.js";
import { Git } from "./git-plumbing.js";

/** Facts about the repository of a directory. Texts are those of the repository, without control characters. */
export interface RepositoryHistory {
  /** `undefined` if HEAD is detached. */
  readonly branch: string | undefined;
  /** The newest first. */
  readonly recentCommits: readonly {
    readonly commitId: string;
    /** ISO 8601. */
    readonly date: string;
    readonly author: string;
    readonly subject: string;
  }[];
  /** The files that most of the last 200 commits changed, relative to the directory. */
  readonly frequentFiles: readonly { readonly path: string; readonly commitCount: number }[];
  /** The authors of the last 200 commits. */
  readonly authors: readonly { readonly name: string; readonly commitCount: number }[];
}

const MAX_COMMITS_READ = 200;
const MAX_RECENT = 10;
const MAX_FILES = 10;
const MAX_AUTHORS = 5;
const MAX_TEXT_CHARACTERS = 200;
const FORMAT = "%x01%H%x00%cI%x00%an%x00%s%x00";

/** Reads the history of the repository that a directory is in; `undefined` if it is in none, or git is not installed. */
export async function readHistory(
  directory: string,
  options: CallOptions = {},
): Promise<RepositoryHistory | undefined> {
  requirePath("readHistory", directory);
  checkOptions("readHistory", options, ["signal"]);
  const { signal } = options;
  let git: Git;
  try {
    git = await Git.open(directory, { signal });
  } catch (error) {
    if (isWorkspaceError(error)) return undefined;
    throw error;
  }
  const branch = await git
    .text(["symbolic-ref", "-q", "--short", "HEAD"], { signal })
    .catch(() => undefined);
  const args = [
    "log",
    `-n${MAX_COMMITS_READ}`,
    `--format=${FORMAT}`,
    "--name-only",
    "--no-renames",
    "HEAD",
  ];
  if (git.prefix !== "") args.push("--", git.prefix);
  const env = { GIT_LITERAL_PATHSPECS: "1" };
  // Without a commit there is no HEAD.
  const log = await git.text(args, { signal, env }).catch(() => "");
  signal?.throwIfAborted();
  const commits = log.split("\x01").slice(1).map(parseCommit);
  return Object.freeze({
    branch: branch && clean(branch),
    recentCommits: commits.slice(0, MAX_RECENT).map(({ files: _, ...commit }) => commit),
    frequentFiles: mostFrequent(
      commits.flatMap(({ files }) => files),
      MAX_FILES,
    )
      .filter(([, commitCount]) => commitCount > 1)
      .map(([path, commitCount]) => ({ path: path.slice(git.prefix.length), commitCount })),
    authors: mostFrequent(
      commits.map(({ author }) => author),
      MAX_AUTHORS,
    ).map(([name, commitCount]) => ({ name, commitCount })),
  });
}

function parseCommit(text: string) {
  const [commitId = "", date = "", author = "", subject = "", names = ""] = text.split("\0");
  return {
    commitId,
    date,
    author: clean(author),
    subject: clean(subject),
    // git puts names with unusual characters in quotes. These are left out.
    files: names.split("\n").filter((name) => name !== "" && !name.startsWith('"')),
  };
}

function mostFrequent(
  texts: readonly string[],
  max: number,
): readonly (readonly [string, number])[] {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).slice(0, max);
}

/** Commits come from many people, and a digest is sent to a model and printed on terminals. */
function clean(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, " ")
    .slice(0, MAX_TEXT_CHARACTERS)
    .trim();
}
