import { realpathSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { simpleGit } from "simple-git";
import { WorkspaceError } from "../error/workspace-error.js";

/**
 * Settings that make git run programs, or that make a command read more than the repository. They win over the settings
 * of the repository.
 */
const HARDENED = [
  "core.hooksPath=/dev/null",
  "core.fsmonitor=false",
  "core.attributesFile=/dev/null",
  "core.pager=cat",
  "gc.auto=0",
  "maintenance.auto=false",
  "protocol.allow=never",
  "log.showSignature=false",
  "core.quotePath=false",
];

/** The only variables that git gets. No variable of this process with the prefix `GIT_` reaches it. */
const ENVIRONMENT = {
  LC_ALL: "C",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_TERMINAL_PROMPT: "0",
  GIT_NO_LAZY_FETCH: "1",
  GIT_NO_REPLACE_OBJECTS: "1",
  GIT_OPTIONAL_LOCKS: "0",
  // For the reflog, which records who moved a branch.
  GIT_COMMITTER_NAME: "wink",
  GIT_COMMITTER_EMAIL: "wink@localhost",
};

const MAX_SILENT_MS = 120_000;

export interface GitRunOptions {
  readonly input?: Buffer | undefined;
  readonly signal?: AbortSignal | undefined;
  /** More variables. @default none */
  readonly env?: Readonly<Record<string, string>> | undefined;
}

/** Runs git in one directory, without hooks, filters, prompts, protocols and settings of the user or the machine. */
async function runGit(
  directory: string,
  args: readonly string[],
  { input, signal, env = {} }: GitRunOptions,
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  const variables = { ...ENVIRONMENT, ...env };
  const git = simpleGit({
    baseDir: directory,
    config: HARDENED,
    timeout: { block: MAX_SILENT_MS },
    // By default the output of a process can be cut off on a busy machine.
    completion: { onClose: true, onExit: false },
    ...(input && { input: () => input }),
    ...(signal && { abort: signal }),
    // By default a process that fails without a message counts as a success.
    errors: (error, { exitCode, stdErr }) => {
      if (exitCode === 0) return error;
      return new Error(Buffer.concat(stdErr).toString().trim() || `git ended with ${exitCode}`);
    },
    // The hardened settings themselves are among those that simple-git refuses by default.
    unsafe: {
      allowUnsafeHooksPath: true,
      allowUnsafeFsMonitor: true,
      allowUnsafeConfigPaths: true,
      allowUnsafeProtocolOverride: true,
      allowUnsafePager: true,
    },
    allowEnvironment: Object.keys(variables),
  })
    .env({ PATH: process.env["PATH"] ?? "", ...variables })
    // Bytes, because names and contents need not be text.
    .outputHandler((_command, stdout) => {
      stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
    });
  await git.raw([...args]);
  return Buffer.concat(chunks);
}

/** A user's repository. Only for repositories whose `.git` no agent can write to. */
export class Git {
  /** The directory of this work tree's own data. */
  readonly directory: string;
  /** The path from the top of the work tree to the directory that was opened. Ends with a slash if it is not empty. */
  readonly prefix: string;
  readonly isBare: boolean;

  constructor(directory: string, prefix: string, isBare: boolean) {
    this.directory = directory;
    this.prefix = prefix;
    this.isBare = isBare;
  }

  /** Finds the repository of a directory or a file. */
  static async open(path: string, options: GitRunOptions = {}): Promise<Git> {
    const canonical = realpathSync(path);
    const directory = statSync(canonical).isDirectory() ? canonical : dirname(canonical);
    const args = ["rev-parse", "--absolute-git-dir", "--is-bare-repository", "--show-prefix"];
    const output = await runGit(directory, args, options).catch((error: unknown) => {
      throw notFound(error);
    });
    const [gitDirectory = "", isBare = "", ...prefix] = output.toString().split("\n");
    return new Git(gitDirectory, prefix.join("\n").replace(/\n$/, ""), isBare === "true");
  }

  run(args: readonly string[], options: GitRunOptions = {}): Promise<Buffer> {
    return runGit(this.directory, args, {
      ...options,
      env: { GIT_DIR: this.directory, ...options.env },
    });
  }

  async text(args: readonly string[], options?: GitRunOptions): Promise<string> {
    return (await this.run(args, options)).toString().replace(/\n$/, "");
  }

  /** The id of the commit that a revision means, or `undefined`. */
  async findCommit(revision: string, options?: GitRunOptions): Promise<string | undefined> {
    // Never an option: `--end-of-options` needs git 2.24.
    const args = ["rev-parse", "--verify", "--end-of-options", `${revision}^{commit}`];
    const id = await this.text(args, options).catch(() => undefined);
    options?.signal?.throwIfAborted();
    return id;
  }
}

function notFound(cause: unknown): WorkspaceError {
  const text = cause instanceof Error ? cause.message : "";
  if (/ENOENT/.test(text))
    return new WorkspaceError("GIT_MISSING", {
      subject: "git",
      reason: "The program was not found. Install git 2.25 or newer.",
      cause,
    });
  const reason = /dubious ownership/.test(text)
    ? "The repository belongs to another user, so git refuses it. Run this as its owner."
    : "The directory is not in a git repository. Create one with git init.";
  return new WorkspaceError("NOT_A_REPOSITORY", { subject: "repository", reason, cause });
}
