import { invalidOption, resolveLimits } from "../error/check-options.js";

/** Limits for the input and the answer of one tool call. */
export interface ToolLimits {
  /** Maximum number of characters of `content`, of all new strings together, and of all old strings together. @default 48_000 */
  readonly maxWriteCharacters: number;
  /** Maximum number of characters of a whole answer. @default 48_000 */
  readonly maxAnswerCharacters: number;
  /** Only the start and the end of a longer line are shown. @default 2_000 */
  readonly maxLineCharacters: number;
  /** Maximum number of lines that one `read_file` shows. @default 2_000 */
  readonly maxReadLines: number;
  /** Maximum number of entries or matches that one `ls`, `glob` or `grep` shows. @default 500 */
  readonly maxPageItems: number;
  /** Maximum number of context lines before and after a match of `grep`. @default 20 */
  readonly maxContextLines: number;
  /** Maximum number of characters of the diff in the answer to an edit. @default 4_000 */
  readonly maxDiffCharacters: number;
  /** Maximum number of edits in one `multi_edit`. @default 100 */
  readonly maxEdits: number;
}

export const DEFAULT_TOOL_LIMITS: ToolLimits = Object.freeze({
  maxWriteCharacters: 48_000,
  maxAnswerCharacters: 48_000,
  maxLineCharacters: 2_000,
  maxReadLines: 2_000,
  maxPageItems: 500,
  maxContextLines: 20,
  maxDiffCharacters: 4_000,
  maxEdits: 100,
});

/** Enough for the message, a hint and a page. */
const MIN_ANSWER_CHARACTERS = 4_000;

/** Fills in the defaults. Throws if a limit is unknown or not an integer above 0. */
export function resolveToolLimits(limits?: Partial<ToolLimits>): ToolLimits {
  const resolved = resolveLimits("limits", limits, DEFAULT_TOOL_LIMITS);
  if (resolved.maxAnswerCharacters < MIN_ANSWER_CHARACTERS)
    throw invalidOption("limits", `maxAnswerCharacters must be at least ${MIN_ANSWER_CHARACTERS}`);
  return resolved;
}

/** The number of characters for the body of an answer. The rest is reserved for the message. */
export function bodyCharacters({ maxAnswerCharacters }: ToolLimits): number {
  return maxAnswerCharacters - 2_000;
}
