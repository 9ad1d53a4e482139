import type { FilesystemOptions } from "../operations/driver-filesystem.js";
import type { Filesystem } from "../protocol/filesystem.js";
import { contractAreas } from "./contract/areas.js";
import type { ContractCase } from "./contract/contract-case.js";
import { findRunner, type TestRunner } from "./test-runner.js";

/** Makes a new, empty filesystem with these options. Called once or more in each case. */
export type FilesystemFactory = (options: FilesystemOptions) => Filesystem | Promise<Filesystem>;

/**
 * What a backend cannot do: the id of a case, and the reason, which is printed.
 *
 * An id is the area and the title of a case as a run shows them, without the
 * promises in brackets: `write: says what it wrote`.
 */
export type ContractGaps = Readonly<Record<string, string>>;

export interface ContractOptions {
  /** Puts away what a factory made, after its case. @default nothing to do */
  readonly cleanup?: ((filesystem: Filesystem) => void | Promise<void>) | undefined;
  /**
   * What takes the cases, where it is not found by itself.
   *
   * @default the global `describe` and `it`, else those of vitest when it runs the file, else those of `node:test`
   */
  readonly runner?: TestRunner | undefined;
}

/**
 * Registers every case of the contract for one backend, in the test framework that runs the file:
 * vitest, Jest, Mocha, `node --test`, or plain `node`, where `node:test` takes them.
 *
 * Cases named in `gaps` are skipped, and a line that begins with `skipped: `
 * says why. A gap that names no case is an error, so that none outlives what
 * it was for, and so is one without a reason.
 */
export function filesystemContract(
  name: string,
  factory: FilesystemFactory,
  gaps: ContractGaps = {},
  options: ContractOptions = {},
): void {
  requireKnownGaps(gaps);
  const { cleanup, runner = findRunner() } = options;
  runner.describe(`${name} keeps the filesystem contract`, () => {
    for (const area of contractAreas)
      runner.describe(area.name, () => {
        for (const each of area.cases)
          register(runner, name, each, gaps[each.id], factory, cleanup);
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
  // A map or a function has no keys of its own, and would pass for no gaps at all.
  if (Object.prototype.toString.call(gaps) !== "[object Object]")
    throw new TypeError(`The gaps are no object from ids to reasons.\n${HOW_TO_GIVE_GAPS}`);
  const ids = contractAreas.flatMap(({ cases }) => cases.map(({ id }) => id));
  const problems = Object.entries(gaps).flatMap(([id, reason]) => {
    if (!ids.includes(id)) return [`- ${quote(id)} names no case.${suggest(id, ids)}`];
    const isReason = typeof reason === "string" && reason.trim() !== "";
    return isReason ? [] : [`- ${quote(id)} has no reason: a text that says why it is left out.`];
  });
  if (problems.length > 0)
    throw new Error(
      ["The contract cannot have these gaps:", ...problems, HOW_TO_GIVE_GAPS].join("\n"),
    );
}

const HOW_TO_GIVE_GAPS =
  "An id is the area and the title of a case as a run shows them, without the promises in brackets. " +
  "The third argument holds gaps and nothing else; cleanup and runner are options, in the fourth: " +
  "filesystemContract(name, factory, gaps, { cleanup, runner }).";

const MIN_LIKENESS = 0.4;

/** The ids most like one that there is not; nothing where none is much like it. */
function suggest(unknown: string, ids: readonly string[]): string {
  const pairs = pairsOf(unknown);
  const near = ids
    .map((id) => ({ id, likeness: likenessOf(pairs, pairsOf(id)) }))
    .filter(({ likeness }) => likeness >= MIN_LIKENESS)
    .sort((one, other) => other.likeness - one.likeness)
    .slice(0, 3);
  return near.length === 0 ? "" : ` Near it: ${near.map(({ id }) => quote(id)).join(", ")}.`;
}

/** Each two letters that stand side by side. */
function pairsOf(text: string): ReadonlySet<string> {
  const letters = text.toLowerCase();
  return new Set(Array.from(letters, (_, index) => letters.slice(index, index + 2)));
}

/** From 0, nothing in common, to 1. */
function likenessOf(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const common = [...one].filter((pair) => other.has(pair)).length;
  return (2 * common) / (one.size + other.size);
}

function quote(id: string): string {
  return JSON.stringify(id);
}
