import type { FilesystemOptions } from "../../backend/driver-filesystem.js";
import type { Filesystem } from "../../protocol/filesystem.js";
import { Random } from "./random.test.support.js";
import { globStep, randomChange, randomStep, type Step } from "./random-step.test.support.js";
import { ReferenceFilesystem } from "./reference-filesystem.test.support.js";

/** Small, so that every limit and quota is reached often. */
const RULES = {
  maxWriteBytes: 120,
  maxPathDepth: 5,
  maxSegmentCharacters: 8,
  maxTotalBytes: 400,
  maxFileBytes: 125,
  maxNodeCount: 24,
};

/** The options for a filesystem that the test compares. */
export const DIFFERENTIAL_OPTIONS: FilesystemOptions = {
  limits: {
    maxWriteBytes: RULES.maxWriteBytes,
    maxPathDepth: RULES.maxPathDepth,
    maxSegmentCharacters: RULES.maxSegmentCharacters,
  },
  quotas: {
    maxTotalBytes: RULES.maxTotalBytes,
    maxFileBytes: RULES.maxFileBytes,
    maxNodeCount: RULES.maxNodeCount,
  },
};

/** For a filesystem that outlives its process: closes it and opens it again after this number of operations. */
export interface Reopening {
  readonly every: number;
  readonly reopen: (filesystem: Filesystem) => Promise<Filesystem>;
}

export interface DifferentialReport {
  readonly operations: number;
  /** How often each outcome occurred, by code; `ok` for success. */
  readonly outcomes: Readonly<Record<string, number>>;
  /** The difference, or `undefined` when there was none. */
  readonly divergence: string | undefined;
}

/**
 * Runs the same random operations on an empty filesystem and on the reference model, until they differ or the count is
 * reached.
 */
export async function runDifferential(
  filesystem: Filesystem,
  seed: number,
  operations: number,
  reopening: Reopening = { every: Number.POSITIVE_INFINITY, reopen: async (same) => same },
): Promise<DifferentialReport> {
  const { stackTraceLimit } = Error;
  // No stack traces: most operations are rejected, twice each, and capturing the traces takes most of the time.
  Error.stackTraceLimit = 0;
  try {
    return await compareSteps(filesystem, seed, operations, reopening);
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

async function compareSteps(
  opened: Filesystem,
  seed: number,
  operations: number,
  { every, reopen }: Reopening,
): Promise<DifferentialReport> {
  let filesystem = opened;
  const random = new Random(seed);
  const model = new ReferenceFilesystem(RULES);
  const outcomes: Record<string, number> = {};
  const history: string[] = [];
  for (let count = 1; count <= operations; count++) {
    const step = count === operations ? globStep() : randomStep(random);
    history.push(step.says);
    if (history.length > 12) history.shift();
    if (count % every === 0) filesystem = await reopen(filesystem);
    const expected = outcomeOfModel(step, model);
    const actual = await outcomeOfReal(step, filesystem);
    outcomes[expected.code] = (outcomes[expected.code] ?? 0) + 1;
    if (expected.code === actual.code && expected.value === actual.value) continue;
    const divergence = [
      `operation ${count} of seed ${seed} differs`,
      ...history.map((says) => `  ${says}`),
      `expected ${expected.code} ${expected.value}`,
      `but got  ${actual.code} ${actual.value}`,
    ].join("\n");
    return { operations: count, outcomes, divergence };
  }
  return { operations, outcomes, divergence: undefined };
}

/** Starts many changes concurrently and compares each with the model, which applies them one by one in call order. */
export async function runConcurrently(
  filesystem: Filesystem,
  seed: number,
  operations: number,
): Promise<string | undefined> {
  const random = new Random(seed);
  const model = new ReferenceFilesystem(RULES);
  for (let count = 0; count < operations; ) {
    const steps = Array.from({ length: 1 + random.below(30) }, () => randomChange(random));
    count += steps.length;
    const expected = steps.map((step) => outcomeOfModel(step, model));
    const actual = await Promise.all(steps.map((step) => outcomeOfReal(step, filesystem)));
    const [whole, real] = [
      outcomeOfModel(globStep(), model),
      await outcomeOfReal(globStep(), filesystem),
    ];
    if (JSON.stringify([expected, whole]) === JSON.stringify([actual, real])) continue;
    return JSON.stringify({
      seed,
      steps: steps.map(({ says }) => says),
      expected,
      actual,
      whole,
      real,
    });
  }
  return undefined;
}

interface Outcome {
  readonly code: string;
  readonly value: string | undefined;
}

function outcomeOfModel(step: Step, model: ReferenceFilesystem): Outcome {
  try {
    return { code: "ok", value: JSON.stringify(step.model(model)) };
  } catch (error) {
    return { code: codeOf(error), value: undefined };
  }
}

async function outcomeOfReal(step: Step, filesystem: Filesystem): Promise<Outcome> {
  try {
    return { code: "ok", value: JSON.stringify(await step.real(filesystem)) };
  } catch (error) {
    return { code: codeOf(error), value: undefined };
  }
}

function codeOf(error: unknown): string {
  if (error instanceof Error && "code" in error) return String(error.code);
  throw error;
}
