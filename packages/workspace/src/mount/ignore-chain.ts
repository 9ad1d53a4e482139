import type { PinnedDirectory } from "../host/containment/containment.js";
import type { HostRoot } from "../host/containment/host-root.js";
import { loadLeaf } from "../host/driver/read-file.js";
import { RevisionCache } from "../host/driver/revision-cache.js";
import { tolerating } from "../host/process/from-node-error.js";
import { joinPath, ROOT, type VirtualPath } from "../path/virtual-path.js";
import { IgnoreRules } from "./gitignore-rules.js";

const MAX_IGNORE_FILE_BYTES = 1024 * 1024;

/** The rules for a directory: its own, combined with the outer ones. */
export function rulesIn(
  root: HostRoot,
  directory: PinnedDirectory,
  path: VirtualPath,
  outer: IgnoreRules | undefined,
): IgnoreRules | undefined {
  const exclude = readExclude(root, directory);
  const around = exclude ? new IgnoreRules(outer, path, exclude) : outer;
  const own = readSmall(root, directory, ".gitignore");
  return own ? new IgnoreRules(around, path, own) : around;
}

/**
 * The rules of the directories above `path`, from the top of the repository down, within the allowed root. Returns
 * `"ignored"` when they ignore `path` or a directory above it.
 */
export function rulesAround(
  root: HostRoot,
  path: VirtualPath,
  isDirectory: boolean,
): IgnoreRules | "ignored" | undefined {
  let rules: IgnoreRules | undefined;
  let above = ROOT;
  const segments = path === "" ? [] : path.split("/");
  for (const [index, segment] of segments.entries()) {
    const open = root.enter(above);
    try {
      // A nested repository uses only its own rules.
      if (isRepository(open, root)) rules = undefined;
      rules = rulesIn(root, open, above, rules);
    } finally {
      root.leave(open);
    }
    above = joinPath(above, segment);
    const isLast = index === segments.length - 1;
    if (rules?.ignores(above, !isLast || isDirectory)) return "ignored";
  }
  return rules;
}

function isRepository(directory: PinnedDirectory, root: HostRoot): boolean {
  return (
    tolerating(TOLERATED, () => root.leave(root.openDirectory(directory, ".git")), false) !== false
  );
}

function readExclude(root: HostRoot, directory: PinnedDirectory): Uint8Array | undefined {
  return tolerating(
    TOLERATED,
    () => {
      const git = root.openDirectory(directory, ".git");
      try {
        const info = root.openDirectory(git, "info");
        try {
          return readSmall(root, info, "exclude");
        } finally {
          root.leave(info);
        }
      } finally {
        root.leave(git);
      }
    },
    undefined,
  );
}

function readSmall(
  root: HostRoot,
  directory: PinnedDirectory,
  name: string,
): Uint8Array | undefined {
  const load = () => loadLeaf(root, new RevisionCache(), directory, name, MAX_IGNORE_FILE_BYTES);
  return tolerating(TOLERATED, load, undefined)?.bytes();
}

const TOLERATED = ["ENOENT", "ENOTDIR", "ELOOP", "EACCES", "EPERM"];
