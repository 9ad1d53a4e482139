/** The result of one check. */
export interface Check {
  readonly name: string;
  /** `failed`: `wink` does not work without it. `warning`: some features do not work. */
  readonly status: "ok" | "warning" | "failed";
  /** The finding. Never contains a key. */
  readonly message: string;
  /** What to do about it, in one sentence. @default nothing */
  readonly action?: string | undefined;
}

/** The results of all checks. */
export interface Diagnosis {
  /** Whether every check passed or only warned. */
  readonly usable: boolean;
  readonly checks: readonly Check[];
}
