// Uses a custom backend: a workspace in a single JSON file.
// json-file-driver.test.ts runs the contract suite of the package's own backends on it.
import assert from "node:assert/strict";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createFilesystem } from "@wink/filesystem";
import { openJsonFileDriver } from "./json-file-driver.js";

const folder = await mkdtemp(path.join(tmpdir(), "custom-backend-"));
try {
  await useIt(path.join(folder, "workspace.json"));
} finally {
  await rm(folder, { recursive: true });
}

async function useIt(file: string) {
  const fs = createFilesystem(await openJsonFileDriver(file));
  await fs.write("notes/today.md", "buy bread\ncall Ada\n");
  await fs.writeBytes("logo.png", Uint8Array.of(0x89, 0x50));
  console.log(await readFile(file, "utf8"));

  // The driver has no grep: `createFilesystem` builds it from the six methods.
  const again = createFilesystem(await openJsonFileDriver(file));
  const [match] = await again.grep("Ada");
  assert.deepEqual(match, {
    path: "notes/today.md",
    lineNumber: 2,
    lineContent: "call Ada",
    matchStart: 5,
    matchEnd: 8,
  });
  console.log(`opened again, grep finds ${match.path}:${match.lineNumber} ${match.lineContent}\n`);
}
