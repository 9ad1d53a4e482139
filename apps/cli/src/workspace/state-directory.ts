import { homedir } from "node:os";
import { join, resolve } from "node:path";
import type { Io } from "../terminal/io.js";

/**
 * Where `wink` stores workspaces, private to the user and outside of every directory it works on:
 * `WINK_STATE_DIR`, or else `wink` in the XDG state directory.
 */
export function stateDirectory(env: Io["env"]): string {
  const { WINK_STATE_DIR, XDG_STATE_HOME, HOME } = env;
  if (WINK_STATE_DIR) return resolve(WINK_STATE_DIR);
  // The XDG specification says to ignore relative paths.
  if (XDG_STATE_HOME?.startsWith("/")) return join(XDG_STATE_HOME, "wink");
  return join(HOME || homedir(), ".local", "state", "wink");
}
