import type { CompileGrepOptions } from "./grep-engine.js";

/** The default options for a plain regular expression. */
export const GREP_OPTIONS: CompileGrepOptions = {
  operation: "grep",
  ignoreCase: false,
  literal: false,
  maxPatternCharacters: 4_096,
  maxGrepLineCharacters: 500,
  maxSlowRegexMs: 500,
};
