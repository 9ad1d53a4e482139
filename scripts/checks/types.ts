import { existsSync } from "node:fs";
import { readdir, readFile, rm } from "node:fs/promises";
import path from "node:path";
import type { Check, Outcome } from "../outcome.js";
import { listProjects, root } from "../repository.js";
import { runCommand } from "../run-command.js";

/** The parts of turbo's run summary with the result of each task. */
interface RunSummary {
  readonly tasks: readonly {
    readonly taskId: string;
    readonly execution?: { readonly exitCode: number | null } | null;
  }[];
}

export const types: Check = {
  name: "types",
  promise: "every package, app, example, benchmark and script compiles, and so do the type tests",
  usualSeconds: 22,

  async run() {
    await removeOrphanedOutputs();
    const { ok, output } = await runCommand("turbo", [
      "run",
      "build",
      "//#build:scripts",
      "--continue=dependencies-successful",
      "--output-logs=errors-only",
      "--summarize",
    ]);
    return judge(ok, output, await takeSummary(output));
  },
};

function judge(ok: boolean, output: string, summary: RunSummary | undefined): Outcome {
  // Without a summary turbo failed before it ran a task.
  const tasks = summary?.tasks ?? [];
  const bad = tasks.filter((task) => task.execution?.exitCode !== 0).length;
  const failed = ok && summary !== undefined ? 0 : Math.max(bad, 1);
  // One task for each project and one for the scripts.
  const blocked = summary === undefined ? 0 : listProjects().length + 1 - tasks.length;
  return {
    passed: tasks.length - bad,
    failed,
    skipped: blocked,
    failures: failed > 0 ? [explain(output)] : [],
    notes: blocked > 0 ? [`skipped: ${blocked} that build on what failed`] : [],
  };
}

/** The compiler's errors with paths from the root, or turbo's whole output when it has none. */
function explain(output: string): string {
  const folders = new Map(listProjects().map(({ manifest, folder }) => [manifest.name, folder]));
  const errors = output.split("\n").flatMap((line) => {
    const [, task = "", rest = ""] = /^(\S+?):build(?::scripts)?: (.*)$/.exec(line) ?? [];
    const [, file, place = "", message] = /^(\S+)\((\d+,\d+)\): (.*)$/.exec(rest) ?? [];
    if (file === undefined) return /^\s/.test(rest) ? [rest] : [];
    const where = path.posix.join(folders.get(task) ?? "", file);
    return [`${where}:${place.replace(",", ":")} ${message}`];
  });
  if (errors.length > 0) return errors.join("\n");
  const hint = output.includes("Unable to find package manager binary")
    ? "\nturbo needs pnpm on the PATH: start this as `npx -y pnpm@12.4.2 test`."
    : "";
  return `${output.trim()}${hint}`;
}

/** Reads the summary file that turbo names in its output, and deletes it. */
async function takeSummary(output: string): Promise<RunSummary | undefined> {
  const [, file] = /^Summary: +(.*\.json)$/m.exec(output) ?? [];
  if (file === undefined) return undefined;
  const text = await readFile(file, "utf8");
  await rm(file);
  // The format of the turbo version that the lockfile pins.
  return JSON.parse(text) as RunSummary;
}

/** `tsc -b` does not delete the outputs of deleted sources, and a tarball would contain them. */
async function removeOrphanedOutputs(): Promise<void> {
  for (const { folder } of listProjects("packages")) {
    const dist = path.join(root, folder, "dist");
    const outputs = await readdir(dist, { recursive: true, withFileTypes: true }).catch(() => []);
    for (const output of outputs) {
      if (!output.isFile()) continue;
      const file = path.join(output.parentPath, output.name);
      const stem = path.relative(dist, file).replace(/(\.d)?\.[cm]?[jt]s(\.map)?$/, "");
      const source = path.join(root, folder, "src", stem);
      if (!existsSync(`${source}.ts`) && !existsSync(`${source}.js`)) await rm(file);
    }
  }
}
