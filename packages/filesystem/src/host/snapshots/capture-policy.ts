import { compileGlob } from "../../search/glob/glob-pattern.js";
import type { HostFilesystemOptions } from "../driver/host-options.js";
import type { NamesEscaped } from "../git-store/tree-name.js";

const MAX_PATTERN_CHARACTERS = 1_000;
const DEFAULT_MAX_FILE_BYTES = 1024 * 1024 * 1024;

export type CapturePolicyOptions = Pick<HostFilesystemOptions, "exclude" | "maxFileBytes">;

/** Decides which files are captured. The host sets it, never a file inside the workspace. */
export interface CapturePolicy {
  /** Equal for policies that capture the same files. */
  readonly key: string;
  readonly maxFileBytes: number;
  /** Which names are escaped in tree objects. @default "every" */
  readonly namesEscaped?: NamesEscaped | undefined;
  excludes(path: string): boolean;
}

export function capturePolicy(options: CapturePolicyOptions): CapturePolicy {
  const { exclude = [], maxFileBytes = DEFAULT_MAX_FILE_BYTES } = options;
  const patterns = exclude.map((pattern) =>
    compileGlob(pattern, {
      operation: "snapshot",
      maxPatternCharacters: MAX_PATTERN_CHARACTERS,
    }),
  );
  return {
    key: JSON.stringify([exclude, maxFileBytes]),
    maxFileBytes,
    excludes: (path) => patterns.some((pattern) => pattern.matches(path)),
  };
}
