/** Directories that tools generate or use. They are large and do not describe the project. */
const SKIPPED = new Set([
  ".git",
  ".hg",
  ".svn",
  "node_modules",
  "bower_components",
  ".pnpm-store",
  ".yarn",
  "dist",
  "build",
  "out",
  "target",
  ".next",
  ".nuxt",
  ".turbo",
  ".cache",
  ".parcel-cache",
  "coverage",
  "__pycache__",
  ".venv",
  "venv",
  ".tox",
  ".nox",
  ".mypy_cache",
  ".pytest_cache",
  ".ruff_cache",
  ".eggs",
  ".gradle",
  ".idea",
  ".vscode",
  "Pods",
  "DerivedData",
  ".dart_tool",
  "_build",
  "deps",
  ".terraform",
]);

/** Whether to skip a directory and its contents. */
export function isSkippedDirectory(path: string): boolean {
  return SKIPPED.has(path.slice(path.lastIndexOf("/") + 1));
}
