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
  /** More environment variables. @default none */
  readonly env?: Readonly<Record<string, string>> | undefined;
}

type OnOutput = (chunk: Buffer, stdout: Pausable) => void;
type Pausable = Pick<NodeJS.ReadableStream, "pause" | "resume">;

/** Runs git in one directory, without hooks, filters, prompts, protocols and settings of the user or the machine. */
async function runGit(
  directory: string,
  args: readonly string[],
  { input, signal, env = {} }: GitRunOptions,
  onOutput: OnOutput,
): Promise<void> {
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
    .outputHandler((_command, stdout) => {
      // Bytes, because names and contents need not be text. simple-git's own listener would keep and decode all of them.
      stdout.removeAllListeners("data");
      stdout.on("data", (chunk: Buffer) => onOutput(chunk, stdout));
    });
  await git.raw([...args]);
}

async function outputOf(
  directory: string,
  args: readonly string[],
  options: GitRunOptions,
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  await runGit(directory, args, options, (chunk) => chunks.push(chunk));
  return chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks);
}

/** The maximum number of chunks of 64 KiB that wait for the reader. */
const MAX_WAITING_CHUNKS = 64;

/** A user's repository. Only for repositories whose `.git` no agent can write to. */
export class Git {
  /** The directory of this work tree's own data. */
  readonly directory: string;
  /** The path from the top of the work tree to the directory that was opened. Ends with a slash if it is not empty. */
  readonly prefix: string;
  readonly isBare: boolean;
  readonly #env: Readonly<Record<string, string>>;

  constructor(
    directory: string,
    prefix: string,
    isBare: boolean,
    env: Readonly<Record<string, string>> = { GIT_DIR: directory },
  ) {
    this.#env = env;
    this.directory = directory;
    this.prefix = prefix;
    this.isBare = isBare;
  }

  /** Finds the repository of a directory or a file. */
  static async open(path: string, options: GitRunOptions = {}): Promise<Git> {
    const args = ["rev-parse", "--absolute-git-dir", "--is-bare-repository", "--show-prefix"];
    const output = await outputOf(directoryOf(path), args, options).catch((error: unknown) => {
      throw notFound(error);
    });
    const [gitDirectory = "", isBare = "", ...prefix] = output.toString().split("\n");
    return new Git(gitDirectory, prefix.join("\n").replace(/\n$/, ""), isBare === "true");
  }

  /** Runs git in a directory and lets each process find the repository. `prefix` and `isBare` are not known. */
  static in(path: string): Git {
    return new Git(directoryOf(path), "", false, {});
  }

  run(args: readonly string[], options: GitRunOptions = {}): Promise<Buffer> {
    return outputOf(this.directory, args, this.#with(options));
  }

  /** The output of git while it runs. The process ends with the iteration. */
  async *stream(
    args: readonly string[],
    options: GitRunOptions = {},
  ): AsyncGenerator<readonly Buffer[], void, void> {
    const ending = new AbortController();
    const { signal: given } = options;
    const signal = given ? AbortSignal.any([given, ending.signal]) : ending.signal;
    let waiting: Buffer[] = [];
    let stdout: Pausable | undefined;
    let isRunning = true;
    let wake = () => {};
    const running = runGit(
      this.directory,
      args,
      this.#with({ ...options, signal }),
      (chunk, from) => {
        stdout = from;
        if (waiting.push(chunk) >= MAX_WAITING_CHUNKS) from.pause();
        wake();
      },
    ).finally(() => {
      isRunning = false;
      wake();
    });
    // The iteration reports the failure.
    running.catch(() => {});
    try {
      while (isRunning || waiting.length > 0) {
        if (waiting.length === 0)
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        const chunks = waiting;
        waiting = [];
        stdout?.resume();
        yield chunks;
      }
      await running;
    } finally {
      if (isRunning) ending.abort();
      await running.catch(() => {});
    }
  }

  #with(options: GitRunOptions): GitRunOptions {
    return { ...options, env: { ...this.#env, ...options.env } };
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

function directoryOf(path: string): string {
  const canonical = realpathSync(path);
  return statSync(canonical).isDirectory() ? canonical : dirname(canonical);
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
