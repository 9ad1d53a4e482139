import type { Io } from "./io.js";

/**
 * How the person who reads this starts `wink`: from a clone there is a script of that name, after `npx` it is not on the path.
 * For hints that are to be copied.
 */
export function commandName({ env }: Io): string {
  const agent = env["npm_config_user_agent"] ?? "";
  if (import.meta.url.endsWith(".ts")) {
    const [, version] = /^pnpm\/(\S+)/.exec(agent) ?? [];
    return version === undefined ? "pnpm wink" : `npx -y pnpm@${version} wink`;
  }
  return env["npm_command"] === "exec" ? "npx @wink/cli" : "wink";
}
