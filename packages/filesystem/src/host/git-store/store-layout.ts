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

/** Where the parts of a store are. */
export interface StoreLayout {
  readonly directory: string;
  readonly objects: string;
  readonly leases: string;
  readonly sessions: string;
  readonly locks: string;
  readonly journals: string;
  readonly caches: string;
  /** Changes whenever objects have been removed. */
  readonly generation: string;
  /** Removes the store, when it is only for as long as it is open. */
  readonly removeTemporary: (() => void) | undefined;
}

const CONFIG = `[core]
\trepositoryformatversion = 0
\tfilemode = true
\tbare = true
[gc]
\tauto = 0
`;
/** The folder for what is not git's, which is made first. */
const MARK = "wink";
/** git wants one in every repository; nothing is ever there. */
const HEAD = "ref: refs/heads/none\n";

/**
 * Makes or opens the directory of a store. It looks like a bare repository, so that
 * git can be used to look into it. @throws SnapshotError `INVALID_STORE`
 */
export function openLayout(workspace: string, directory: string | undefined): StoreLayout {
  const temporary = directory === undefined ? makePrivateDirectory("store") : undefined;
  const place = directory ?? temporary?.path ?? "";
  makeDirectories(place);
  const canonical = realpathSync(place);
  requireOutside(canonical, workspace);
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

/** Tells workspaces apart without saying where they are. */
export function rootKeyOf(canonicalPath: string): string {
  return createHash("sha256").update(canonicalPath).digest("hex").slice(0, 32);
}

/** An agent that can write to the store can make git run what it likes, and undo its own undoing. */
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

/** Takes a directory that is a store already or that is empty: no other is changed. */
function requirePrivate(directory: string): void {
  const { mode, uid } = statSync(directory);
  if (uid !== process.geteuid?.())
    throw new SnapshotError("INVALID_STORE", { reason: "the store belongs to somebody else" });
  const names = readdirSync(directory);
  if (names.length > 0 && !names.includes(MARK))
    throw new SnapshotError("INVALID_STORE", {
      reason: "the directory for the store is not empty, and is no store",
    });
  // Whatever is in it could be another user's, and a journal or a reference in it would be trusted.
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
