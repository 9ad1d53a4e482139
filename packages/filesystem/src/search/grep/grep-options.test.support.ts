import type { CompileGrepOptions } from "./grep-engine.js";

/** What a search for a plain regular expression has by default. */
export const GREP_OPTIONS: CompileGrepOptions = {
  operation: "grep",
  path: ".",
  ignoreCase: false,
  literal: false,
  maxPatternCharacters: 4_096,
  maxGrepLineCharacters: 500,
  maxSlowRegexMs: 500,
};
