import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, readlink, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { type Filesystem, InMemoryFilesystem, overlay, StoredFilesystem } from "@wink/filesystem";
import { HostFilesystem } from "@wink/filesystem/host";
import { createToolContext } from "@wink/prompt/testing";
import { sqliteStore } from "@wink/store/sqlite";
import { describe, expect, it } from "vitest";
import { callTool } from "../reply/call-tool.test.support.js";
import { IDIOMS } from "./bash-idioms.test.support.js";
import { FILES, SCRIPTS } from "./bash-scripts.test.support.js";
import { BashSection, type BashSectionOptions } from "./bash-section.js";
import { TASKS } from "./bash-tasks.test.support.js";
import type { ScriptResult } from "./run-script.js";

const execute = promisify(execFile);

async function run(filesystem: Filesystem, input: object, options: BashSectionOptions = {}) {
  const [tool] = new BashSection(options).tools;
  const { result, text } = await callTool(tool, input, createToolContext({ filesystem }));
  const value = result.success ? (result.value as ScriptResult) : undefined;
  return { result, text, value };
}

/** Every file and link, with its content. */
async function contentsOf(filesystem: Filesystem, directory = "."): Promise<object> {
  const contents: Record<string, string> = {};
  for (const { path: file, kind } of await filesystem.list(directory))
    if (kind === "directory") Object.assign(contents, await contentsOf(filesystem, file));
    else if (kind === "symlink") contents[file] = `-> ${await filesystem.readlink(file)}`;
    else if (!file.endsWith(".tar"))
      contents[file] = Buffer.from((await filesystem.readBytes(file)).content).toString("latin1");
  return contents;
}

async function hostContents(root: string, directory = ""): Promise<object> {
  const contents: Record<string, string> = {};
  for (const entry of await readdir(path.join(root, directory), { withFileTypes: true })) {
    const file = path.posix.join(directory, entry.name);
    if (entry.isDirectory()) Object.assign(contents, await hostContents(root, file));
    else if (entry.isSymbolicLink()) contents[file] = `-> ${await readlink(path.join(root, file))}`;
    else if (!file.endsWith(".tar"))
      contents[file] = await readFile(path.join(root, file), "latin1");
  }
  return contents;
}

async function withDirectory<Result>(use: (directory: string) => Promise<Result>): Promise<Result> {
  const directory = await mkdtemp(path.join(tmpdir(), "wink-bash-"));
  try {
    for (const [name, text] of Object.entries(FILES)) {
      await mkdir(path.dirname(path.join(directory, name)), { recursive: true });
      await writeFile(path.join(directory, name), text);
    }
    return await use(directory);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

async function runRealBash(script: string, cwd: string) {
  const env = { PATH: process.env["PATH"], HOME: cwd, LC_ALL: "C" };
  try {
    const { stdout } = await execute("bash", ["-c", script], { cwd, env });
    return { stdout, exitCode: 0 };
  } catch (error) {
    const { stdout, code } = error as { readonly stdout: string; readonly code: number };
    return { stdout, exitCode: code };
  }
}

const hasBash = await execute("bash", ["--version"]).then(
  () => true,
  () => false,
);
const hasJq = await execute("jq", ["--version"]).then(
  () => true,
  () => false,
);

/** The plain test command tries one of four scripts, and CI tries all. */
const TRIED = [...SCRIPTS, ...TASKS, ...IDIOMS].filter(
  (script, index) =>
    (hasJq || !script.startsWith("jq")) &&
    (process.env["WINK_MORE_ROUNDS"] !== undefined || index % 4 === 0),
);

describe.runIf(hasBash)("a script", () => {
  it.each(TRIED)(
    "does the same as in bash, in memory, on the host, in SQLite and in an overlay: %s (TL-80)",
    async (script) => {
      const expected = withDirectory(async (directory) => ({
        ...(await runRealBash(script, directory)),
        files: await hostContents(directory),
      }));
      const results = await Promise.all([
        outcome(new InMemoryFilesystem({ files: FILES }), script),
        onHost(script),
        inSqlite(script),
      ]);
      for (const result of results.flat()) expect(result).toEqual(await expected);
    },
  );
});

async function outcome(filesystem: Filesystem, script: string) {
  const { value } = await run(filesystem, { script });
  return { ...pick(value), files: await contentsOf(filesystem) };
}

async function onHost(script: string) {
  return await withDirectory(async (directory) => {
    await using host = await HostFilesystem.open(directory);
    return await outcome(host, script);
  });
}

/** In an overlay over SQLite, which leaves the store as it is, and then in the store itself. */
async function inSqlite(script: string) {
  await using store = sqliteStore(":memory:");
  await using stored = await StoredFilesystem.open(store, "files");
  for (const [name, text] of Object.entries(FILES)) await stored.write(name, text);
  return [await outcome(overlay(stored), script), await outcome(stored, script)];
}

function pick(value: ScriptResult | undefined) {
  return { stdout: value?.stdout, exitCode: value?.exitCode };
}

describe("BashSection", () => {
  const create = () => new InMemoryFilesystem({ files: FILES });

  it("answers with the exit code and the output of both streams between fences (TL-81)", async () => {
    const { text, result } = await run(create(), { script: "echo out; echo err >&2; exit 3" });
    expect(result.success).toBe(true);
    expect(text).toMatch(
      /^Exit code 3 after [\d.]+ seconds\.\n+stdout:\n```\nout\n```\nstderr:\n```\nerr\n```$/,
    );
  });

  it("runs in a directory of the workspace, with the given input (TL-81)", async () => {
    const { value } = await run(create(), { script: "pwd; cat; ls", cwd: "src", stdin: "in\n" });
    expect(value?.stdout).toBe("/workspace/src\nin\na.ts\nb.ts\ndeep\n");
    const missing = await run(create(), { script: "ls", cwd: "no" });
    expect(missing.text).toContain("'no' does not exist in the workspace.");
    const file = await run(create(), { script: "ls", cwd: "README.md" });
    expect(file.text).toContain("'README.md' is not a directory of the workspace.");
  });

  it("fails with rollbackOnFailure, so that the loop rolls the script back (TL-82)", async () => {
    const script = "rm -rf src; echo half; false";
    const { result, text } = await run(create(), { script }, { rollbackOnFailure: true });
    expect(result.success).toBe(false);
    expect(text).toContain("Exit code 1");
    expect(text).toContain("half");
  });

  it.each([
    ["while true; do :; done", "too many commands executed (>500)"],
    ["f() { f; }; f", "maximum recursion depth"],
    ["while true; do echo more and more output; done", "output"],
    [":(){ :|:& };:", ""],
  ])("ends a script that would not end: %s (TL-83)", async (script, says) => {
    const limits = { maxLoopIterations: 500, maxCommands: 500, maxOutputBytes: 2_000 };
    const { value, text } = await run(create(), { script }, { limits });
    expect(value?.exitCode).not.toBe(0);
    expect(text).toContain(says);
  });

  it("reports a script that ran out of time as a failure (TL-83)", async () => {
    const { result, text } = await run(create(), { script: "sleep 60", timeout_seconds: 0.05 });
    expect(result.success).toBe(false);
    expect(text).toContain("The script ran longer than 0.05 seconds.");
  });

  it("rejects when the call is aborted (TL-83)", async () => {
    const controller = new AbortController();
    const [tool] = new BashSection().tools;
    const context = createToolContext({ filesystem: create(), signal: controller.signal });
    const running = tool?.handler({ script: "sleep 60", cwd: ".", stdin: "" }, context);
    controller.abort(new Error("enough"));
    await expect(running).rejects.toThrow("enough");
  });

  it.each([
    "cat /etc/passwd",
    "cat ../../../etc/passwd",
    "ls /root /home",
    "curl https://example.com",
    "python3 -c 'print(1)'",
    "node -e 1",
    "cat /proc/self/environ",
    "ln -s /etc/passwd x && cat x",
    "ln -s ../../../../etc/passwd x && cat x",
    "echo > /dev/tcp/127.0.0.1/80",
    "eval \"$(printf 'cat /etc/shadow')\"",
  ])("reaches nothing of the host: %s (TL-84)", async (script) => {
    process.env["WINK_BASH_CANARY"] = "canary-7c1f";
    const { value, text } = await run(create(), { script });
    delete process.env["WINK_BASH_CANARY"];
    expect(text).not.toMatch(/root:x|canary-7c1f|wink-bash-/);
    expect(value?.stdout).not.toContain(process.cwd());
  });

  it("loses /tmp and variables at the end of a script, and keeps files (TL-81)", async () => {
    const filesystem = create();
    await run(filesystem, { script: "x=1; echo kept > kept; echo lost > /tmp/lost" });
    const { value } = await run(filesystem, { script: 'echo "[$x]"; cat kept; cat /tmp/lost' });
    expect(value?.stdout).toBe("[]\nkept\n");
    expect(await filesystem.exists("tmp")).toBe(false);
  });

  it("refuses a script on a read-only filesystem only where it writes (TL-84)", async () => {
    const filesystem = new InMemoryFilesystem({ files: FILES, readOnly: true });
    const { value } = await run(filesystem, { script: "cat README.md | head -n 1" });
    expect(value).toMatchObject({ stdout: "# Shop\n", exitCode: 0 });
    for (const script of ["echo x > y", "rm README.md", "mkdir d", "sed -i s/a/b/ README.md"]) {
      const refused = await run(filesystem, { script });
      expect(refused.value?.exitCode).not.toBe(0);
    }
    expect((await run(filesystem, { script: "echo x > y" })).value?.stderr).toBe(
      "bash: /y: read-only file system\n",
    );
  });

  it("stops at the quota of the workspace (TL-84)", async () => {
    const filesystem = new InMemoryFilesystem({ files: FILES, quotas: { maxTotalBytes: 1_000 } });
    const script = "for i in 1 2 3 4; do printf '%0400d' 1 > f$i; done; ls f*";
    const { value } = await run(filesystem, { script });
    expect(value?.stderr).toMatch(/no space left/i);
    expect((await filesystem.usage()).totalBytes).toBeLessThanOrEqual(1_000);
  });

  it("runs the handler of 'trap' once, also in calls that are rolled back (TL-82, TL-112)", async () => {
    const script = "trap 'echo bye >> log; cat log' EXIT; echo hi > log; exit 3";
    const { result, text } = await run(create(), { script }, { rollbackOnFailure: true });
    expect(result.success).toBe(false);
    expect(text).toContain("hi\nbye\n```");
    const other = await run(create(), { script: "test -e log; echo $?" });
    expect(other.value?.stdout).toBe("1\n");
  });

  it("has only the commands that the developer allows (TL-84)", async () => {
    const options = { commands: ["cat", "echo"] as const };
    for (const command of ["ls", "mktemp", "cp README.md x", "bash -c ls"]) {
      const { value } = await run(create(), { script: command }, options as never);
      expect(value).toMatchObject({ exitCode: 127 });
    }
    const { value } = await run(create(), { script: "cat 'my file.txt'" }, options as never);
    expect(value?.stdout).toBe("spaces\n");
  });

  it("runs the handler of 'trap' within the limits of the script (TL-83, TL-112)", async () => {
    const script = "trap 'sleep 60' EXIT; echo script";
    const { result, text } = await run(create(), { script, timeout_seconds: 1 });
    expect(result.success).toBe(false);
    expect(text).toContain("The script ran longer than 1 second.");
  });

  it("refuses an empty or too long script (TL-81)", async () => {
    expect((await run(create(), { script: "  " })).text).toContain("The script is empty.");
    const { text } = await run(create(), { script: "a".repeat(50_000) });
    expect(text).toContain("50,000");
  });
});
