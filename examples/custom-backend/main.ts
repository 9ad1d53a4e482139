// A backend of one's own: a workspace in a single JSON file. First it is used, then it is held to the
// same contract as the backends that come with the package. Ends with an error when a case does not hold.
import assert from "node:assert/strict";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createFilesystem } from "@wink/filesystem";
import { filesystemContract } from "@wink/filesystem/testing";
import { openJsonFileDriver } from "./json-file-driver.js";

const NO_BITS = "a JSON file keeps no permission bits";

const folder = await mkdtemp(path.join(tmpdir(), "custom-backend-"));
try {
  await useIt(path.join(folder, "workspace.json"));
  await proveIt();
} finally {
  await rm(folder, { recursive: true });
}

async function useIt(file: string) {
  const fs = createFilesystem(await openJsonFileDriver(file));
  await fs.write("notes/today.md", "buy bread\ncall Ada\n");
  await fs.writeBytes("logo.png", Uint8Array.of(0x89, 0x50));
  console.log(await readFile(file, "utf8"));

  // Nobody wrote a grep for JSON files: six methods are enough for all the rest.
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

async function proveIt() {
  const cases: { readonly name: string; readonly run: () => Promise<void> }[] = [];
  let opened = 0;
  filesystemContract(
    "json-file",
    async (options) =>
      createFilesystem(await openJsonFileDriver(path.join(folder, `${opened++}.json`)), options),
    {
      // Any framework will do; this is the smallest one.
      runner: {
        describe: (_name, body) => body(),
        it: (name, run) => cases.push({ name, run }),
      },
      gaps: {
        "write: sets and clears the execute bits, and else leaves them": NO_BITS,
        "write: carries the execute bits along with a copy and a move": NO_BITS,
      },
    },
  );
  const failed: string[] = [];
  for (const { name, run } of cases)
    await run().catch((error: unknown) => failed.push(`${name}\n  ${String(error)}`));
  for (const failure of failed) console.error(failure);
  console.log(`\n${cases.length - failed.length} of ${cases.length} cases of the contract hold.`);
  assert.equal(failed.length, 0);
  assert(cases.length > 300);
}
