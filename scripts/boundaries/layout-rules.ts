/** Files and folders that may be at the top of the repository, besides the dotfiles of tools. */
const TOP = new Set([
  ".changeset",
  ".ci",
  ".github",
  "AGENTS.md",
  "CODE_OF_CONDUCT.md",
  "CONTRIBUTING.md",
  "LICENSE",
  "README.md",
  "REVIEW.md",
  "SECURITY.md",
  "apps",
  "benchmarks",
  "docs",
  "examples",
  "package.json",
  "packages",
  "pnpm-lock.yaml",
  "pnpm-workspace.yaml",
  "scripts",
  "specs",
  "tsconfig.base.json",
  "tsconfig.json",
  "turbo.json",
]);

const DOTFILES = new Set([
  ".biome.json",
  ".editorconfig",
  ".gitattributes",
  ".gitignore",
  ".npmrc",
]);

/** Names that people and GitHub look for in this spelling. */
const USUAL_NAMES = new Set([
  "AGENTS.md",
  "CHANGELOG.md",
  "CODEOWNERS",
  "CODE_OF_CONDUCT.md",
  "CONTRIBUTING.md",
  "ISSUE_TEMPLATE",
  "LICENSE",
  "PULL_REQUEST_TEMPLATE.md",
  "README.md",
  "REVIEW.md",
  "SECURITY.md",
]);

const KEBAB_CASE = /^\.?[a-z0-9]+(?:[-.][a-z0-9]+)*$/;

/** Checks the names and places of the files in the repository. */
export function checkLayout(files: readonly string[]): readonly string[] {
  const tops = new Set(files.map((file) => file.split("/")[0] ?? ""));
  return [
    ...[...tops]
      .filter((top) => !TOP.has(top) && !DOTFILES.has(top))
      .map(
        (top) =>
          `${top} does not belong at the top; scripts/boundaries/layout-rules.ts lists the allowed names.`,
      ),
    ...files
      .filter((file) => !isWellNamed(file))
      .map((file) => `${file} is not named in kebab-case.`),
  ];
}

function isWellNamed(file: string): boolean {
  const segments = file.split("/");
  // Fixtures, and the projects that an example works on, need the names of real projects.
  if (segments.includes("fixtures") || segments.includes("sample")) return true;
  return segments.every((segment) => USUAL_NAMES.has(segment) || KEBAB_CASE.test(segment));
}
