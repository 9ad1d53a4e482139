/** One thing that was looked at. */
export interface Check {
  readonly name: string;
  /** `failed` when `wink` does not work without it, `warning` when some of it does not. */
  readonly status: "ok" | "warning" | "failed";
  /** What was found. Never a key. */
  readonly message: string;
  /** What to do about it, as one sentence. @default nothing */
  readonly action?: string | undefined;
}

/** What works on this machine. */
export interface Diagnosis {
  /** Whether nothing failed. */
  readonly usable: boolean;
  readonly checks: readonly Check[];
}
