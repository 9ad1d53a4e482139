import { globMatcher } from "@wink/filesystem";
import { textOf } from "./secret-content.js";
import {
  COPY_ENDING,
  EXAMPLE_NAMES,
  SECRET_NAME_RULES,
  SETTINGS_FILE_NAMES,
  type SecretNameRule,
  SOURCE_NAMES,
} from "./secret-name-rules.js";
import { hasSecretLine, hasSecretSetting } from "./secret-settings.js";

/**
 * Whether a file or directory contains secrets according to its name. Takes the absolute host path, because the meaning
 * of a name can depend on its directory.
 */
export function hasSecretName(hostPath: string, isDirectory: boolean): boolean {
  return isDirectory
    ? DIRECTORIES.matches(hostPath.toLowerCase())
    : matchesFile(hostPath, ALWAYS) !== undefined;
}

/** Why a file is secret by its name and its content together; `undefined` if it is not. */
export function secretSettings(hostPath: string, bytes: Uint8Array): string | undefined {
  const path = matchesFile(hostPath, SOMETIMES);
  const isSettings = SETTINGS_FILES.matches(hostPath.toLowerCase());
  if (path === undefined && !isSettings) return undefined;
  const text = textOf(bytes);
  if (path !== undefined && CONDITIONAL.some((rule) => applies(rule, path, text))) return BY_NAME;
  const isExample = EXAMPLES.matches(hostPath.toLowerCase());
  if (!isSettings || isExample || text.includes("\0")) return undefined;
  return hasSecretSetting(text, "generated") ? "secret content: key or token" : undefined;
}

/** The `detail` of a file that was left out because of its name. */
export const BY_NAME = "secret name";

function applies({ names, holds, unless }: ConditionalRule, path: string, text: string): boolean {
  if (!names.matches(path) || unless?.test(text)) return false;
  if (typeof holds !== "string") return holds?.test(text) ?? true;
  return hasSecretSetting(text, holds) || hasSecretLine(text);
}

/** Whether the path, or a directory above it, contains secrets according to its name. */
export function isInSecretPlace(hostPath: string, isDirectory: boolean): boolean {
  for (let end = hostPath.indexOf("/", 1); end > 0; end = hostPath.indexOf("/", end + 1))
    if (hasSecretName(hostPath.slice(0, end), true)) return true;
  return hasSecretName(hostPath, isDirectory);
}

/** The path that matches: the file's own, or the original's if the file is a backup copy. */
function matchesFile(hostPath: string, names: NameSet): string | undefined {
  const path = hostPath.toLowerCase();
  if (HARMLESS.matches(path)) return undefined;
  if (names.matches(path)) return path;
  const original = originalOf(path);
  return original === undefined || HARMLESS.matches(original) || !names.matches(original)
    ? undefined
    : original;
}

/** Returns `a/.env` for `a/.env.bak~`, and for vim's `a/..env.swp`. */
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

/** Matches name globs and path globs with one call. */
class NameSet {
  readonly #globs: readonly ((path: string) => boolean)[];

  constructor(globs: readonly string[]) {
    const [names, paths] = [globs.filter((each) => !isPath(each)), globs.filter(isPath)];
    this.#globs = [
      ...(names.length > 0 ? [compile(names)] : []),
      ...(paths.length > 0 ? [compile(paths.map((each) => `**/${each}`))] : []),
    ];
  }

  /** `path` is in lower case and starts with a slash. */
  matches(path: string): boolean {
    const relative = path.slice(1);
    return this.#globs.some((glob) => glob(relative));
  }
}

function compile(globs: readonly string[]): (path: string) => boolean {
  const pattern = globs.length === 1 ? (globs[0] ?? "") : `{${globs.join(",")}}`;
  return globMatcher([pattern], { operation: "mount", maxPatternCharacters: Infinity });
}

function isPath(glob: string): boolean {
  return glob.includes("/");
}

/** The globs of the rules for directories (without the trailing slash) or for files. */
function globsOf(rules: readonly SecretNameRule[], kind: "directories" | "files"): string[] {
  const globs = rules.flatMap(({ names }) => names.split(" "));
  if (kind === "files") return globs.filter((each) => !each.endsWith("/"));
  return globs.filter((each) => each.endsWith("/")).map((each) => each.slice(0, -1));
}

const isConditional = ({ holds, unless }: SecretNameRule) =>
  holds !== undefined || unless !== undefined;
const conditional = SECRET_NAME_RULES.filter(isConditional);
type ConditionalRule = Omit<SecretNameRule, "names"> & { readonly names: NameSet };
const CONDITIONAL = conditional.map(
  (rule): ConditionalRule => ({ ...rule, names: new NameSet(globsOf([rule], "files")) }),
);
const ALWAYS = new NameSet(
  globsOf(
    SECRET_NAME_RULES.filter((rule) => !isConditional(rule)),
    "files",
  ),
);
const SOMETIMES = new NameSet(globsOf(conditional, "files"));
const DIRECTORIES = new NameSet(globsOf(SECRET_NAME_RULES, "directories"));
const EXAMPLES = new NameSet(EXAMPLE_NAMES.split(" "));
const HARMLESS = new NameSet(`${EXAMPLE_NAMES} ${SOURCE_NAMES}`.split(" "));
const SETTINGS_FILES = new NameSet(SETTINGS_FILE_NAMES.split(" "));
