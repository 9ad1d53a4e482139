import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import {
  InMemoryFilesystem,
  overlay,
  type SnapshotableFilesystem,
  StoredFilesystem,
} from "@wink/filesystem";
import { HostFilesystem } from "@wink/filesystem/host";
import { sqliteStore } from "@wink/store/sqlite";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DEFAULT_BASH_LIMITS } from "./bash-limits.js";
import { FILES } from "./bash-scripts.test.support.js";
import { runScript } from "./run-script.js";

const RUNS = Number(process.env["WINK_BASH_RUNS"] ?? 40);

const file = fc.constantFrom("README.md", "src/a.ts", "src/deep/c.ts", "new", "x/y", "link");
const folder = fc.constantFrom("src", "data", "src/deep", "new-folder", "x");
const either = fc.oneof(file, folder);

/** One command that changes files, or tries to. */
const command = fc.oneof(
  file.map((name) => `echo text > ${name}`),
  file.map((name) => `echo more >> ${name}`),
  either.map((name) => `rm -rf ${name}`),
  folder.map((name) => `mkdir -p ${name}/deep`),
  fc.tuple(either, either).map(([from, to]) => `mv ${from} ${to}`),
  fc.tuple(either, either).map(([from, to]) => `cp -r ${from} ${to}`),
  fc.tuple(either, file).map(([target, name]) => `ln -s ${target} ${name}`),
  fc.tuple(file, file).map(([from, to]) => `ln ${from} ${to}; echo both >> ${to}`),
  fc
    .tuple(fc.constantFrom("600", "755", "444"), either)
    .map(([mode, name]) => `chmod ${mode} ${name}`),
  either.map((name) => `touch -d 2001-02-03 ${name}`),
  fc.constant("sed -i s/export/import/ src/*.ts"),
  fc.constant("find . -name '*.ts' -delete"),
  fc.constant("tar -cf a.tar src; tar -xf a.tar -C data"),
  fc.constant("for f in data/*; do mv $f $f.old; done"),
);
const script = fc.array(command, { minLength: 1, maxLength: 8 }).map((lines) => lines.join("\n"));

/** Runs scripts in transactions that are rolled back, and compares every file, link, mode and time. */
async function check(filesystem: SnapshotableFilesystem, numRuns: number): Promise<void> {
  const before = await describeTree(filesystem);
  await fc.assert(
    fc.asyncProperty(script, async (text) => {
      const transaction = await filesystem.begin();
      const { signal } = new AbortController();
      await runScript(
        filesystem,
        { script: `${text}\nfalse`, directory: ".", stdin: "", timeoutMs: 60_000, signal },
        { limits: DEFAULT_BASH_LIMITS },
      );
      await transaction.rollback();
      expect(await describeTree(filesystem)).toEqual(before);
    }),
    { numRuns, seed: 8 },
  );
}

async function describeTree(filesystem: SnapshotableFilesystem, directory = "."): Promise<object> {
  const entries: Record<string, unknown> = {};
  for (const { path: name, kind } of await filesystem.list(directory)) {
    const { mode, modifiedAt, revision } = await filesystem.stat(name, { followLinks: false });
    const target = kind === "symlink" ? await filesystem.readlink(name) : undefined;
    // Directories get the time of the rollback.
    entries[name] = { kind, mode, revision, target, ...(kind === "file" && { modifiedAt }) };
    if (kind === "directory") Object.assign(entries, await describeTree(filesystem, name));
  }
  return entries;
}

describe("a script that fails", () => {
  it("leaves no trace in memory when its call is rolled back (TL-82)", async () => {
    await check(new InMemoryFilesystem({ files: FILES }), RUNS);
  });

  it("leaves no trace in SQLite when its call is rolled back (TL-82)", async () => {
    await using store = sqliteStore(":memory:");
    await using filesystem = await StoredFilesystem.open(store, "files");
    for (const [name, text] of Object.entries(FILES)) await filesystem.write(name, text);
    await check(filesystem, Math.ceil(RUNS / 4));
  });

  it("leaves no trace in an overlay when its call is rolled back (TL-82)", async () => {
    await check(overlay(new InMemoryFilesystem({ files: FILES })), Math.ceil(RUNS / 4));
  });

  it("leaves no trace on the host when its call is rolled back (TL-82)", async () => {
    const directory = await mkdtemp(path.join(tmpdir(), "wink-bash-"));
    try {
      await using filesystem = await HostFilesystem.open(directory);
      for (const [name, text] of Object.entries(FILES)) await filesystem.write(name, text);
      await check(filesystem, Math.ceil(RUNS / 4));
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  });
});
