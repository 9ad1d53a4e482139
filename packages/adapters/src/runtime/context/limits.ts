/** Bounds on what a model may send and be sent. Each has its unit in its name. */
export interface CallLimits {
  /** Longest arguments of one call. @default 2_000_000 */
  readonly maxArgumentsCharacters: number;
  /** Deepest nesting of arguments. @default 200 */
  readonly maxArgumentsDepth: number;
  /** Longest answer to the model; beyond it the middle is left out. @default 100_000 */
  readonly maxAnswerCharacters: number;
  /** Longest result; beyond it the call fails and is undone. @default 20_000_000 */
  readonly maxResultCharacters: number;
  /** Largest picture of a result; beyond it the call fails and is undone. @default 5_000_000 */
  readonly maxImageBytes: number;
  /** Most pictures of a result; beyond it the call fails and is undone. @default 20 */
  readonly maxImages: number;
  /** Longest message about something that went wrong. @default 2_000 */
  readonly maxMessageCharacters: number;
  /** How long the end of a call waits for file operations that are under way. @default 5_000 */
  readonly settleMs: number;
}

export const DEFAULT_CALL_LIMITS: CallLimits = Object.freeze({
  maxArgumentsCharacters: 2_000_000,
  maxArgumentsDepth: 200,
  maxAnswerCharacters: 100_000,
  maxResultCharacters: 20_000_000,
  maxImageBytes: 5_000_000,
  maxImages: 20,
  maxMessageCharacters: 2_000,
  settleMs: 5_000,
});
