/** The result of a check. */
export interface Outcome {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** The problems and their places. */
  readonly failures: readonly string[];
  /** Always shown: reasons for skipped tests, slow files. */
  readonly notes: readonly string[];
}

/** One step of the test command. */
export interface Check {
  readonly name: string;
  /** What it checks, for `--help`. */
  readonly promise: string;
  /** How long it takes alone on two quiet cores, without containers. */
  readonly usualSeconds: number;
  /** Whether the plain command leaves it out. @default false */
  readonly isForCi?: boolean;
  /** `onProgress` receives the progress in a few words. */
  run(onProgress: (progress: string) => void): Promise<Outcome>;
}

/** The problems of one checked item. */
export interface Verdict {
  readonly problems: readonly string[];
}

/** Counts an item without problems as passed, and each problem as a failure. */
export function outcomeOf(verdicts: readonly Verdict[]): Outcome {
  const failures = verdicts.flatMap((verdict) => verdict.problems);
  return {
    passed: verdicts.filter((verdict) => verdict.problems.length === 0).length,
    failed: failures.length,
    skipped: 0,
    failures,
    notes: [],
  };
}

/** The closing line: the only one that other programs read. */
export function closingLine(outcomes: readonly Outcome[]): string {
  const sum = (key: "passed" | "failed" | "skipped") =>
    outcomes.reduce((total, outcome) => total + outcome[key], 0);
  const skipped = sum("skipped");
  const counts = `${sum("passed")} passed, ${sum("failed")} failed`;
  return skipped === 0 ? counts : `${counts}, ${skipped} skipped`;
}
