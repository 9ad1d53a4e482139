import { expect, it } from "vitest";
import { checkLayout } from "./layout-rules.js";

it.each([
  "README.md",
  ".ci/run",
  "packages/session/src/edit-file.test-d.ts",
  "packages/session/CHANGELOG.md",
  "packages/filesystem/src/fixtures/Odd Name.txt",
  "examples/test-fixer/sample/test_cart.py",
  "specs/decisions/0001-toolchain.md",
])("accepts %s", (file) => {
  expect(checkLayout([file])).toEqual([]);
});

it.each(["packages/session/src/editFile.ts", "packages/Session/a.ts", "docs/two words.md"])(
  "refuses the name %s",
  (file) => {
    expect(checkLayout([file])).toEqual([`${file} is not named in kebab-case.`]);
  },
);

it("refuses what does not belong at the top", () => {
  expect(checkLayout(["lib/a.ts"])).toEqual([
    "lib does not belong at the top; scripts/boundaries/layout-rules.ts lists what does.",
  ]);
});
