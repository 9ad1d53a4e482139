import { expect, it } from "vitest";
import type { Manifest } from "../repository.js";
import { checkManifest } from "./manifest-rules.js";

it.each<Partial<Manifest>>([
  {},
  { dependencies: { "@standard-schema/spec": "1" }, devDependencies: { anything: "1" } },
  { peerDependencies: { zod: "4" } },
  { peerDependencies: { zod: "4" }, peerDependenciesMeta: { zod: { optional: true } } },
])("accepts a session package with %j", (part) => {
  expect(check(part)).toEqual([]);
});

it.each<{ part: Partial<Manifest>; problem: string }>([
  {
    part: { dependencies: { "@wink/prompt": "1" } },
    problem: "declares @wink/prompt, but session may import: filesystem.",
  },
  {
    part: { dependencies: { zod: "4" } },
    problem:
      "has zod as dependency, but session may declare: zod (peer or optional peer), @standard-schema/spec (dependency).",
  },
  { part: { sideEffects: true }, problem: 'must say "sideEffects": false.' },
  { part: { type: "commonjs" }, problem: 'must say "type": "module".' },
])("refuses a session package with $part", ({ part, problem }) => {
  expect(check(part)).toEqual([`packages/session/package.json ${problem}`]);
});

it("refuses a package without a row in the table", () => {
  expect(check({ name: "@wink/common" })).toEqual([
    "packages/session/package.json: @wink/common has no row in scripts/boundaries/table.ts.",
  ]);
});

function check(part: Partial<Manifest>): readonly string[] {
  const manifest = { name: "@wink/session", type: "module", sideEffects: false, ...part };
  return checkManifest({ folder: "packages/session", manifest });
}
