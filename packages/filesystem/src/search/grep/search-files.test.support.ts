import { FileContent } from "../../content/file-content.js";
import type { WalkEntry } from "../../driver/driver-accelerators.js";
import type { VirtualPath } from "../../path/virtual-path.js";
import type { NodeKind } from "../../protocol/filesystem.js";
import { globFiles } from "../glob/glob-files.js";
import { compileGlob, type GlobPattern } from "../glob/glob-pattern.js";
import { compileGrep } from "./grep-engine.js";
import { type GrepFilesOptions, grepFiles } from "./grep-files.js";
import { GREP_OPTIONS } from "./grep-options.test.support.js";

type Load = () => FileContent | undefined | Promise<FileContent | undefined>;

export const ROOT = "" as VirtualPath;

/** All paths in these tests are normal. */
export function entry(path: string, load: Load | NodeKind = () => contentOf("")): WalkEntry {
  const kind = typeof load === "string" ? load : "file";
  return { path: path as VirtualPath, kind, load: typeof load === "string" ? unexpected : load };
}

function unexpected(): never {
  throw new TypeError("This must not be opened.");
}

export function contentOf(text: string): FileContent {
  return FileContent.ofText(text, Buffer.byteLength(text), "r");
}

export function files(texts: Readonly<Record<string, string>>): WalkEntry[] {
  return Object.entries(texts).map(([path, text]) => entry(path, () => contentOf(text)));
}

export function glob(pattern: string) {
  return compileGlob(pattern, { operation: "glob", maxPatternCharacters: 4_096 });
}

export function globOf(
  entries: readonly WalkEntry[],
  pattern: string | GlobPattern,
  options: object = {},
) {
  const compiled = typeof pattern === "string" ? glob(pattern) : pattern;
  const chosen = { base: ROOT, directories: false, maxMatches: 10_000, ...options };
  return globFiles({ entries, pattern: compiled, ...chosen });
}

export function grepOf(
  entries: GrepFilesOptions["entries"],
  pattern: string,
  options: Partial<GrepFilesOptions> = {},
) {
  const engine = compileGrep(pattern, GREP_OPTIONS);
  const limits = { maxMatches: 1_000, maxFileBytes: 1_000_000 };
  return grepFiles({ entries, base: ROOT, engine, ...limits, ...options });
}

export async function* slowly(entries: readonly WalkEntry[]): AsyncGenerator<WalkEntry> {
  for (const each of entries) {
    await Promise.resolve();
    yield each;
  }
}

/**
 * In walk order, which is neither the order of names nor of UTF-16: `a-b` comes before `a/x`, and U+FF5E before an
 * emoji.
 */
export const SORTED = ["a-b", "a.c", "a/x", "a/y/z", "a0", "b", "～", "😀"];
