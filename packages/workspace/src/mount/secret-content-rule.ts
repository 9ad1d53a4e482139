/** A pattern that marks a file's content as secret, whatever its name. */
export interface SecretContentRule {
  /** The kind of secret, as shown in the mount report. */
  readonly what: string;
  /**
   * Every match contains one of these texts, each at least 3 characters long. The pattern runs only if one of them is
   * found.
   */
  readonly anchors: readonly string[];
  /**
   * Repetitions are bounded, so that matching takes linear time. The groups capture the secret, which must look random.
   */
  readonly pattern: RegExp;
  /** A further check of the captured secret. @default none */
  readonly confirm?: ((secret: string) => boolean) | undefined;
}
