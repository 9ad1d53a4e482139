import { execFile } from "node:child_process";
import { cp, mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import type { FileChange, Filesystem } from "@wink/filesystem";
import { removeHostTree } from "@wink/filesystem/host";
import { readTap, type TestReport } from "./test-report.js";

const run = promisify(execFile);

export interface AppliedCopy {
  /** How the changes got there. */
  readonly appliedBy: "git apply" | "copying the changed files";
  /** What `node --test` said there. */
  readonly tests: TestReport;
}

export interface ApplyToCopyOptions {
  readonly project: string;
  /** A directory that is not there yet. */
  readonly copy: string;
  readonly patch: string;
  readonly changes: readonly FileChange[];
  /** The workspace, for machines without git. */
  readonly filesystem: Filesystem;
}

/** Makes a copy of the project, applies the patch to it, and runs its tests there with plain `node --test`. */
export async function applyToCopy(options: ApplyToCopyOptions): Promise<AppliedCopy> {
  const { project, copy, patch } = options;
  await cp(project, copy, { recursive: true });
  const patchFile = `${copy}.patch`;
  await writeFile(patchFile, patch);
  const appliedBy = (await gitApply(copy, patchFile)) ?? (await copyChanges(options));
  return { appliedBy, tests: await runTests(copy) };
}

/** `undefined` when there is no git; rejects when git does not take the patch. */
async function gitApply(copy: string, patchFile: string): Promise<"git apply" | undefined> {
  try {
    // Not as part of a repository that the temporary directory may lie in.
    const env = { ...process.env, GIT_CEILING_DIRECTORIES: dirname(copy) };
    await run("git", ["apply", patchFile], { cwd: copy, env });
    return "git apply";
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}

async function copyChanges({
  copy,
  changes,
  filesystem,
}: ApplyToCopyOptions): Promise<"copying the changed files"> {
  for (const { path } of changes) {
    const target = join(copy, path);
    if (!(await filesystem.exists(path))) {
      await removeHostTree(target);
      continue;
    }
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, (await filesystem.readBytes(path)).content);
  }
  return "copying the changed files";
}

async function runTests(cwd: string): Promise<TestReport> {
  // Without this a test runner around this process would take the results for its own.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const args = ["--test", "--test-reporter=tap"];
  const { stdout, stderr } = await run(process.execPath, args, { cwd, env }).catch(
    (error: { readonly stdout?: string; readonly stderr?: string }) => ({
      stdout: error.stdout ?? "",
      stderr: error.stderr ?? "",
    }),
  );
  return readTap(stdout, stderr);
}
