/** The result of a project's tests. */
export interface TestReport {
  readonly passed: number;
  readonly failed: number;
  /** One line per failed test. */
  readonly failures: readonly string[];
}

/**
 * Parses the TAP output of `node:test`. It keeps only titles and values: stack traces contain paths
 * of this machine, and the report goes to a model.
 */
export function readTap(stdout: string, stderr: string): TestReport {
  const lines = stdout.split("\n");
  const passed = lines.filter((line) => line.startsWith("ok ")).length;
  const failures = lines.flatMap((line, index) => {
    const [, title] = /^not ok \d+ - (.*)$/.exec(line) ?? [];
    return title === undefined ? [] : [describeFailure(title, lines.slice(index + 1))];
  });
  if (passed + failures.length > 0) return { passed, failed: failures.length, failures };
  const [reason = "no test ran"] = /^\w*Error: .*$/m.exec(stderr) ?? [];
  return { passed: 0, failed: 1, failures: [`the tests do not load: ${reason}`] };
}

export function summarize({ passed, failed }: TestReport): string {
  return failed === 0 ? `All ${passed} tests pass.` : `${failed} of ${passed + failed} tests fail.`;
}

/** The title, with the expected and the actual value if TAP has both on one line. */
function describeFailure(title: string, after: readonly string[]): string {
  const end = after.indexOf("  ...");
  const block = after.slice(0, end < 0 ? 0 : end);
  const value = (name: string) =>
    block.find((line) => line.startsWith(`  ${name}: `))?.slice(name.length + 4);
  const [expected, actual] = [value("expected"), value("actual")];
  if (expected === undefined || actual === undefined) return title;
  return `${title}: expected ${expected}, got ${actual}`;
}
