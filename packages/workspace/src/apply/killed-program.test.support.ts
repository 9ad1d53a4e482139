import { spawn } from "node:child_process";
import { join } from "node:path";
import { build } from "vite";
import { scratchDirectory } from "../mount/tree-fixture.test.support.js";

/** Bundles a program into one file, because its start takes most of the time of a killed run. */
export async function bundleProgram(entry: string, name: string): Promise<string> {
  const outDir = scratchDirectory();
  await build({
    configFile: false,
    logLevel: "silent",
    ssr: { noExternal: true, resolve: { conditions: ["@wink/source"] } },
    build: {
      ssr: entry,
      outDir,
      minify: false,
      target: "node20",
      rolldownOptions: { output: { entryFileNames: `${name}.mjs` } },
    },
  });
  return join(outDir, `${name}.mjs`);
}

export interface ProgramResult {
  readonly signal: string | null;
  readonly output: string;
}

/** Runs a bundled program. `onOutput` can kill it. */
export function runProgram(
  args: readonly string[],
  onOutput: (output: string, kill: () => void) => void = () => {},
): Promise<ProgramResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
    let output = "";
    child.stdout.on("data", (text) => {
      output += String(text);
      onOutput(output, () => child.kill("SIGKILL"));
    });
    child.on("error", reject);
    child.on("close", (_, signal) => resolve({ signal, output }));
  });
}
