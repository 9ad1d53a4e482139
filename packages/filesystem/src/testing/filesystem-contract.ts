import { describeKind } from "@wink/store/internal";
import { findRunner, type TestRunner } from "@wink/store/testing";
import type { FilesystemOptions } from "../backend/driver-filesystem.js";
import type { Filesystem } from "../protocol/filesystem.js";
import { contractAreas } from "./contract/areas.js";
import type { ContractCase } from "./contract/contract-case.js";

/** Makes a new, empty filesystem with these options. Called at least once per case. */
export type FilesystemFactory = (options: FilesystemOptions) => Filesystem | Promise<Filesystem>;

/**
 * The cases that a backend does not support: the id of a case, and the reason, which is printed.
 *
 * An id is the area and the title of a case as the test run prints them, without the promise numbers in brackets:
 * `write: reports what it wrote`. The name of an area alone, such as `links`, means all its cases.
 */
export type ContractGaps = Readonly<Record<string, string>>;

export interface ContractOptions {
  /** Cleans up a filesystem from the factory, after its case. @default does nothing */
  readonly cleanup?: ((filesystem: Filesystem) => void | Promise<void>) | undefined;
  /**
   * The test framework, if it is not detected automatically.
   *
   * @default the global `describe` and `it`, else those of vitest when it runs the file, else those of `node:test`
   */
  readonly runner?: TestRunner | undefined;
}

/**
 * Registers all cases of the contract for one backend, in the test framework that runs the file: vitest, Jest, Mocha,
 * `node --test`, or plain `node` with `node:test`.
 *
 * Cases in `gaps` are skipped, and a line that starts with `skipped: ` prints the reason. A gap with an unknown id is
 * an error, so that outdated gaps are noticed. So is a gap without a reason.
 */
export function filesystemContract(
  name: string,
  factory: FilesystemFactory,
  gaps: ContractGaps = {},
  options: ContractOptions = {},
): void {
  if (typeof factory !== "function")
    throw new Error(
      `filesystemContract: the factory must be a function, got ${describeKind(factory)}.`,
    );
  requireKnownGaps(gaps);
  const { cleanup, runner = findRunner("filesystemContract") } = options;
  runner.describe(`${name} fulfils the filesystem contract`, () => {
    for (const area of contractAreas)
      runner.describe(area.name, () => {
        for (const each of area.cases)
          register(runner, name, each, gaps[each.id] ?? gaps[area.name], factory, cleanup);
      });
  });
}

function register(
  { it }: TestRunner,
  name: string,
  { id, title, run }: ContractCase,
  gap: string | undefined,
  factory: FilesystemFactory,
  cleanup: ContractOptions["cleanup"],
): void {
  if (gap !== undefined) {
    console.log(`skipped: ${name} ${id}: ${gap}`);
    it.skip?.(`${title}: ${gap}`, () => {});
    return;
  }
  it(title, async () => {
    const opened: Filesystem[] = [];
    try {
      await run(async (options = {}) => {
        const filesystem = await factory(options);
        opened.push(filesystem);
        return filesystem;
      });
    } finally {
      for (const filesystem of opened) await cleanup?.(filesystem);
    }
  });
}

function requireKnownGaps(gaps: ContractGaps): void {
  // A map or a function has no own keys, so it would look like an empty object.
  if (Object.prototype.toString.call(gaps) !== "[object Object]")
    throw new Error(
      `gaps: expected an object with case ids as keys and reasons as values.\n${HOW_TO_GIVE_GAPS}`,
    );
  const ids = contractAreas.flatMap(({ cases }) => cases.map(({ id }) => id));
  const areas = contractAreas.map(({ name }) => name);
  const problems = Object.entries(gaps).flatMap(([id, reason]) => {
    if (!ids.includes(id) && !areas.includes(id))
      return [`- ${quote(id)} is not the id of a case.${suggest(id, ids)}`];
    const isReason = typeof reason === "string" && reason.trim() !== "";
    return isReason
      ? []
      : [`- ${quote(id)} has no reason. Give a text that says why the case is skipped.`];
  });
  if (problems.length > 0)
    throw new Error(["gaps: invalid entries.", ...problems, HOW_TO_GIVE_GAPS].join("\n"));
}

const HOW_TO_GIVE_GAPS =
  "An id is the area and the title of a case as the test run prints them, without the promise numbers in brackets. " +
  "The third argument contains only gaps; cleanup and runner are options in the fourth: " +
  "filesystemContract(name, factory, gaps, { cleanup, runner }).";

const MIN_LIKENESS = 0.4;

/** The most similar ids; an empty string when none is similar enough. */
function suggest(unknown: string, ids: readonly string[]): string {
  const pairs = pairsOf(unknown);
  const near = ids
    .map((id) => ({ id, likeness: likenessOf(pairs, pairsOf(id)) }))
    .filter(({ likeness }) => likeness >= MIN_LIKENESS)
    .sort((one, other) => other.likeness - one.likeness)
    .slice(0, 3);
  return near.length === 0 ? "" : ` Did you mean: ${near.map(({ id }) => quote(id)).join(", ")}?`;
}

/** All pairs of adjacent letters. */
function pairsOf(text: string): ReadonlySet<string> {
  const letters = text.toLowerCase();
  return new Set(Array.from(letters, (_, index) => letters.slice(index, index + 2)));
}

/** From 0 (nothing in common) to 1. */
function likenessOf(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const common = [...one].filter((pair) => other.has(pair)).length;
  return (2 * common) / (one.size + other.size);
}

function quote(id: string): string {
  return JSON.stringify(id);
}
