// Runs another project's own tests over a WINK filesystem:
//   node --import tsx scripts/foreign-suites.ts just-bash|deepagents|memfs|mastra <copy> [--own]
// Fetch the copy and install its dependencies first; specs/decisions/0020-filesystems-for-other-projects.md says how.
// `--own` runs the tests over the project's own filesystem, for comparison. Nothing of the copy is part of this repository.
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { runCommand } from "./run-command.js";
import { makeScratchFolder } from "./scratch-folder.js";

/** The folder of the tests in the copy, and the loss that the project's specification allows. */
const SUITES: Readonly<Record<string, { readonly below: string }>> = {
  "just-bash": { below: "packages/just-bash" },
  deepagents: { below: "libs/deepagents" },
  memfs: { below: "packages/fs-node" },
  mastra: { below: "packages/core" },
};

interface Report {
  readonly numTotalTests: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly message: string;
    readonly assertionResults: readonly {
      readonly fullName: string;
      readonly status: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
}

const [name = "", copy = ".", ...flags] = process.argv.slice(2);
const suite = SUITES[name];
if (suite === undefined) {
  console.log(
    `foreign-suites: choose one of ${Object.keys(SUITES).join(", ")}, and give its copy.`,
  );
  process.exitCode = 2;
} else {
  await using scratch = await makeScratchFolder("foreign");
  const output = path.join(scratch.path, "report.json");
  const cwd = path.resolve(copy, suite.below);
  const config = path.join(import.meta.dirname, "foreign-suites", `${name}.config.ts`);
  // Its own Vitest where it has one, because its tests import it.
  const own = path.join(cwd, "node_modules/.bin/vitest");
  const { output: text } = await runCommand(
    existsSync(own) ? own : "vitest",
    ["run", "--config", config, "--reporter=json", `--outputFile=${output}`],
    {
      cwd: existsSync(own) ? cwd : path.dirname(import.meta.dirname),
      timeoutMs: 3_600_000,
      env: {
        WINK_FOREIGN_COPY: path.resolve(copy),
        ...(flags.includes("--own") && { WINK_FOREIGN_OWN: "1" }),
      },
    },
  );
  if (!existsSync(output)) throw new Error(`the tests did not run:\n${text.slice(-2_000)}`);
  // Vitest defines the format.
  report(JSON.parse(await readFile(output, "utf8")) as Report);
}

function report({ testResults }: Report): void {
  const cases = testResults.flatMap(({ name: file, assertionResults }) =>
    assertionResults.map((result) => ({ file: path.basename(file), ...result })),
  );
  const failed = cases.filter(({ status }) => status === "failed");
  const passed = cases.filter(({ status }) => status === "passed");
  for (const { name: file, message, assertionResults } of testResults)
    if (assertionResults.length === 0)
      console.log(`${path.basename(file)} did not load: ${message}`);
  for (const { file, fullName, failureMessages } of failed)
    console.log(`${file}: ${fullName}\n    ${failureMessages[0]?.split("\n")[0] ?? ""}`);
  console.log(`${passed.length} passed, ${failed.length} failed`);
}
