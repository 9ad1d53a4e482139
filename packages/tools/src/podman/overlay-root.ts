import { randomBytes } from "node:crypto";
import { lstatSync, mkdirSync, readdirSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PodmanError } from "./podman-error.js";

/**
 * The directory in which new workspaces are created.
 *
 * The default is in the temporary directory and not in the user's home, because a command can read the path of its
 * workspace in `/proc/self/mountinfo`, and that path should not reveal the user's name.
 */
export function overlayRoot(configured: string | undefined): string {
  try {
    if (configured === undefined) return realpathSync(privateRoots()[0] ?? makePrivateRoot());
    mkdirSync(configured, { recursive: true, mode: 0o700 });
    return realpathSync(configured);
  } catch (cause) {
    throw new PodmanError("NO_SPACE", "config.overlayRoot", "the directory cannot be used", {
      cause,
      action: "Set it to a directory that is yours alone",
    });
  }
}

/** Every directory that may contain abandoned workspaces of this user. */
export function overlayRoots(configured: string | undefined): readonly string[] {
  return configured === undefined ? privateRoots() : [overlayRoot(configured)];
}

function baseName(): string {
  return `wink-sandboxes-${process.geteuid?.() ?? 0}`;
}

/** The directories that this user created, the default name first. Directories of other users are ignored. */
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

/** Another user may already have created the default name. A random name cannot be guessed in advance. */
function makePrivateRoot(): string {
  const usual = join(tmpdir(), baseName());
  try {
    mkdirSync(usual, 0o700);
    return usual;
  } catch (error) {
    // Another process of the same user has just created it.
    if (isPrivate(usual)) return usual;
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  const other = `${usual}-${randomBytes(6).toString("hex")}`;
  mkdirSync(other, 0o700);
  return other;
}
