import { execa } from "execa";
import { root } from "./repository.js";

export interface CommandOptions {
  /** @default the root of the clone */
  readonly cwd?: string;
  /** Ends the command and counts it as failed. @default 10 minutes */
  readonly timeoutMs?: number;
  /** Ends the command and counts it as failed. */
  readonly signal?: AbortSignal;
  readonly env?: Readonly<Record<string, string>>;
  /** Receives the messages that a Node program sends with `process.send`. @default no channel is opened */
  readonly onMessage?: (message: unknown) => void;
}

export interface CommandResult {
  readonly ok: boolean;
  readonly stdout: string;
  /** Both streams in order, with a last line about the end if it was not a normal exit. */
  readonly output: string;
}

/** Runs a program, preferably one of the workspace's own tools. A failure does not reject. */
export async function runCommand(
  file: string,
  args: readonly string[],
  options: CommandOptions = {},
): Promise<CommandResult> {
  const { cwd = root, timeoutMs = 600_000, env = {}, onMessage, signal } = options;
  const child = execa(file, args, {
    cwd,
    // Programs and people read the output in logs.
    env: { ...env, NO_COLOR: "1", FORCE_COLOR: undefined },
    timeout: timeoutMs,
    ...(signal && { cancelSignal: signal }),
    all: true,
    reject: false,
    stdin: "ignore",
    preferLocal: true,
    localDir: root,
    stripFinalNewline: false,
    ipc: onMessage !== undefined,
    buffer: { ipc: false },
  });
  if (onMessage !== undefined) child.on("message", onMessage);
  const result = await child;
  const ended = result.failed && result.exitCode === undefined ? `\n${result.shortMessage}` : "";
  return { ok: !result.failed, stdout: result.stdout, output: `${result.all}${ended}` };
}
