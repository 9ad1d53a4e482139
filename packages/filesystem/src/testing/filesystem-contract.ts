import type { FilesystemOptions } from "../driver-filesystem.js";
import type { Filesystem } from "../filesystem.js";
import { contractAreas } from "./contract/areas.js";
import type { ContractCase } from "./contract-case.js";
import { findRunner, type TestRunner } from "./test-runner.js";

/** Makes a new, empty filesystem with these options. Called once or more in each case. */
export type FilesystemFactory = (options: FilesystemOptions) => Filesystem | Promise<Filesystem>;

export interface ContractOptions {
  /** Puts away what a factory made, after its case. @default nothing to do */
  readonly cleanup?: ((filesystem: Filesystem) => void | Promise<void>) | undefined;
  /** What the backend cannot do: the id of a case, and the reason, which is printed. @default none */
  readonly gaps?: Readonly<Record<string, string>> | undefined;
  /** @default the global `describe` and `it` */
  readonly runner?: TestRunner | undefined;
}

/**
 * Registers every case of the contract for one backend.
 *
 * It works in vitest, Jest and `node:test`, and in anything else that has a
 * `describe` and an `it`. A gap that names no case is an error, so that none
 * outlives what it was for.
 */
export function filesystemContract(
  name: string,
  factory: FilesystemFactory,
  options: ContractOptions = {},
): void {
  const { gaps = {}, cleanup } = options;
  const runner = options.runner ?? findRunner();
  requireKnownGaps(gaps);
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

function requireKnownGaps(gaps: Readonly<Record<string, string>>): void {
  const known = new Set(contractAreas.flatMap(({ cases }) => cases.map(({ id }) => id)));
  const unknown = Object.keys(gaps).filter((id) => !known.has(id));
  if (unknown.length > 0)
    throw new Error(`These gaps name no case of the contract: ${unknown.join("; ")}.`);
}
