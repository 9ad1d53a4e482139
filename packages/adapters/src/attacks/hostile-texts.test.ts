import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hostileTexts } from "./hostile-texts.test.support.js";

const MAX_TURN_MS = 100;
const MAX_GROWN_MEGABYTES = 64;
/** CPU seconds after which the kernel kills the program, so that a blocking text fails quickly. */
const MAX_CPU_SECONDS = 20;

const outDir = mkdtempSync(join(tmpdir(), "wink-hostile-"));
afterAll(() => rmSync(outDir, { recursive: true }));

/** One bundled file, so that a program per text starts quickly and has little else in memory. */
beforeAll(async () => {
  await build({
    configFile: false,
    logLevel: "silent",
    resolve: { conditions: ["@wink/source"] },
    ssr: { noExternal: true, resolve: { conditions: ["@wink/source"] } },
    build: {
      ssr: fileURLToPath(new URL("hostile-texts.test.program.ts", import.meta.url)),
      outDir,
      minify: false,
      target: "node20",
      rolldownOptions: { output: { entryFileNames: "program.mjs" } },
    },
  });
});

/** The plain test command tries one of three texts, and CI tries all. */
const TEXTS = Object.keys(hostileTexts).filter(
  (_, index) => process.env["WINK_MORE_ROUNDS"] !== undefined || index % 3 === 0,
);

describe("a hostile text", () => {
  it.each(TEXTS)(
    "takes less than 100 ms of CPU in one turn of the event loop and 64 MB: %s (AD-56, TM-6)",
    async (name) => {
      const { maxTurnMs, grownMegabytes } = await measure(name);
      expect(maxTurnMs).toBeLessThan(MAX_TURN_MS);
      expect(grownMegabytes).toBeLessThan(MAX_GROWN_MEGABYTES);
    },
  );
});

function measure(name: string): Promise<{ maxTurnMs: number; grownMegabytes: number }> {
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
