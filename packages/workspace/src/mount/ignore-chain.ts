import { closeSync, fstatSync, readFileSync } from "node:fs";
import { type DriverEntry, paths, type VirtualPath } from "@wink/filesystem";
import { type HostRoot, type PinnedDirectory, tolerating } from "@wink/filesystem/host";
import { IgnoreRules } from "./gitignore-rules.js";

const MAX_IGNORE_FILE_BYTES = 512 * 1024;

/** Entries with these names can contain rules. */
const RULE_NAMES = new Set([".git", ".gitignore"]);
export const NO_RULES: ReadonlySet<string> = new Set();

/**
 * The names in a directory that may contain rules, found in its listing. Most directories have none, and trying to open
 * a missing file costs more than reading the listing.
 */
export function ruleNames(entries: readonly DriverEntry[]): ReadonlySet<string> {
  if (!entries.some(({ name }) => RULE_NAMES.has(name))) return NO_RULES;
  return new Set(entries.map(({ name }) => name).filter((name) => RULE_NAMES.has(name)));
}

export interface RulesInOptions {
  /** The names that the directory has, from `ruleNames`. @default all names are tried */
  readonly names?: ReadonlySet<string>;
  /** Called with the path of each file that may contain rules. */
  readonly onRule?: (path: string) => void;
}

/** The rules for a directory: its own, combined with the outer ones. */
export function rulesIn(
  root: HostRoot,
  directory: PinnedDirectory,
  path: VirtualPath,
  outer: IgnoreRules | undefined,
  { names = RULE_NAMES, onRule }: RulesInOptions = {},
): IgnoreRules | undefined {
  let rules = outer;
  const add = (name: string, file: string, read: () => Uint8Array | undefined) => {
    if (!names.has(name)) return;
    onRule?.(paths.joinPath(path, file));
    const found = read();
    if (found) rules = new IgnoreRules(rules, path, found);
  };
  add(".git", EXCLUDE, () => readExclude(root, directory));
  add(".gitignore", ".gitignore", () => readSmall(root, directory, ".gitignore"));
  return rules;
}

const EXCLUDE = ".git/info/exclude";

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
  let above = paths.ROOT;
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
    above = paths.joinPath(above, segment);
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
  const fd = tolerating(TOLERATED, () => root.openLeaf(directory, name), undefined);
  if (fd === undefined) return undefined;
  try {
    const stat = fstatSync(fd);
    return stat.isFile() && stat.size <= MAX_IGNORE_FILE_BYTES ? readFileSync(fd) : undefined;
  } finally {
    closeSync(fd);
  }
}

const TOLERATED = ["ENOENT", "ENOTDIR", "ELOOP", "EMLINK", "ENXIO", "EACCES", "EPERM"];
