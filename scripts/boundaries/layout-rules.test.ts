import { expect, it } from "vitest";
import { checkLayout } from "./layout-rules.js";

it.each([
  "README.md",
  ".ci/run",
  ".github/CODEOWNERS",
  ".github/ISSUE_TEMPLATE/bug.yml",
  ".github/workflows/ci.yml",
  "REVIEW.md",
  "SECURITY.md",
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

it.each(["lib/a.ts", "NOTES.md", ".vscode/settings.json"])("refuses %s at the top", (file) => {
  const [top] = file.split("/");
  expect(checkLayout([file])).toContain(
    `${top} does not belong at the top; scripts/boundaries/layout-rules.ts lists the allowed names.`,
  );
});
