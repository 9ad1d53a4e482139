import { parseSync } from "vite";

/** How many lines of a TypeScript or JavaScript file hold code: neither blank nor only a comment. */
export function countCodeLines(file: string, source: string): number {
  let code = "";
  let end = 0;
  for (const comment of parseSync(file, source).comments) {
    code += source.slice(end, comment.start);
    // A comment over several lines leaves blank lines, so that the code after it stays on its own line.
    code += source.slice(comment.start, comment.end).replaceAll(/[^\n]/g, " ");
    end = comment.end;
  }
  code += source.slice(end);
  return code.split("\n").filter((line) => line.trim() !== "").length;
}

/** Whether a file is code of a package or an app, and not a test, test support or test machinery. */
export function isCounted(file: string): boolean {
  if (!/^(packages|apps)\/[^/]+\/.*\.[cm]?[jt]sx?$/.test(file)) return false;
  if (/(^|\/)(testing|fixtures|dist|node_modules)(\/|\.ts$)/.test(file)) return false;
  return !/\.(test|test-d|test-program|support|setup|program)\./.test(file);
}
