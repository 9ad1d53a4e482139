import { expect, it } from "vitest";
import { checkMetadata } from "./metadata-rules.js";

const complete = {
  name: "@wink/session",
  keywords: ["agents"],
  homepage: "https://github.com/wink-framework/wink/tree/main/packages/session#readme",
  bugs: "https://github.com/wink-framework/wink/issues",
  repository: {
    url: "git+https://github.com/wink-framework/wink.git",
    directory: "packages/session",
  },
};

it.each([complete, { name: "@wink/session", private: true }])("%o passes", (manifest) => {
  expect(checkMetadata({ folder: "packages/session", manifest })).toEqual([]);
});

it("a published package without metadata fails, and the lines to add are reported", () => {
  const manifest = { name: "@wink/session" };
  expect(checkMetadata({ folder: "packages/session", manifest })).toEqual([
    `packages/session/package.json must have "homepage": "${complete.homepage}".`,
    `packages/session/package.json must have "bugs": "${complete.bugs}".`,
    `packages/session/package.json must have "repository.url": "${complete.repository.url}".`,
    'packages/session/package.json must have "repository.directory": "packages/session".',
    'packages/session/package.json must have "keywords".',
  ]);
});

it("a copied manifest that names another package fails", () => {
  const problems = checkMetadata({ folder: "packages/store", manifest: complete });
  expect(problems).toHaveLength(2);
});
