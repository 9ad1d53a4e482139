import { relative } from "node:path";
import { CLONE } from "./clone.js";
import type { Io } from "./io.js";

/**
 * The command that starts `wink` for this user in `directory`, for hints to copy. In a clone it is a
 * script, and in a project that has installed `wink`, it is not on the PATH.
 */
export function commandName({ env, cwd }: Io, directory: string = cwd): string {
  // Package managers set it for the programs that they start.
  if (env["npm_config_user_agent"] === undefined) return "wink";
  if (CLONE === undefined) return installedName(import.meta.url);
  const path = relative(directory, CLONE);
  // Without this option, pnpm looks for the script in the current directory.
  return `${pnpmName(env)}${path === "" ? "" : ` --dir ${path}`} wink`;
}

/**
 * The command for an installed `wink`, where `location` is the address of one of its files. npx finds
 * `wink` in the `node_modules` of every parent directory, but `@wink/cli` only in the nearest project.
 */
export function installedName(location: string): string {
  // npx runs a package that no project has installed from a folder with this name.
  return location.includes("/_npx/") ? "npx @wink/cli" : "npx wink";
}

/** The command that starts pnpm for this user. */
export function pnpmName(env: Io["env"]): string {
  const [, version] = /^pnpm\/(\S+)/.exec(env["npm_config_user_agent"] ?? "") ?? [];
  return version === undefined ? "pnpm" : `npx -y pnpm@${version}`;
}

export interface ShowCommandsOptions {
  /** The directory of the workspace that the commands are about. @default none */
  readonly directory?: string | undefined;
  /** Colours a command. @default plain text */
  readonly paint?: ((command: string) => string) | undefined;
}

/** Replaces every `wink …` between backticks with the command that works for this user. */
export function showCommands(
  io: Io,
  text: string,
  { directory, paint = (command) => command }: ShowCommandsOptions = {},
): string {
  const flag = directory === undefined ? "" : workspaceFlag(io, directory);
  return text.replace(/`wink ([^`]+)`/g, (_, rest: string) =>
    paint(`${commandName(io)} ${rest}${flag}`),
  );
}

/** The option that a command needs for `directory`: empty, or `-w` with the relative path. */
function workspaceFlag({ cwd }: Io, directory: string): string {
  const path = relative(cwd, directory);
  if (path === "") return "";
  return ` -w ${/^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`}`;
}
