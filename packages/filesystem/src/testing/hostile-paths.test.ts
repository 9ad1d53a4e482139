import { existsSync, readdirSync, readFileSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createFilesystem } from "../backend/create-filesystem.js";
import type { FilesystemOptions } from "../backend/driver-filesystem.js";
import { InMemoryFilesystem } from "../backend/in-memory-filesystem.js";
import { HostFilesystem } from "../host.js";
import type { Filesystem } from "../protocol/filesystem.js";
import { isFilesystemError } from "../protocol/filesystem-error.js";
import { treeOf } from "./contract/tree-of.js";
import { type HostilePath, hostilePaths } from "./hostile-paths/index.js";
import { mapDriver } from "./map-driver.test.support.js";

/** Of the literal names on the host, each operation takes every n-th one. The operations take different ones. */
const SHARE = process.env["WINK_MORE_ROUNDS"] === undefined ? 4 : 1;

const SECRET = "the secret outside the root";
const CANARIES = ["secret.txt", "outside/secret.txt", "root-evil/secret.txt"];

/** Every operation that takes a path. */
const OPERATIONS: Readonly<Record<string, (fs: Filesystem, path: string) => Promise<unknown>>> = {
  read: (fs, path) => fs.read(path),
  readBytes: (fs, path) => fs.readBytes(path),
  stat: (fs, path) => fs.stat(path),
  exists: (fs, path) => fs.exists(path),
  list: (fs, path) => fs.list(path),
  "glob base": (fs, path) => fs.glob("**", { path }),
  "grep base": (fs, path) => fs.grep("secret", { path }),
  openRead: async (fs, path) => {
    await using reader = await fs.openRead(path);
    return Buffer.from(await reader.read()).toString();
  },
  openText: async (fs, path) => {
    const lines: string[] = [];
    for await (const line of await fs.openText(path)) lines.push(line);
    return lines;
  },
  "copy from": (fs, path) => fs.copy(path, "copied"),
  "move from": (fs, path) => fs.move(path, "moved"),
  mkdir: (fs, path) => fs.mkdir(path, { existOk: false }),
  delete: (fs, path) => fs.delete(path, { recursive: true }),
  write: (fs, path) => fs.write(path, "owned"),
  writeBytes: (fs, path) => fs.writeBytes(path, Buffer.from("owned")),
  "write create": (fs, path) => fs.write(path, "owned", { mode: "create" }),
  "write append": (fs, path) => fs.write(path, "owned", { mode: "append" }),
  openWrite: async (fs, path) => {
    await using writer = await fs.openWrite(path);
    await writer.write("owned");
    await writer.close();
  },
  "copy to": (fs, path) => fs.copy("inside", path, { overwrite: true }),
  "move to": (fs, path) => fs.move("inside", path, { overwrite: true }),
};

let base: string;
let root: string;

beforeAll(async () => {
  base = await mkdtemp(path.join(tmpdir(), "wink-hostile-"));
  root = path.join(base, "root");
  await mkdir(root);
  for (const canary of CANARIES) {
    await mkdir(path.dirname(path.join(base, canary)), { recursive: true });
    await writeFile(path.join(base, canary), SECRET);
  }
});

afterAll(async () => {
  await rm(base, { recursive: true, force: true });
});

/** Checks that everything outside the root is unchanged. */
function outsideIsUntouched(): boolean {
  const names = readdirSync(base, { recursive: true, encoding: "utf8" });
  const outside = names.filter((name) => name !== "root" && !name.startsWith("root/")).sort();
  return (
    outside.join() ===
      ["outside", "outside/secret.txt", "root-evil", "root-evil/secret.txt", "secret.txt"].join() &&
    CANARIES.every((canary) => readFileSync(path.join(base, canary), "utf8") === SECRET)
  );
}

interface Attempt {
  readonly code: string;
  /** Everything that the caller gets to see. */
  readonly shown: string;
}

async function attempt(call: Promise<unknown>): Promise<Attempt> {
  try {
    const value = await call;
    return { code: "ok", shown: JSON.stringify(value, asText) ?? "" };
  } catch (error) {
    if (!isFilesystemError(error)) throw error;
    return {
      code: error.code,
      shown: `${error.message} ${JSON.stringify(error)} ${String(error)}`,
    };
  }
}

function asText(_: string, value: unknown): unknown {
  return value instanceof Uint8Array ? Buffer.from(value).toString() : value;
}

type OpenBackend = (options?: FilesystemOptions) => Promise<Filesystem & Partial<AsyncDisposable>>;

const BACKENDS: Readonly<Record<string, OpenBackend>> = {
  memory: async (options) => new InMemoryFilesystem(options),
  host: async (options) => {
    await rm(root, { recursive: true, force: true });
    await mkdir(root);
    return await HostFilesystem.open(root, { ...options, fsync: false });
  },
  "a driver of six methods": async (options) => createFilesystem(mapDriver(), options),
};

/** The codes that each operation may return for a missing path inside the root. */
const ON_NOTHING: Readonly<Record<string, readonly string[]>> = {
  exists: ["ok"],
  mkdir: ["ok"],
  write: ["ok"],
  writeBytes: ["ok"],
  "write create": ["ok"],
  "write append": ["ok"],
  openWrite: ["ok"],
  "copy to": ["ok"],
  "move to": ["ok"],
};

const ON_ROOT: Readonly<Record<string, string>> = {
  read: "EISDIR",
  readBytes: "EISDIR",
  stat: "ok",
  exists: "ok",
  list: "ok",
  "glob base": "ok",
  "grep base": "ok",
  openRead: "EISDIR",
  openText: "EISDIR",
  "copy from": "EACCES",
  "move from": "EACCES",
  mkdir: "EEXIST",
  delete: "EACCES",
  write: "EISDIR",
  writeBytes: "EISDIR",
  "write create": "EISDIR",
  "write append": "EISDIR",
  openWrite: "EISDIR",
  "copy to": "EACCES",
  "move to": "EACCES",
};

function allowed({ expected }: HostilePath, operation: string): readonly string[] {
  if (expected === "root") return [ON_ROOT[operation] ?? "none"];
  if (expected === "literal") return ON_NOTHING[operation] ?? ["ENOENT"];
  return [expected];
}

it("the table has more than 300 different paths and more than 14 operations (A1)", () => {
  expect(new Set(hostilePaths.map((row) => row.path)).size).toBe(hostilePaths.length);
  expect(hostilePaths.length).toBeGreaterThanOrEqual(300);
  expect(Object.keys(OPERATIONS).length).toBeGreaterThanOrEqual(14);
});

describe.each(Object.entries(BACKENDS))("on %s", (_, open) => {
  it.each(Object.entries(OPERATIONS))(
    "no hostile path escapes the root in %s (A1, A3, A6, A9, A10, A11, A12, A14, A18, A22, A27, A28, FS-3, FS-66, TM-1)",
    async (operation, run) => {
      const surprises: unknown[] = [];
      const tryOut = async (fs: Filesystem, row: HostilePath) => {
        const { code, shown } = await attempt(run(fs, row.path));
        if (!allowed(row, operation).includes(code)) surprises.push({ ...row, code, shown });
        if (shown.includes(SECRET) || shown.includes(base)) surprises.push({ ...row, shown });
      };
      // A rejected call changes nothing, so one filesystem is enough for all of them.
      const shared = await open();
      await shared.write("inside", "mine");
      for (const row of hostilePaths.filter(({ expected }) => expected !== "literal"))
        await tryOut(shared, row);
      expect(await treeOf(shared)).toEqual({ inside: "mine" });
      await shared[Symbol.asyncDispose]?.();
      const literals = hostilePaths.filter(({ expected }) => expected === "literal");
      const share = open === BACKENDS["host"] ? SHARE : 1;
      const turn = Object.keys(OPERATIONS).indexOf(operation);
      for (const row of literals.filter((_row, index) => (index + turn) % share === 0)) {
        const fs = await open();
        await fs.write("inside", "mine");
        await tryOut(fs, row);
        await fs[Symbol.asyncDispose]?.();
      }
      expect(surprises).toEqual([]);
      expect(outsideIsUntouched()).toBe(true);
    },
  );

  it("a literal name is stored unchanged and found only under that name (A7, A8, A12, A14, A19, A24, A25, FS-6)", async () => {
    const surprises: unknown[] = [];
    for (const row of hostilePaths.filter(({ expected }) => expected === "literal")) {
      const fs = await open();
      await fs.write(row.path, row.path);
      const found = Object.entries(await treeOf(fs)).filter(([, content]) => content !== null);
      const [at, content] = found[0] ?? [];
      const { path: shown } = await fs.stat(row.path);
      if (found.length !== 1 || content !== row.path || at !== shown)
        surprises.push({ row, found });
      await fs.delete(row.path);
      if (await fs.exists(row.path)) surprises.push({ row, left: true });
      await fs[Symbol.asyncDispose]?.();
    }
    expect(surprises).toEqual([]);
    expect(outsideIsUntouched()).toBe(true);
  });

  it("no hostile path escapes a mount point (A4, A5, FS-7)", async () => {
    const fs = await open({ mountPoint: "/workspace" });
    const surprises: unknown[] = [];
    for (const row of hostilePaths) {
      const under = await attempt(fs.read(`/workspace/${row.path}`));
      const expected = { EACCES: "EACCES", EINVAL: "EINVAL", literal: "ENOENT", root: "EISDIR" }[
        row.expected
      ];
      if (under.code !== expected) surprises.push({ ...row, under });
      // Absolute, but not below the mount point.
      const beside = await attempt(fs.read(`/workspacex/${row.path}`));
      const refused = row.expected === "EINVAL" ? "EINVAL" : "EACCES";
      if (beside.code !== refused) surprises.push({ ...row, beside });
    }
    await fs[Symbol.asyncDispose]?.();
    expect(surprises).toEqual([]);
  });

  it("the host's own absolute paths are names inside the workspace (A3, TM-1)", async () => {
    const fs = await open();
    for (const canary of CANARIES) {
      const absolute = path.join(base, canary);
      expect(await fs.exists(absolute)).toBe(false);
      await fs.write(absolute, "owned");
      expect((await fs.read(absolute)).content).toBe("owned");
      expect((await fs.stat(absolute)).path).toBe(absolute.slice(1));
    }
    await fs[Symbol.asyncDispose]?.();
    expect(outsideIsUntouched()).toBe(true);
  });
});

describe("the control, which only joins and opens paths", () => {
  it("reads the secret through 47 of the paths, so the table detects a leak (A1)", async () => {
    await rm(root, { recursive: true, force: true });
    await mkdir(root);
    const lost: string[] = [];
    for (const row of hostilePaths.filter(({ path: each }) => !each.includes("\0"))) {
      const joined = path.join(root, row.path);
      if (!existsSync(joined)) continue;
      const content = await readFile(joined, "utf8").catch(() => "");
      if (content === SECRET) lost.push(row.path);
    }
    expect(
      lost.every((each) => hostilePaths.find((row) => row.path === each)?.expected === "EACCES"),
    ).toBe(true);
    expect(lost.length).toBe(47);
  });
});
