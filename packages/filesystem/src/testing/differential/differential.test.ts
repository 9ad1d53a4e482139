import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, it } from "vitest";
import { HostFilesystem } from "../../host.js";
import { InMemoryFilesystem } from "../../memory/in-memory-filesystem.js";
import type { Filesystem } from "../../protocol/filesystem.js";
import { createFilesystem } from "../../wrap/create-filesystem.js";
import { mapDriver, slowDriver } from "../map-driver.test.support.js";
import {
  DIFFERENTIAL_OPTIONS,
  runConcurrently,
  runDifferential,
} from "./run-differential.test.support.js";

// WINK_SEED repeats a run; WINK_DIFF_OPS sets its length in memory, a tenth of which is done on the host.
const seed = Number(process.env["WINK_SEED"] ?? Math.floor(Math.random() * 2 ** 32));
const operations = Number(
  process.env["WINK_DIFF_OPS"] ?? (process.env["CI"] ? 1_000_000 : 100_000),
);

/** Every refusal that random operations can meet. A run that meets fewer compares less than it says. */
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

it("does in memory what the reference model does, to the last code and byte (B59, FS-62, FS-76)", {
  timeout: 600_000,
}, async () => {
  await compare("memory", new InMemoryFilesystem(DIFFERENTIAL_OPTIONS), operations);
});

it("does by a driver of six methods what the reference model does (B59, FS-74, FS-76)", {
  timeout: 600_000,
}, async () => {
  await compare(
    "six methods",
    createFilesystem(mapDriver(), DIFFERENTIAL_OPTIONS),
    operations / 10,
  );
});

it("does on the host what the reference model does (B59, FS-62, FS-76)", {
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

it("makes many changes at once as if they came one by one (FS-71, FS-76)", {
  timeout: 600_000,
}, async () => {
  const count = operations / 50;
  console.log(`differential: changes at once, ${count} each, WINK_SEED=${seed}`);
  const filesystems = [
    new InMemoryFilesystem(DIFFERENTIAL_OPTIONS),
    createFilesystem(mapDriver(), DIFFERENTIAL_OPTIONS),
    createFilesystem(slowDriver(mapDriver()), DIFFERENTIAL_OPTIONS),
  ];
  for (const filesystem of filesystems)
    expect(await runConcurrently(filesystem, seed, count)).toBeUndefined();
});

it("finds a difference when there is one (FS-76)", async () => {
  // A filesystem that forgets one of its rules: the control.
  const forgetful = new InMemoryFilesystem({ ...DIFFERENTIAL_OPTIONS, allowGit: true });
  const { divergence } = await runDifferential(forgetful, 1, 10_000);
  expect(divergence).toMatch(/expected EACCES undefined\nbut got {2}ok/);
});
