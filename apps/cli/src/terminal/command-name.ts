import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import type { Io } from "./io.js";

/**
 * The command that starts `wink` for this user, for hints to copy: in a clone it is a script, and
 * after `npx` it is not on the PATH. `directory` is where the user will type it, if that is not the
 * clone.
 */
export function commandName({ env }: Io, directory?: string): string {
  const agent = env["npm_config_user_agent"] ?? "";
  if (import.meta.url.endsWith(".ts")) {
    const [, version] = /^pnpm\/(\S+)/.exec(agent) ?? [];
    const pnpm = version === undefined ? "pnpm" : `npx -y pnpm@${version}`;
    return `${pnpm}${cloneOption(directory)} wink`;
  }
  return env["npm_command"] === "exec" ? "npx @wink/cli" : "wink";
}

/** Without this option, pnpm looks for the script in the current directory. */
function cloneOption(directory: string | undefined): string {
  if (directory === undefined) return "";
  const way = relative(directory, fileURLToPath(new URL("../../../..", import.meta.url)));
  return way === "" ? "" : ` --dir ${way}`;
}
