import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";
import { beforeAll, expect, it } from "vitest";
import { makePlaces, QUICK_PLACE, skipWithReason } from "./host-fixture.test.setup.js";

/** More files than a search reads before it starts a second thread. */
const FILES = 2_000;
/** The flag's current name, or its name in Node 20. */
const PERMISSION = ["--permission", "--experimental-permission"].find((flag) =>
  process.allowedNodeEnvironmentFlags.has(flag),
);

let program: string;

/** Bundled into one file, because a TypeScript loader needs threads itself. */
beforeAll(async () => {
  const outDir = mkdtempSync(join(tmpdir(), "wink-look-ahead-"));
  const entry = fileURLToPath(new URL("look-ahead.test.program.ts", import.meta.url));
  const output = { entryFileNames: "look-ahead.mjs" };
  await build({
    configFile: false,
    logLevel: "silent",
    ssr: { noExternal: true },
    build: { ssr: entry, outDir, minify: false, target: "node20", rolldownOptions: { output } },
  });
  program = join(outDir, "look-ahead.mjs");
  return () => rmSync(outDir, { recursive: true, force: true });
});

/** A tree of small files with more needles than requested, and a last directory that takes long to read. */
function makeTree(lastDirectory: number): string {
  const { root } = makePlaces(QUICK_PLACE);
  for (const name of ["a", "z"]) mkdirSync(join(root, name));
  for (let index = 0; index < FILES; index++)
    writeFileSync(join(root, "a", `${index}`.padStart(5, "0")), index < FILES - 20 ? "hay" : MUCH);
  for (let index = 0; index < lastDirectory; index++)
    symlinkSync("nowhere", join(root, "z", `${index}`));
  return root;
}

/** Large enough that the search scans these files immediately and not only at its end. */
const MUCH = "needle\n".repeat(20_000);

function run(
  args: readonly string[],
): Promise<{ readonly error: unknown; readonly output: unknown }> {
  return new Promise((resolve) => {
    execFile(process.execPath, args, { env: {} }, (error, stdout, stderr) =>
      resolve({
        error: error && `${error.message}${stderr}`,
        output: stdout && JSON.parse(stdout),
      }),
    );
  });
}

it("a search works if threads are not allowed, and leaves no descriptor open (FS-43, K255)", async ({
  skip,
}) => {
  if (PERMISSION === undefined) {
    const reason = "this Node has no permission model that could forbid threads";
    if (process.env["WINK_REQUIRE_ALL"]) throw new Error(reason);
    skipWithReason(skip, reason);
  }
  const flags = [PERMISSION, "--allow-fs-read=*", "--allow-fs-write=*"];
  expect(await run([...flags, program, makeTree(0), "close"])).toEqual({
    error: null,
    output: { found: [5, 5, 5], kept: 0, mayHaveThreads: false },
  });
});

it.each(["close", "leave"])(
  "the process ends normally while the thread reads a large directory: %s (K255)",
  async (end) => {
    expect(await run([program, makeTree(60_000), end])).toMatchObject({
      error: null,
      output: { found: [5, 5, 5], mayHaveThreads: true },
    });
  },
);
