import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";

it("loads nothing but this package, the session and the filesystem (PR-36)", async () => {
  const outside = new Set<string>();
  const files = new Set(["./index.ts"]);
  // A set hands out what is added while it is walked.
  for (const file of files) {
    const source = await readFile(new URL(file, import.meta.url), "utf8");
    for (const [statement, specifier = ""] of source.matchAll(
      /^(?:import|export)\s[^;]*?from "([^"]+)";/gm,
    )) {
      if (/^(?:import|export) type /.test(statement)) continue;
      if (specifier.startsWith(".")) files.add(specifier.replace(/\.js$/, ".ts"));
      else outside.add(specifier);
    }
  }
  expect([...outside].sort()).toEqual(["@wink/filesystem", "@wink/session"]);
  expect(files.size).toBeGreaterThan(40);
  expect(files).not.toContain("./override/override-file.ts");
});
