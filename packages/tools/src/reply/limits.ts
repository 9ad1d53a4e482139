/** What one call of a tool may take and answer. Every field can be set; what is left out keeps its default. */
export interface ToolLimits {
  /** Most characters that one call may write: of `content`, of all new strings, or of all old ones. @default 48_000 */
  readonly maxWriteCharacters: number;
  /** Most characters of a whole answer. @default 48_000 */
  readonly maxAnswerCharacters: number;
  /** A longer line is shown by its head and its tail. @default 2_000 */
  readonly maxLineCharacters: number;
  /** Most lines `read_file` shows at a time. @default 2_000 */
  readonly maxReadLines: number;
  /** Most entries or matches that `ls`, `glob` and `grep` show at a time. @default 500 */
  readonly maxPageItems: number;
  /** Most context lines around a match of `grep`. @default 20 */
  readonly maxContextLines: number;
  /** Most characters of the diff that an edit answers with. @default 4_000 */
  readonly maxDiffCharacters: number;
  /** Most edits in one `multi_edit`. @default 100 */
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

/** An answer always has room for its message and a line of hint beside the page it shows. */
const LEAST_ANSWER_CHARACTERS = 4_000;

/** Fills in the defaults and refuses a limit that is not a whole number above 0. */
export function resolveToolLimits(limits: Partial<ToolLimits> = {}): ToolLimits {
  const given = Object.entries(limits).filter(([, value]) => value !== undefined);
  const resolved: ToolLimits = { ...DEFAULT_TOOL_LIMITS, ...Object.fromEntries(given) };
  for (const [name, value] of Object.entries(resolved))
    if (!Number.isSafeInteger(value) || value < 1)
      throw new RangeError(`${name} must be a whole number above 0, not ${String(value)}.`);
  if (resolved.maxAnswerCharacters < LEAST_ANSWER_CHARACTERS)
    throw new RangeError(`maxAnswerCharacters must be at least ${LEAST_ANSWER_CHARACTERS}.`);
  return Object.freeze(resolved);
}

/** What an answer leaves for its body once the message has its room. */
export function bodyCharacters({ maxAnswerCharacters }: ToolLimits): number {
  return maxAnswerCharacters - 2_000;
}
