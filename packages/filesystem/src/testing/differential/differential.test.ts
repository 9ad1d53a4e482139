import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, it } from "vitest";
import { createFilesystem } from "../../backend/create-filesystem.js";
import { InMemoryFilesystem } from "../../backend/in-memory-filesystem.js";
import { HostFilesystem } from "../../host.js";
import type { Filesystem } from "../../protocol/filesystem.js";
import { linkDriver, slowDriver } from "../map-driver.test.support.js";
import {
  DIFFERENTIAL_OPTIONS,
  runConcurrently,
  runDifferential,
} from "./run-differential.test.support.js";

// WINK_SEED repeats a run. WINK_DIFF_OPS sets the number of operations in memory; the host gets a tenth of it.
const seed = Number(process.env["WINK_SEED"] ?? Math.floor(Math.random() * 2 ** 32));
const operations = Number(
  process.env["WINK_DIFF_OPS"] ?? (process.env["WINK_MORE_ROUNDS"] ? 300_000 : 60_000),
);

/** Every error code that random operations can produce. A run with fewer codes compares less than it should. */
const CODES = [
  "EACCES",
  "EDQUOT",
  "EEXIST",
  "EFBIG",
  "EILSEQ",
  "EINVAL",
  "EISDIR",
  "ENOENT",
  "ENOTDIR",
  "ESTALE",
];

async function compare(name: string, filesystem: Filesystem, count: number): Promise<void> {
  console.log(`differential: ${name}, ${count} operations, WINK_SEED=${seed}`);
  const { divergence, outcomes } = await runDifferential(filesystem, seed, count);
  expect(divergence).toBeUndefined();
  expect(Object.keys(outcomes).sort()).toEqual([...CODES, "ok"]);
}

it("the memory backend behaves exactly like the reference model, including codes and bytes (B59, FS-62, FS-76)", {
  timeout: 600_000,
}, async () => {
  await compare("memory", new InMemoryFilesystem(DIFFERENTIAL_OPTIONS), operations);
});

it("a driver with six methods behaves like the reference model (B59, FS-74, FS-76)", {
  timeout: 600_000,
}, async () => {
  await compare(
    "six methods",
    createFilesystem(linkDriver(), DIFFERENTIAL_OPTIONS),
    operations / 10,
  );
});

it("the host backend behaves like the reference model (B59, FS-62, FS-76)", {
  timeout: 600_000,
}, async () => {
  const root = await mkdtemp(path.join(tmpdir(), "wink-differential-"));
  const filesystem = await HostFilesystem.open(root, { ...DIFFERENTIAL_OPTIONS, fsync: false });
  try {
    await compare("host", filesystem, operations / 10);
  } finally {
    await filesystem.close();
    await rm(root, { recursive: true, force: true });
  }
});

it("concurrent changes have the same result as sequential ones (FS-71, FS-76, TM-7)", {
  timeout: 600_000,
}, async () => {
  const count = operations / 50;
  console.log(`differential: concurrent changes, ${count} each, WINK_SEED=${seed}`);
  const filesystems = [
    new InMemoryFilesystem(DIFFERENTIAL_OPTIONS),
    createFilesystem(linkDriver(), DIFFERENTIAL_OPTIONS),
    createFilesystem(slowDriver(linkDriver()), DIFFERENTIAL_OPTIONS),
  ];
  for (const filesystem of filesystems)
    expect(await runConcurrently(filesystem, seed, count)).toBeUndefined();
});

it("the comparison detects a difference (FS-76)", async () => {
  // The control: a filesystem that breaks one of its rules.
  const forgetful = new InMemoryFilesystem({ ...DIFFERENTIAL_OPTIONS, allowGit: true });
  const { divergence } = await runDifferential(forgetful, 1, 10_000);
  expect(divergence).toMatch(/expected EACCES undefined\nbut got {2}(?!EACCES)/);
});
