import { randomBytes } from "node:crypto";
import { lstatSync, mkdirSync, readdirSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PodmanError } from "./podman-error.js";

/**
 * The directory that new workspaces are made in.
 *
 * The default one is in the temporary directory and not below the user's home, because a command can read the path
 * of its workspace in `/proc/self/mountinfo`, and that path should not tell the user's name.
 */
export function overlayRoot(configured: string | undefined): string {
  try {
    if (configured === undefined) return realpathSync(privateRoots()[0] ?? makePrivateRoot());
    mkdirSync(configured, { recursive: true, mode: 0o700 });
    return realpathSync(configured);
  } catch (cause) {
    throw new PodmanError("NO_SPACE", "The directory for workspaces cannot be used", {
      cause,
      action: "set config.overlayRoot to a directory that is yours alone",
    });
  }
}

/** Every directory that workspaces of this user may have been left in. */
export function overlayRoots(configured: string | undefined): readonly string[] {
  return configured === undefined ? privateRoots() : [overlayRoot(configured)];
}

function baseName(): string {
  return `wink-sandboxes-${process.geteuid?.() ?? 0}`;
}

/** The directories that this user made, the one with the usual name first. Those of other users are passed over. */
function privateRoots(): readonly string[] {
  const name = baseName();
  return readdirSync(tmpdir())
    .filter((entry) => entry === name || entry.startsWith(`${name}-`))
    .sort()
    .map((entry) => join(tmpdir(), entry))
    .filter(isPrivate);
}

function isPrivate(path: string): boolean {
  try {
    const stat = lstatSync(path);
    const isOwn = stat.uid === (process.geteuid?.() ?? stat.uid);
    return stat.isDirectory() && isOwn && (stat.mode & 0o077) === 0;
  } catch {
    return false;
  }
}

/** Another user may have taken the usual name first. A random one cannot be taken in advance. */
function makePrivateRoot(): string {
  const usual = join(tmpdir(), baseName());
  try {
    mkdirSync(usual, 0o700);
    return usual;
  } catch (error) {
    // Another process of the same user has just made it.
    if (isPrivate(usual)) return usual;
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  const other = `${usual}-${randomBytes(6).toString("hex")}`;
  mkdirSync(other, 0o700);
  return other;
}
