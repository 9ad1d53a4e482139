import { execa } from "execa";
import { root } from "./repository.js";

export interface CommandOptions {
  /** @default the root of the clone */
  readonly cwd?: string;
  /** Ends the command and counts it as failed. @default 10 minutes */
  readonly timeoutMs?: number;
  readonly env?: Readonly<Record<string, string>>;
}

export interface CommandResult {
  readonly ok: boolean;
  readonly stdout: string;
  /** Both streams as they came, with a last line about the end when it was not a plain exit. */
  readonly output: string;
}

/** Runs a program, one of the workspace's own tools first, and never rejects for what it does. */
export async function runCommand(
  file: string,
  args: readonly string[],
  options: CommandOptions = {},
): Promise<CommandResult> {
  const { cwd = root, timeoutMs = 600_000, env = {} } = options;
  const result = await execa(file, args, {
    cwd,
    // What a program prints is read, by us and by logs.
    env: { ...env, NO_COLOR: "1", FORCE_COLOR: undefined },
    timeout: timeoutMs,
    all: true,
    reject: false,
    stdin: "ignore",
    preferLocal: true,
    localDir: root,
    stripFinalNewline: false,
  });
  const ended = result.failed && result.exitCode === undefined ? `\n${result.shortMessage}` : "";
  return { ok: !result.failed, stdout: result.stdout, output: `${result.all}${ended}` };
}
