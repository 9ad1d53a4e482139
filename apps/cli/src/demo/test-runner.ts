import { execFile } from "node:child_process";
import { chmod, mkdir, mkdtemp, realpath, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Filesystem } from "@wink/filesystem";
import { removeHostTree } from "@wink/filesystem/host";
import { readTap, type TestReport } from "./test-report.js";

/** Runs a project's tests in isolation. */
export interface TestRunner {
  /** Describes for the viewer where the tests run. */
  readonly where: string;
  run(filesystem: Filesystem, testFile: string, signal: AbortSignal): Promise<TestReport>;
}

/**
 * Runs the tests of a temporary copy in a separate Node process. Node's permission model lets it
 * read only that copy: no writes, no child processes, no environment. It does not block the
 * network.
 */
export const nodeRunner: TestRunner = {
  where: "a Node process that can read a copy of the workspace and write nothing",

  run: (filesystem, testFile, signal) =>
    withCopy(filesystem, (copy) => runTap(copy, testFile, signal)),
};

/**
 * Writes the files of a workspace to a temporary directory, runs `work`, and deletes the directory.
 */
export async function withCopy<T>(
  filesystem: Filesystem,
  work: (copy: string) => Promise<T>,
): Promise<T> {
  // realpath, because the permission model compares real paths.
  const copy = await realpath(await mkdtemp(join(tmpdir(), "wink-demo-tests-")));
  try {
    await copyOut(filesystem, copy);
    // The container may run as another user.
    await chmod(copy, 0o755);
    return await work(copy);
  } finally {
    await removeHostTree(copy);
  }
}

async function copyOut(filesystem: Filesystem, target: string): Promise<void> {
  for (const { path } of await filesystem.glob("**")) {
    const { content } = await filesystem.readBytes(path);
    await mkdir(dirname(join(target, path)), { recursive: true });
    await writeFile(join(target, path), content);
  }
}

function runTap(copy: string, testFile: string, signal: AbortSignal): Promise<TestReport> {
  const args = [
    permissionFlag(),
    `--allow-fs-read=${copy}/`,
    "--test-reporter=tap",
    join(copy, testFile),
  ];
  return new Promise((resolve, reject) => {
    execFile(process.execPath, args, { cwd: copy, env: {}, signal }, (error, stdout, stderr) => {
      if (error !== null && typeof error.code !== "number") reject(error);
      else resolve(readTap(stdout, stderr));
    });
  });
}

/** Node renamed `--experimental-permission` to `--permission` when it became stable. */
function permissionFlag(): string {
  const known = process.allowedNodeEnvironmentFlags;
  return known.has("--permission") ? "--permission" : "--experimental-permission";
}
