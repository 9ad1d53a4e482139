import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";

it("The root entry loads no Node module and only its declared dependencies (PR-36)", async () => {
  const outside = new Set<string>();
  const files = new Set([new URL("./index.ts", import.meta.url).href]);
  // Iterating a set also yields elements that are added during the loop.
  for (const file of files) {
    const source = await readFile(new URL(file), "utf8");
    for (const [statement, specifier = ""] of source.matchAll(
      /^(?:import|export)\s[^;]*?from "([^"]+)";/gm,
    )) {
      if (/^(?:import|export) type /.test(statement)) continue;
      if (specifier.startsWith("."))
        files.add(new URL(specifier.replace(/\.js$/, ".ts"), file).href);
      else outside.add(specifier);
    }
  }
  expect([...outside].sort()).toEqual([
    "@cfworker/json-schema",
    "@noble/hashes/sha2.js",
    "@noble/hashes/utils.js",
    "@wink/filesystem",
    "@wink/filesystem/internal",
    "@wink/session",
  ]);
  expect(files.size).toBeGreaterThan(40);
  expect(files).not.toContain(new URL("./override/override-file.ts", import.meta.url).href);
});
