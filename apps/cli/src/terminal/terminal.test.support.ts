import { execFileSync, spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { expect, onTestFinished, vi } from "vitest";
import { hasProgram } from "../workspace/has-component.test.support.js";
import { WINK, type WinkOptions, winkEnv } from "../workspace/wink-process.test.support.js";

/** Whether tmux is installed. */
export function hasTmux(): boolean {
  const reason = "the questions are tried in tmux, which is not here; install tmux";
  return hasProgram("tmux", ["-V"], reason);
}

const NOT_RESTORED = "The terminal is still in raw mode.";

export interface Terminal {
  /** The screen without trailing spaces. */
  screen(): string;
  /** The screen with its colours as escape sequences. */
  colors(): string;
  /** Resolves when the screen shows `text`. */
  shows(text: string | RegExp): Promise<void>;
  /** Keys by tmux's names: `y`, `Enter`, `C-c`. */
  press(...keys: readonly string[]): void;
}

/**
 * Starts `wink` in a terminal of 80 columns. When it has ended, the screen shows `exit: <code>`.
 */
export function startInTerminal(args: readonly string[], { cwd, env }: WinkOptions): Terminal {
  // A separate tmux server without the user's settings. Killing it removes everything.
  const tmux = (...words: readonly string[]) =>
    execFileSync("tmux", ["-f", "/dev/null", "-L", server, ...words], { encoding: "utf8" });
  const server = `wink-test-${randomUUID()}`;
  const given = { ...winkEnv(env), LANG: "C.UTF-8" };
  const variables = Object.entries(given).map(([name, value]) => quote(`${name}=${value}`));
  const command = `env -i TERM=screen-256color ${variables.join(" ")} ${[...WINK, ...args].map(quote).join(" ")}`;
  // Ctrl-C also reaches the shell, which must survive to print the exit code.
  const restored = `stty -a | grep -q -- '-icanon' && echo "${NOT_RESTORED}"`;
  const script = `trap : INT; ${command}; code=$?; ${restored}; echo "exit: $code"; exec sleep 600`;
  tmux("-u", "new-session", "-d", "-x", "80", "-y", "100", "-c", cwd, "sh", "-c", script);
  onTestFinished(() => void spawnSync("tmux", ["-L", server, "kill-server"]));
  const screen = () => tmux("capture-pane", "-p", "-t", ":0");
  return {
    screen,
    colors: () => tmux("capture-pane", "-p", "-e", "-t", ":0"),
    async shows(text) {
      await vi.waitFor(() => expect(screen()).toMatch(text), { timeout: 120_000, interval: 100 });
      expect(screen()).not.toContain(NOT_RESTORED);
    },
    press: (...keys) => void tmux("send-keys", "-t", ":0", ...keys),
  };
}

function quote(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
