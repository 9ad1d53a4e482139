import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

/**
 * Three times the promise of 100 ms. A core that other processes use too does about a third of the work in the same
 * CPU time. A text that blocks takes seconds.
 */
const MAX_TURN_MS = 300;
/** Twice the promise of 64 MB, because the garbage collector runs late on a busy machine. */
const MAX_GROWN_MEGABYTES = 128;
/** The kernel kills the program after this many CPU seconds, so that a blocking text fails quickly. */
const MAX_CPU_SECONDS = 20;

export interface HostileTextTests {
  /** The program that runs one text and prints its cost. */
  readonly program: URL;
  readonly names: readonly string[];
  /** The promises that the titles quote. */
  readonly promises: string;
  /** Memory that a text may take in addition. @default none */
  readonly extraMegabytes?: (name: string) => number;
}

/** Defines a test for each hostile text: it takes little CPU time in one turn of the event loop, and little memory. */
export function testHostileTexts({
  program,
  names,
  promises,
  extraMegabytes = () => 0,
}: HostileTextTests): void {
  const outDir = mkdtempSync(join(tmpdir(), "wink-hostile-"));
  beforeAll(() => bundle(program, outDir));
  afterAll(() => rmSync(outDir, { recursive: true }));

  // The plain test command tries one of ten texts, and CI tries all.
  const tried = names.filter(
    (_, index) => process.env["WINK_MORE_ROUNDS"] !== undefined || index % 10 === 0,
  );
  describe("a hostile text", () => {
    it.each(tried)(
      `never blocks the event loop and takes little memory: %s (${promises})`,
      async (name) => {
        const { maxTurnMs, grownMegabytes } = await measure(outDir, name);
        expect(maxTurnMs).toBeLessThan(MAX_TURN_MS);
        expect(grownMegabytes).toBeLessThan(MAX_GROWN_MEGABYTES + extraMegabytes(name));
      },
    );
  });
}

/** Bundles the program into one file, so that it starts quickly and uses little other memory. */
async function bundle(program: URL, outDir: string): Promise<void> {
  await build({
    configFile: false,
    logLevel: "silent",
    resolve: { conditions: ["@wink/source"] },
    ssr: { noExternal: true, resolve: { conditions: ["@wink/source"] } },
    build: {
      ssr: fileURLToPath(program),
      outDir,
      minify: false,
      target: "node20",
      rolldownOptions: { output: { entryFileNames: "program.mjs" } },
    },
  });
}

interface Cost {
  readonly maxTurnMs: number;
  readonly grownMegabytes: number;
}

function measure(outDir: string, name: string): Promise<Cost> {
  return new Promise((resolve, reject) => {
    const command = `ulimit -t ${MAX_CPU_SECONDS}; exec "$0" --expose-gc --max-semi-space-size=8 "$@"`;
    const args = ["-c", command, process.execPath, join(outDir, "program.mjs"), name];
    const child = spawn("/bin/sh", args, { stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    let errors = "";
    child.stdout.on("data", (text) => {
      output += String(text);
    });
    child.stderr.on("data", (text) => {
      errors += String(text);
    });
    child.on("error", reject);
    child.on("close", (code, signal) => {
      if (process.env["WINK_SHOW_COST"]) console.log(name, output.trim());
      if (code === 0) resolve(JSON.parse(output));
      else reject(new Error(`${name} ended with ${signal ?? code}: ${errors.slice(0, 2_000)}`));
    });
  });
}
