/** Limits on what a model may send and receive. Each name contains its unit. */
export interface CallLimits {
  /** Maximum length of the arguments of one call. @default 2_000_000 */
  readonly maxArgumentsCharacters: number;
  /** Maximum nesting depth of arguments. @default 200 */
  readonly maxArgumentsDepth: number;
  /**
   * Maximum length of an answer to the model. The middle of a longer one is cut out. @default
   * 100_000
   */
  readonly maxAnswerCharacters: number;
  /**
   * Maximum length of a result. If it is longer, the call fails and is rolled back. @default
   * 20_000_000
   */
  readonly maxResultCharacters: number;
  /**
   * Maximum size of an image in a result. If it is larger, the call fails and is rolled back.
   * @default 5_000_000
   */
  readonly maxImageBytes: number;
  /**
   * Maximum number of images in a result. If there are more, the call fails and is rolled back.
   * @default 20
   */
  readonly maxImages: number;
  /** Maximum length of an error message. @default 2_000 */
  readonly maxMessageCharacters: number;
  /** How long the end of a call waits for running file operations. @default 5_000 */
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
