import { execFile } from "node:child_process";
import { cp, mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import type { FileChange, Filesystem } from "@wink/filesystem";
import { removeHostTree } from "@wink/filesystem/host";
import { readTap, type TestReport } from "./test-report.js";

const run = promisify(execFile);

export interface AppliedCopy {
  /** How the changes were applied. */
  readonly appliedBy: "git apply" | "copying the changed files";
  /** The result of `node --test` in the copy. */
  readonly tests: TestReport;
}

export interface ApplyToCopyOptions {
  readonly project: string;
  /** A directory that does not exist yet. */
  readonly copy: string;
  readonly patch: string;
  readonly changes: readonly FileChange[];
  /** The workspace, used on machines without git. */
  readonly filesystem: Filesystem;
}

/**
 * Copies the project, applies the patch to the copy, and runs its tests there with `node --test`.
 */
export async function applyToCopy(options: ApplyToCopyOptions): Promise<AppliedCopy> {
  const { project, copy, patch } = options;
  await cp(project, copy, { recursive: true });
  const patchFile = `${copy}.patch`;
  await writeFile(patchFile, patch);
  const appliedBy = (await gitApply(copy, patchFile)) ?? (await copyChanges(options));
  return { appliedBy, tests: await runTests(copy) };
}

/** Resolves to `undefined` if git is not installed. Rejects if git refuses the patch. */
async function gitApply(copy: string, patchFile: string): Promise<"git apply" | undefined> {
  try {
    // The temporary directory may be inside a repository, which git must ignore.
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
  // With this variable, a surrounding test runner would count these results as its own.
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
