import { globMatcher } from "@wink/filesystem";
import { isBlank } from "./harmless-content.js";
import { textOf } from "./secret-content.js";
import type { SecretNameRule } from "./secret-name-rule.js";
import {
  COPY_ENDING,
  EXAMPLE_NAMES,
  IMAGE_NAMES,
  SECRET_NAME_RULES,
  SETTINGS_FILE_NAMES,
  SOURCE_NAMES,
} from "./secret-name-rules.js";
import { hasSecretLine, hasSecretSetting } from "./secret-settings.js";

/**
 * Why a file is secret by its name and its content together; `undefined` if it is not. Takes the absolute host path,
 * because the meaning of a name can depend on the directories above it.
 */
export function secretName(hostPath: string, bytes: Uint8Array): string | undefined {
  const named = matchesFile(hostPath, NAMES);
  const isSettings = SETTINGS_FILES.matches(hostPath.toLowerCase());
  if (named === undefined && !isSettings) return undefined;
  const text = textOf(bytes);
  if (named !== undefined && !isBlank(text) && RULES.some((rule) => applies(rule, named, text)))
    return BY_NAME;
  const isExample = EXAMPLES.matches(hostPath.toLowerCase());
  if (!isSettings || isExample || text.includes("\0")) return undefined;
  return hasSecretSetting(text, "generated") ? "secret content: key or token" : undefined;
}

/** Whether a path, such as that of a link, has the name of a secret. Its content is not known. */
export function isNamedSecret(hostPath: string): boolean {
  const named = matchesFile(hostPath, NAMES);
  return (
    named !== undefined &&
    RULES.some((rule) => rule.holds === undefined && rule.names.matches(named))
  );
}

/** The `detail` of a file that was left out because of its name. */
export const BY_NAME = "secret name";

function applies({ names, holds, unless }: CompiledRule, path: string, text: string): boolean {
  if (!names.matches(path)) return false;
  if (unless instanceof RegExp ? unless.test(text) : unless?.(text)) return false;
  if (typeof holds !== "string") return holds?.test(text) ?? true;
  return hasSecretSetting(text, holds) || hasSecretLine(text);
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
    for (const glob of this.#globs) if (glob(relative)) return true;
    return false;
  }
}

function compile(globs: readonly string[]): (path: string) => boolean {
  const pattern = globs.length === 1 ? (globs[0] ?? "") : `{${globs.join(",")}}`;
  return globMatcher([pattern], { operation: "mount", maxPatternCharacters: Infinity });
}

function isPath(glob: string): boolean {
  return glob.includes("/");
}

type CompiledRule = Omit<SecretNameRule, "names"> & { readonly names: NameSet };
const RULES = SECRET_NAME_RULES.map(
  (rule): CompiledRule => ({ ...rule, names: new NameSet(rule.names.split(" ")) }),
);
const NAMES = new NameSet(SECRET_NAME_RULES.flatMap(({ names }) => names.split(" ")));
const EXAMPLES = new NameSet(EXAMPLE_NAMES.split(" "));
const HARMLESS = new NameSet(`${EXAMPLE_NAMES} ${SOURCE_NAMES} ${IMAGE_NAMES}`.split(" "));
const SETTINGS_FILES = new NameSet(SETTINGS_FILE_NAMES.split(" "));
