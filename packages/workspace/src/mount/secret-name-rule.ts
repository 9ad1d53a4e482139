import type { Certainty } from "./secret-settings.js";

/** Name patterns of files and directories that contain secrets. Case-insensitive. */
export interface SecretNameRule {
  /**
   * Globs, separated by spaces. A glob with a slash matches the end of the host path, the others match the last name.
   */
  readonly names: string;
  /** What the file contains. */
  readonly why: string;
  /** The rule applies only if the content matches, or has a setting with a secret value. @default it always applies */
  readonly holds?: RegExp | Certainty | undefined;
  /** The rule does not apply if the file's content matches. It never applies to an empty file. @default it always applies */
  readonly unless?: RegExp | ((text: string) => boolean) | undefined;
}
