import { createHash } from "node:crypto";
import {
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
} from "node:fs";
import { isAbsolute, join, relative, resolve } from "node:path";
import { SnapshotError } from "../../snapshots/snapshot-error.js";
import { makePrivateDirectory } from "../containment/private-directory.js";
import { makeDirectories, replaceFile } from "../process/store-io.js";

/** The paths of a store. */
export interface StoreLayout {
  readonly directory: string;
  readonly objects: string;
  readonly leases: string;
  readonly sessions: string;
  readonly locks: string;
  readonly journals: string;
  readonly caches: string;
  /** Changes whenever objects were removed. */
  readonly generation: string;
  /** Removes the store if it is temporary. */
  readonly removeTemporary: (() => void) | undefined;
}

const CONFIG = `[core]
\trepositoryformatversion = 0
\tfilemode = true
\tbare = true
[gc]
\tauto = 0
`;
/** The folder for data that is not git's. It is created first, so it also marks a store. */
const MARK = "wink";
/** git requires this file in every repository. The branch does not exist. */
const HEAD = "ref: refs/heads/none\n";

/**
 * Creates or opens the directory of a store. It is a valid bare repository, so you can inspect it with git. @throws
 * SnapshotError `INVALID_STORE`
 */
export function openLayout(
  workspace: string | undefined,
  directory: string | undefined,
): StoreLayout {
  const temporary = directory === undefined ? makePrivateDirectory("store") : undefined;
  const place = directory ?? temporary?.path ?? "";
  makeDirectories(place);
  const canonical = realpathSync(place);
  if (workspace !== undefined) requireOutside(canonical, workspace);
  requirePrivate(canonical);
  const layout: StoreLayout = {
    directory: canonical,
    objects: join(canonical, "objects"),
    leases: join(canonical, MARK, "leases"),
    sessions: join(canonical, MARK, "sessions"),
    locks: join(canonical, MARK, "locks"),
    journals: join(canonical, MARK, "journals"),
    caches: join(canonical, MARK, "caches"),
    generation: join(canonical, MARK, "generation"),
    removeTemporary: temporary && (() => temporary.removeNow()),
  };
  for (const path of [layout.leases, layout.sessions, layout.journals, layout.caches])
    makeDirectories(path);
  for (const name of ["pack", "info"]) makeDirectories(join(layout.objects, name));
  makeDirectories(join(canonical, "refs", "wink", "snapshots"));
  writeOnce(join(canonical, "config"), CONFIG);
  writeOnce(join(canonical, "HEAD"), HEAD);
  return layout;
}

/** Identifies a workspace without revealing its path. */
export function rootKeyOf(canonicalPath: string): string {
  return createHash("sha256").update(canonicalPath).digest("hex").slice(0, 32);
}

/** An agent that can write to the store could make git run any command, and could tamper with its own rollback. */
function requireOutside(directory: string, workspace: string): void {
  if (isWithin(directory, workspace) || isWithin(workspace, directory))
    throw new SnapshotError("INVALID_STORE", {
      reason: "the store must be outside the workspace, and the workspace outside the store",
    });
}

function isWithin(path: string, ancestor: string): boolean {
  const way = relative(ancestor, path);
  return way === "" || (!isAbsolute(way) && way !== ".." && !way.startsWith("../"));
}

/** Accepts only an existing store or an empty directory, so that no other directory is changed. */
function requirePrivate(directory: string): void {
  const { mode, uid } = statSync(directory);
  if (uid !== process.geteuid?.())
    throw new SnapshotError("INVALID_STORE", { reason: "the store belongs to another user" });
  const names = readdirSync(directory);
  if (names.length > 0 && !names.includes(MARK))
    throw new SnapshotError("INVALID_STORE", {
      reason: "the directory for the store is not empty and is not a store",
    });
  // Another user could have written the content, and a journal or a reference in it would be trusted.
  if (names.length > 0 && (mode & 0o022) !== 0)
    throw new SnapshotError("INVALID_STORE", {
      reason: "other users could write to the store; check it and set its mode to 0700",
    });
  if ((mode & 0o077) !== 0) closeToOthers(directory);
}

function closeToOthers(directory: string): void {
  const fd = openSync(directory, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  try {
    fchmodSync(fd, 0o700);
  } finally {
    closeSync(fd);
  }
}

function writeOnce(path: string, text: string): void {
  const there = existsSync(path) && readFileSync(path, "utf8") === text;
  if (!there) replaceFile(resolve(path), [Buffer.from(text)], { fsync: false });
}
