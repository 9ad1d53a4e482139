import { describe, expect, it, onTestFinished, vi } from "vitest";
import { InMemoryFilesystem } from "../in-memory-filesystem.js";
import type { FilesystemFactory } from "./filesystem-contract.js";
import { type ContractOptions, filesystemContract } from "./filesystem-contract.js";

interface Case {
  readonly name: string;
  readonly run: () => Promise<void>;
}

/** Registers the contract with a runner that only takes notes. */
function collect(factory: FilesystemFactory, options: Omit<ContractOptions, "runner"> = {}) {
  const cases: Case[] = [];
  const skipped: string[] = [];
  const take = (name: string, run: () => Promise<void>) => cases.push({ name, run });
  const skip = (name: string) => skipped.push(name);
  filesystemContract("mine", factory, {
    ...options,
    runner: { describe: (_, body) => body(), it: Object.assign(take, { skip }) },
  });
  return { cases, skipped };
}

async function failuresOf(cases: readonly Case[]): Promise<readonly string[]> {
  const failed: string[] = [];
  for (const { name, run } of cases) await run().catch(() => failed.push(name));
  return failed;
}

describe("the contract", () => {
  it("has more than 300 cases, each with a title of its own that quotes a promise (FS-74)", () => {
    const { cases } = collect((options) => new InMemoryFilesystem(options));
    expect(cases.length).toBeGreaterThan(300);
    expect(cases.filter(({ name }) => !/\((?:[A-K]\d+|FS-\d+)[^()]*\)$/.test(name))).toEqual([]);
  });

  it("finds out a backend that forgets one of its rules (FS-74)", async () => {
    const flaws: Readonly<Record<string, FilesystemFactory>> = {
      "allows .git": (options) => new InMemoryFilesystem({ ...options, allowGit: true }),
      "has no quotas": ({ quotas: _, ...options }) => new InMemoryFilesystem(options),
      "has no limits": ({ limits: _, ...options }) => new InMemoryFilesystem(options),
      "is never read-only": ({ readOnly: _, ...options }) => new InMemoryFilesystem(options),
      "clamps what climbs": (options) =>
        flawed(options, (fs) => ({
          read: (path, given) => fs.read(path.replaceAll("../", ""), given),
        })),
      "trims paths": (options) =>
        flawed(options, (fs) => ({
          write: (path, ...rest) => fs.write(String(path).trim(), ...rest),
        })),
      "forgets the last line end": (options) =>
        flawed(options, (fs) => ({
          read: async (path, given) => {
            const page = await fs.read(path, given);
            return Object.freeze({ ...page, content: page.content.replace(/\n$/, "") });
          },
        })),
      "ignores signals": (options) => flawed(options, (fs) => ({ stat: (path) => fs.stat(path) })),
      "lets results be changed": (options) =>
        flawed(options, (fs) => ({ usage: async () => ({ ...(await fs.usage()) }) })),
      "lists in no order": (options) =>
        flawed(options, (fs) => ({
          list: async (path, given) => {
            const list = await fs.list(path, given);
            return Object.freeze(Object.assign([...list].reverse(), { truncated: list.truncated }));
          },
        })),
    };
    for (const [flaw, factory] of Object.entries(flaws)) {
      const failed = await failuresOf(collect(factory).cases);
      expect(failed.length, flaw).toBeGreaterThan(0);
    }
  });

  it("skips what a backend cannot do and prints the reason (FS-74)", () => {
    const log = vi.spyOn(console, "log").mockImplementation(() => {});
    onTestFinished(() => log.mockRestore());
    const gaps = { "write: says what it wrote": "it is shy" };
    const { cases, skipped } = collect((options) => new InMemoryFilesystem(options), { gaps });
    expect(log.mock.calls).toEqual([["skipped: mine write: says what it wrote: it is shy"]]);
    expect(skipped).toEqual(["says what it wrote (FS-25): it is shy"]);
    expect(cases.some(({ name }) => name.startsWith("says what it wrote"))).toBe(false);
  });

  it("refuses a gap that names no case (FS-74)", () => {
    expect(() =>
      collect(() => new InMemoryFilesystem(), { gaps: { "read: sings": "no" } }),
    ).toThrow("These gaps name no case of the contract: read: sings.");
  });

  it("puts every filesystem away after its case, also when the case fails (FS-74)", async () => {
    let open = 0;
    const { cases } = collect(
      () => {
        open++;
        // Whatever the case asks for, it gets one that cannot be written.
        return new InMemoryFilesystem({ readOnly: true });
      },
      { cleanup: () => void open-- },
    );
    const failed = await failuresOf(cases.slice(0, 40));
    expect([open, failed.length > 0]).toEqual([0, true]);
  });

  it("says what to give it where there is no test framework (FS-74)", () => {
    expect(() => filesystemContract("mine", () => new InMemoryFilesystem())).toThrow(
      "There is no global describe and it.",
    );
  });
});

/** A filesystem of which some calls are replaced. */
function flawed(
  options: Parameters<FilesystemFactory>[0],
  replace: (fs: InMemoryFilesystem) => Partial<InMemoryFilesystem>,
): InMemoryFilesystem {
  const fs = new InMemoryFilesystem(options);
  const replaced = replace(fs);
  return new Proxy(fs, {
    get(target, name) {
      const member: unknown = Reflect.get(Object.hasOwn(replaced, name) ? replaced : target, name);
      return typeof member === "function" ? member.bind(target) : member;
    },
  });
}
