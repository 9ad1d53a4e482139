import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import * as file from "./file.js";
import * as root from "./index.js";
import * as jsonl from "./jsonl.js";

it("the root entry imports no Node.js module (SE-30)", () => {
  const seen = new Map<string, readonly string[]>();
  const visit = (url: URL) => {
    if (seen.has(url.href)) return;
    const imports = [...readFileSync(url, "utf8").matchAll(/(?:from|import)\s+"([^"]+)"/g)].map(
      (match) => match[1] ?? "",
    );
    seen.set(url.href, imports);
    for (const name of imports)
      if (name.startsWith(".")) visit(new URL(name.replace(/\.js$/, ".ts"), url));
  };
  visit(new URL("./index.ts", import.meta.url));
  const outside = [...new Set([...seen.values()].flat())].filter((name) => !name.startsWith("."));
  expect(seen.size).toBeGreaterThan(20);
  expect(outside.sort()).toEqual(["@standard-schema/spec", "@wink/filesystem/internal"]);
});

it("the entries export exactly what is documented (SE-30)", () => {
  expect(Object.keys(root).sort()).toEqual([
    "InProcessDispatcher",
    "Session",
    "SessionError",
    "SessionSnapshot",
    "appendAll",
    "defineEvent",
    "defineSlice",
    "defineState",
    "isSessionError",
    "iterSessions",
    "replaceLatest",
    "replaceLatestBy",
    "upsertBy",
  ]);
  expect(Object.keys(jsonl).sort()).toEqual([
    ...["LogIndex", "SessionLog", "followLog", "indexLog", "replayLog"],
  ]);
  expect(Object.keys(file).sort()).toEqual(["loadSnapshot", "saveSnapshot"]);
});
