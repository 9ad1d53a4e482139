// Runs another project's own tests over a WINK filesystem, and prints each file when it ends:
//   node --import tsx scripts/foreign-suites.ts just-bash|deepagents|memfs|mastra <copy> [--own]
// Fetch the copy and install its dependencies first; specs/decisions/0020-filesystems-for-other-projects.md says how.
// `--own` runs the tests over the project's own filesystem, for comparison. Nothing of the copy is part of this repository.
import { existsSync } from "node:fs";
import path from "node:path";
import { execa } from "execa";
import { root } from "./repository.js";

/** The folder of the tests in the copy. */
const SUITES: Readonly<Record<string, string>> = {
  "just-bash": "packages/just-bash",
  deepagents: "libs/deepagents",
  memfs: "packages/fs-node",
  mastra: "packages/core",
};

const [name = "", copy = ".", ...flags] = process.argv.slice(2);
const below = SUITES[name];
if (below === undefined) {
  console.log(
    `foreign-suites: choose one of ${Object.keys(SUITES).join(", ")}, and give its copy.`,
  );
  process.exitCode = 2;
} else {
  const cwd = path.resolve(copy, below);
  const config = path.join(import.meta.dirname, "foreign-suites", `${name}.config.ts`);
  // Its own Vitest where it has one, because its tests import it.
  const own = path.join(cwd, "node_modules/.bin/vitest");
  const { exitCode } = await execa(existsSync(own) ? own : "vitest", ["run", "--config", config], {
    cwd: existsSync(own) ? cwd : root,
    preferLocal: true,
    localDir: root,
    stdin: "ignore",
    stdout: "inherit",
    stderr: "inherit",
    reject: false,
    env: {
      WINK_FOREIGN_COPY: path.resolve(copy),
      ...(flags.includes("--own") && { WINK_FOREIGN_OWN: "1" }),
    },
  });
  process.exitCode = exitCode ?? 1;
}
