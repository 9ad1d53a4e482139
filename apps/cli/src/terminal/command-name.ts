import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import type { Io } from "./io.js";

/**
 * How the person who reads this starts `wink`: from a clone there is a script of that name, after `npx` it is not on the path.
 * For hints that are to be copied. `directory` is where they will be typed, if that is not the clone.
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

/** Without it pnpm looks for the script where it is started. */
function cloneOption(directory: string | undefined): string {
  if (directory === undefined) return "";
  const way = relative(directory, fileURLToPath(new URL("../../../..", import.meta.url)));
  return way === "" ? "" : ` --dir ${way}`;
}
