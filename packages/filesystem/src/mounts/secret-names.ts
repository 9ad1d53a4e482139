import { compileGlob, type GlobPattern } from "../search/glob/glob-pattern.js";
import { textOf } from "./secret-content.js";
import {
  COPY_ENDING,
  HARMLESS_NAMES,
  SECRET_NAME_RULES,
  type SecretNameRule,
} from "./secret-name-rules.js";

/**
 * Whether a file or directory holds secrets by its name. The path is that on the host from its root down, because
 * what a name means can depend on the directory that it is in.
 */
export function hasSecretName(hostPath: string, isDirectory: boolean): boolean {
  return isDirectory
    ? DIRECTORIES.matches(hostPath.toLowerCase())
    : matchesFile(hostPath, ALWAYS) !== undefined;
}

/** Whether a file is one of those that hold a secret only with certain contents, and this is such a content. */
export function hasSecretSettings(hostPath: string, bytes: Uint8Array): boolean {
  const path = matchesFile(hostPath, SOMETIMES);
  if (path === undefined) return false;
  const text = textOf(bytes);
  return CONDITIONAL.some(
    ({ names, holds, unless }) =>
      names.matches(path) && (holds === undefined || holds.test(text)) && !unless?.test(text),
  );
}

/** Whether a directory on the way to `hostPath`, or itself, holds secrets by its name. */
export function isInSecretPlace(hostPath: string, isDirectory: boolean): boolean {
  for (let end = hostPath.indexOf("/", 1); end > 0; end = hostPath.indexOf("/", end + 1))
    if (hasSecretName(hostPath.slice(0, end), true)) return true;
  return hasSecretName(hostPath, isDirectory);
}

/** The path by which a file matches: its own, or that of the file which it is a copy of. */
function matchesFile(hostPath: string, names: NameSet): string | undefined {
  const path = hostPath.toLowerCase();
  if (HARMLESS.matches(path)) return undefined;
  if (names.matches(path)) return path;
  const original = originalOf(path);
  return original === undefined || HARMLESS.matches(original) || !names.matches(original)
    ? undefined
    : original;
}

/** `a/.env` for `a/.env.bak~`, and for vim's `a/..env.swp`. */
function originalOf(path: string): string | undefined {
  let original = path;
  for (let cut = ""; cut !== original; ) {
    cut = original;
    original = cut.replace(COPY_ENDING, "");
  }
  if (original === path || original.endsWith("/")) return undefined;
  const isSwap = /\.sw[nop]$/.test(path);
  return isSwap ? original.replace(/\/\.([^/]*)$/, "/$1") : original;
}

/** Globs for names and globs for the end of a path, in one test. */
class NameSet {
  readonly #globs: readonly GlobPattern[];

  constructor(globs: readonly string[]) {
    const [names, paths] = [globs.filter((each) => !isPath(each)), globs.filter(isPath)];
    this.#globs = [
      ...(names.length > 0 ? [compile(names)] : []),
      ...(paths.length > 0 ? [compile(paths.map((each) => `**/${each}`))] : []),
    ];
  }

  /** `path` is in lower case and begins with a slash. */
  matches(path: string): boolean {
    const relative = path.slice(1);
    return this.#globs.some((glob) => glob.matches(relative));
  }
}

function compile(globs: readonly string[]): GlobPattern {
  const pattern = globs.length === 1 ? (globs[0] ?? "") : `{${globs.join(",")}}`;
  return compileGlob(pattern, { operation: "mount", maxPatternCharacters: Infinity });
}

function isPath(glob: string): boolean {
  return glob.includes("/");
}

/** The globs of rules: those of directories, without the slash at their end, or those of files. */
function globsOf(rules: readonly SecretNameRule[], kind: "directories" | "files"): string[] {
  const globs = rules.flatMap(({ names }) => names.split(" "));
  if (kind === "files") return globs.filter((each) => !each.endsWith("/"));
  return globs.filter((each) => each.endsWith("/")).map((each) => each.slice(0, -1));
}

const isConditional = ({ holds, unless }: SecretNameRule) =>
  holds !== undefined || unless !== undefined;
const conditional = SECRET_NAME_RULES.filter(isConditional);
const CONDITIONAL = conditional.map((rule) => ({
  ...rule,
  names: new NameSet(globsOf([rule], "files")),
}));
const ALWAYS = new NameSet(
  globsOf(
    SECRET_NAME_RULES.filter((rule) => !isConditional(rule)),
    "files",
  ),
);
const SOMETIMES = new NameSet(globsOf(conditional, "files"));
const DIRECTORIES = new NameSet(globsOf(SECRET_NAME_RULES, "directories"));
const HARMLESS = new NameSet(HARMLESS_NAMES.split(" "));
