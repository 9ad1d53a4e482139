import { execFile } from "node:child_process";
import { cp, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { createFilesystem } from "../backend/create-filesystem.js";
import { InMemoryFilesystem } from "../backend/in-memory-filesystem.js";
import type { FilesystemDriver } from "../driver/driver.js";
import {
  type ContractGaps,
  type ContractOptions,
  type FilesystemFactory,
  filesystemContract,
} from "./filesystem-contract.js";
import { linkDriver } from "./map-driver.test.support.js";

interface Case {
  readonly name: string;
  readonly run: () => Promise<void>;
}

/** Registers the contract with a runner that only records the cases. */
function collect(
  factory: FilesystemFactory,
  gaps?: ContractGaps,
  cleanup?: ContractOptions["cleanup"],
) {
  const cases: Case[] = [];
  const skipped: string[] = [];
  const take = (name: string, run: () => Promise<void>) => cases.push({ name, run });
  const skip = (name: string) => skipped.push(name);
  const runner = {
    describe: (_: string, body: () => void) => body(),
    it: Object.assign(take, { skip }),
  };
  filesystemContract("mine", factory, gaps, { cleanup, runner });
  return { cases, skipped };
}

/** The number of cases. */
const TOTAL = collect(() => new InMemoryFilesystem()).cases.length;

const PACKAGE = fileURLToPath(new URL("../..", import.meta.url));

const NODE_SUMMARY = `# pass ${TOTAL - 1}\n# fail 0\n# cancelled 0\n# skipped 1\n`;
const VITEST_SUMMARY = `Tests  ${TOTAL - 1} passed | 1 skipped (${TOTAL})`;
/** vitest's default limit of 5 s per test is too short on a busy machine. */
const PATIENCE = ["--testTimeout=240000", "--hookTimeout=240000"];
const VITEST = [
  ...[path.join(folderOf("vitest"), "vitest.mjs"), "run", "--reporter=default"],
  ...PATIENCE,
];

/** The name, the arguments for Node, and the output when one case is skipped and the others pass. */
type Run = readonly [how: string, args: readonly string[], summary: string];
const IN_THREADS: Run = ["vitest in threads", [...VITEST, "--pool=threads"], VITEST_SUMMARY];
const RUNS: readonly Run[] = [
  ["node --test", ["--test", "--test-reporter=tap"], NODE_SUMMARY],
  ["plain node", ["--test-reporter=tap"], NODE_SUMMARY],
  ["vitest", [...VITEST, "--pool=forks"], VITEST_SUMMARY],
];

/** The plain test command tries one way for a failure and two for success, and CI tries all. */
const IS_PLAIN = process.env["WINK_MORE_ROUNDS"] === undefined;
const FAILING = IS_PLAIN ? RUNS.slice(0, 1) : RUNS;
const PASSING = IS_PLAIN ? [...RUNS.slice(0, 1), IN_THREADS] : [...RUNS, IN_THREADS];

const IMPORTS = `
  import { InMemoryFilesystem } from "@wink/filesystem";
  import { filesystemContract } from "@wink/filesystem/testing";
  const open = (options) => new InMemoryFilesystem(options);`;

/** The content of each test file of the project. */
const CALLS = {
  mine: `filesystemContract("mine", open, { "write: reports what it wrote": "it is shy" });`,
  "wrong-gap": `filesystemContract("mine", open, { "write: reports what it wrot": "it is shy" });`,
  "old-options": `filesystemContract("mine", open, { cleanup: () => {} });`,
  flawed: `filesystemContract("mine", (options) => open({ ...options, allowGit: true }));`,
};

async function failuresOf(cases: readonly Case[]): Promise<readonly string[]> {
  const failed: string[] = [];
  for (const { name, run } of cases) await run().catch(() => failed.push(name));
  return failed;
}

describe("the contract", () => {
  it("has at least 450 cases, each with a unique title that names a promise (FS-74)", () => {
    const { cases } = collect((options) => new InMemoryFilesystem(options));
    expect(cases.length).toBeGreaterThanOrEqual(450);
    expect(cases.filter(({ name }) => !/\((?:[A-K]\d+|FS-\d+)[^()]*\)$/.test(name))).toEqual([]);
  });

  it("detects a driver whose create overwrites, and one that keeps the caller's buffer (FS-111)", async () => {
    const overwrites = (): FilesystemDriver => {
      const driver = linkDriver();
      return {
        ...driver,
        write: (path, bytes, mode, options) =>
          driver.write(path, bytes, mode === "create" ? "overwrite" : mode, options),
      };
    };
    const keepsBuffer = (): FilesystemDriver => {
      const driver = linkDriver();
      const kept = new Map<string, Uint8Array>();
      return {
        ...driver,
        async write(path, bytes, mode, options) {
          await driver.write(path, bytes, mode, options);
          if (mode === "append") kept.delete(path);
          else kept.set(path, bytes);
        },
        read: (path, offset, length, options) =>
          kept.get(path)?.slice(offset, offset + length) ??
          driver.read(path, offset, length, options),
      };
    };
    const failuresWith = async (make: () => FilesystemDriver) => {
      const { cases } = collect((options) => createFilesystem(make(), options));
      const about = cases.filter(({ name }) => name.includes("FS-111"));
      return (await failuresOf(about)).map((name) => name.replace(/ \(.*/, ""));
    };
    expect(await failuresWith(linkDriver)).toEqual([]);
    expect(await failuresWith(overwrites)).toContain(
      "fails to create a file that exists, and keeps its content",
    );
    expect(await failuresWith(keepsBuffer)).toContain("stores a copy of the caller's bytes");
  });

  it("detects a backend that breaks one of its rules (FS-74)", async () => {
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

  it("skips the gaps of a backend and prints the reason (FS-74)", () => {
    const log = vi.spyOn(console, "log").mockImplementation(() => {});
    onTestFinished(() => log.mockRestore());
    const gaps = { "write: reports what it wrote": "it is shy" };
    const { cases, skipped } = collect((options) => new InMemoryFilesystem(options), gaps);
    expect(log.mock.calls).toEqual([["skipped: mine write: reports what it wrote: it is shy"]]);
    expect(skipped).toEqual(["reports what it wrote (FS-25): it is shy"]);
    expect(cases.some(({ name }) => name.startsWith("reports what it wrote"))).toBe(false);
  });

  it("rejects a gap with an unknown id and suggests similar ids (FS-74)", () => {
    const gaps = { "write: reports what it wrot": "no", "read: sings": "no" };
    expect(() => collect(() => new InMemoryFilesystem(), gaps)).toThrow(
      /^gaps: invalid entries\.\n- "write: reports what it wrot" is not the id of a case\. Did you mean: "write: reports what it wrote", .*\n- "read: sings" is not the id of a case\.\nAn id is the area and the title of a case as the test run prints them/,
    );
  });

  it.each<[string, unknown]>([
    ["an empty text", ""],
    ["white space", " \n"],
    ["true", true],
    ["undefined", undefined],
  ])("rejects %s as the reason of a gap (FS-74)", (_, reason) => {
    expect(() => collectUntyped({ "write: reports what it wrote": reason })).toThrow(
      '- "write: reports what it wrote" has no reason. Give a text that says why the case is skipped.',
    );
  });

  it.each<[string, unknown]>([
    ["a runner", { runner: { describe, it } }],
    ["a cleanup", { cleanup: () => {} }],
    ["gaps among options", { gaps: { "write: reports what it wrote": "it is shy" } }],
    ["describe and it", { describe, it }],
    ["a list", ["write: reports what it wrote"]],
    ["a map", new Map([["write: reports what it wrote", "it is shy"]])],
    ["a function", () => {}],
    ["null", null],
  ])("rejects %s as gaps and names the argument for options (FS-74)", (_, third) => {
    expect(() => collectUntyped(third)).toThrow(
      "cleanup and runner are options in the fourth: filesystemContract(name, factory, gaps, { cleanup, runner }).",
    );
  });

  it("cleans up every filesystem after its case, also when the case fails (FS-74)", async () => {
    let open = 0;
    const unwritable = () => {
      open++;
      // The factory ignores the options and returns a read-only filesystem.
      return new InMemoryFilesystem({ readOnly: true });
    };
    const { cases } = collect(unwritable, {}, () => void open--);
    const failed = await failuresOf(cases.slice(0, 40));
    expect([open, failed.length > 0]).toEqual([0, true]);
  });

  it("prefers the global describe and it (FS-74)", () => {
    onTestFinished(() => void vi.unstubAllGlobals());
    const names: string[] = [];
    vi.stubGlobal("describe", (_: string, body: () => void) => body());
    vi.stubGlobal("it", (name: string) => names.push(name));
    filesystemContract("mine", () => new InMemoryFilesystem());
    expect(names).toHaveLength(TOTAL);
  });
});

// Real programs, each in its own process, in a project with the package as npm installs it.
describe.concurrent("the contract in a user's project", () => {
  let folder: string;

  beforeAll(async () => {
    folder = await realpath(await mkdtemp(path.join(tmpdir(), "wink-contract-project-")));
    await installInto(folder);
  });

  afterAll(async () => {
    await rm(folder, { recursive: true, force: true });
  });

  it.each(PASSING)("detects %s automatically (FS-74)", async (_, args, summary) => {
    const { ok, output } = await run(folder, [...args, "mine.test.mjs"]);
    expect(output).toContain("skipped: mine write: reports what it wrote: it is shy");
    expect(output).toContain(summary);
    expect(ok).toBe(true);
  });

  it.each(FAILING)("makes %s fail when a case fails (FS-74)", async (_, args) => {
    const { ok, output } = await run(folder, [...args, "flawed.test.mjs"]);
    expect(output).toContain("refuses changes in .git, whatever its spelling");
    expect(ok).toBe(false);
  });

  it.each(FAILING)("makes %s fail when a gap is wrong (FS-74)", async (_, args) => {
    const { ok, output } = await run(folder, [...args, "wrong-gap.test.mjs"]);
    expect(output).toContain(
      '- "write: reports what it wrot" is not the id of a case. Did you mean: "write: reports',
    );
    expect(ok).toBe(false);
  });

  it.each(FAILING)("makes %s fail when options are passed as gaps (FS-74)", async (_, args) => {
    const { ok, output } = await run(folder, [...args, "old-options.test.mjs"]);
    expect(output).toContain("cleanup and runner are options in the fourth:");
    expect(ok).toBe(false);
  });

  it("starts no test framework when only a mock is used (FS-74)", async () => {
    const program = `
      import { MockFilesystem } from "@wink/filesystem/testing";
      await new MockFilesystem().write("a", "b");
      console.log("done");`;
    expect(await run(folder, ["--input-type=module", "--eval", program])).toEqual({
      ok: true,
      output: "done\n",
    });
  });

  it.each([
    ["there is no node:test", "process.getBuiltinModule = undefined"],
    ["Jest hides its globals", 'process.env.JEST_WORKER_ID = "1"'],
  ])("explains how to pass a runner when %s (FS-74)", async (_, before) => {
    const program = `
      ${before};
      const { filesystemContract } = await import("@wink/filesystem/testing");
      filesystemContract("mine", () => undefined);`;
    const { ok, output } = await run(folder, ["--input-type=module", "--eval", program]);
    expect(output).toContain(
      "filesystemContract: no test framework found. describe and it are not global",
    );
    expect(output).toContain("Pass them in the options: { runner: { describe, it } }.");
    expect(ok).toBe(false);
  });
});

/** Makes a project with the freshly built packages. Only Node's test framework can be imported there. */
async function installInto(folder: string): Promise<void> {
  await installPackage(folder, PACKAGE);
  await installPackage(folder, path.join(PACKAGE, "../store"));
  await symlink(folderOf("picomatch"), path.join(folder, "node_modules/picomatch"));
  await writeFile(path.join(folder, "package.json"), '{ "private": true, "type": "module" }');
  for (const [name, call] of Object.entries(CALLS))
    await writeFile(path.join(folder, `${name}.test.mjs`), `${IMPORTS}\n${call}\n`);
}

async function installPackage(folder: string, source: string): Promise<void> {
  const installed = path.join(folder, "node_modules/@wink", path.basename(source));
  await cp(path.join(source, "package.json"), path.join(installed, "package.json"));
  await cp(path.join(source, "dist"), path.join(installed, "dist"), { recursive: true });
}

/** Runs Node with these arguments. It inherits `VITEST`, which must not affect it. */
function run(cwd: string, args: readonly string[]): Promise<{ ok: boolean; output: string }> {
  const unset = { NODE_OPTIONS: undefined, NODE_TEST_CONTEXT: undefined, FORCE_COLOR: undefined };
  const env = { ...process.env, ...unset, NO_COLOR: "1" };
  // Slightly below the test timeout, so that no process outlives the test.
  const options = { cwd, env, timeout: 280_000, maxBuffer: 2 ** 26 };
  return new Promise((resolve) => {
    execFile(process.execPath, args, options, (error, stdout, stderr) =>
      resolve({ ok: error === null, output: stdout + stderr }),
    );
  });
}

function folderOf(dependency: string): string {
  return path.dirname(createRequire(import.meta.url).resolve(`${dependency}/package.json`));
}

/** Calls it like a program without types. */
function collectUntyped(gaps: unknown) {
  return collect(() => new InMemoryFilesystem(), gaps as ContractGaps);
}

/** A filesystem with some methods replaced. */
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
