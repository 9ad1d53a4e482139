import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { expect, it, vi } from "vitest";
import { connectStdio } from "../mcp/mcp-client.test.support.js";
import { agentSource, call } from "../run/agent-file.test.support.js";
import { callWink, runWink } from "./wink-process.test.support.js";
import { makeProject, type Project } from "./workspace.test.support.js";

// Starting a process can take many seconds on a busy machine.
vi.setConfig({ testTimeout: 600_000 });

const bytePath = (path: string) => Buffer.from(path);
const entryPath = (directory: Buffer, name: Uint8Array) =>
  Buffer.concat([directory, Buffer.from("/"), name]);
const bytes = (latin1: string) => Buffer.from(latin1, "latin1");
/** How a workspace shows the byte 0xE9. */
const E9 = "\u{10ffe9}";
const FILES = {
  "caf\xe9.txt": "coffee\n",
  "d\xe9p\xf4t/\xff\xfe.txt": "deep\n",
  "a.txt": "one\ntwo\n",
  "old.txt": "old\n",
  "sub/b.txt": "b\n",
};

async function latin1Project() {
  const project = await makeProject({});
  for (const [path, text] of Object.entries(FILES)) write(project, path, text);
  const wink = async (...args: readonly string[]) => {
    // An agent's file needs a real process to load it.
    const start = args[0] === "run" ? runWink : callWink;
    const result = await start(args, { cwd: project.directory, env: project.env });
    // Only the log line may contain the state directory.
    const messages = `${result.stdout}${result.stderr}`.replace(/^log: .*$/m, "");
    expect(messages).not.toContain(project.state);
    return result;
  };
  return { project, wink };
}

/** Writes a file. Each character of its path is one byte. */
function write({ directory }: Project, path: string, text: string): void {
  const parent = path.slice(0, Math.max(0, path.lastIndexOf("/")));
  mkdirSync(entryPath(bytePath(directory), bytes(parent)), { recursive: true });
  writeFileSync(entryPath(bytePath(directory), bytes(path)), text);
}

/** Every file of the directory with its text. Each character of a name is one byte. */
function read({ directory }: Project): Record<string, string> {
  const found: Record<string, string> = {};
  const visit = (path: Buffer, shown: string): void => {
    for (const name of readdirSync(path, { encoding: "buffer" })) {
      const child = entryPath(path, name);
      const below = `${shown}${name.toString("latin1")}`;
      if (statSync(child).isDirectory()) visit(child, `${below}/`);
      else found[below] = readFileSync(child, "utf8");
    }
  };
  visit(bytePath(directory), "");
  return found;
}

it("wink run, changes, diff, apply, undo, snapshots and log work with file names that are not UTF-8 (CL-45, A26)", async () => {
  const { project, wink } = await latin1Project();
  const turns = [
    call("read_file", { file_path: `caf${E9}.txt` }),
    call("edit_file", { file_path: `caf${E9}.txt`, old_string: "coffee", new_string: "tea" }),
    call("write_file", { file_path: `new${E9}.txt`, content: "new\n" }),
    call("snapshot_create", { name: "kept" }),
    { text: { summary: "Done." } },
  ];
  await project.write("../agent.mjs", agentSource(turns));
  expect(await wink("run", "../agent.mjs")).toMatchObject({ exitCode: 0 });
  expect(read(project)).toEqual(FILES);

  const changes = await wink("changes", "--json");
  expect(JSON.parse(changes.stdout)).toMatchObject({
    files: [
      { type: "modified", path: `caf${E9}.txt` },
      { type: "added", path: `new${E9}.txt` },
    ],
  });
  expect((await wink("changes")).stdout).toContain("M caf");
  const patch = await wink("diff");
  expect(patch).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("-coffee\n+tea\n") });
  expect((await wink("diff", `caf${E9}.txt`)).stdout).toContain("+tea\n");
  expect((await wink("snapshots", "list")).stdout).toContain("kept");
  expect((await wink("log")).exitCode).toBe(0);
  expect((await wink("apply", "--dry-run")).stdout).toMatch(/^2 changes would be applied/);

  expect(await wink("apply", "--yes")).toMatchObject({ exitCode: 0 });
  expect(read(project)).toEqual({ ...FILES, "caf\xe9.txt": "tea\n", "new\xe9.txt": "new\n" });
  expect(await wink("undo", "--yes")).toMatchObject({ exitCode: 0 });
  expect(read(project)).toEqual(FILES);
  expect(await wink("changes", "--discard", "--yes")).toMatchObject({ exitCode: 0 });
  // A change of such a file in the directory is a normal conflict.
  expect(await wink("snapshots", "restore", "kept", "--yes")).toMatchObject({ exitCode: 0 });
  write(project, "caf\xe9.txt", "their coffee\n");
  const refused = await wink("apply", "--yes", "--json");
  expect(refused.exitCode).toBe(3);
  expect(JSON.parse(refused.stdout)).toMatchObject({ conflicts: [{ path: `caf${E9}.txt` }] });
  expect(read(project)).toEqual({ ...FILES, "caf\xe9.txt": "their coffee\n" });
});

it("wink diff writes a patch with the original bytes of names that are not UTF-8, which git applies (CL-45, CL-31)", async () => {
  const { project, wink } = await latin1Project();
  const turns = [
    call("read_file", { file_path: `caf${E9}.txt` }),
    call("edit_file", { file_path: `caf${E9}.txt`, old_string: "coffee", new_string: "tea" }),
    { text: { summary: "Done." } },
  ];
  await project.write("../agent.mjs", agentSource(turns));
  expect(await wink("run", "../agent.mjs")).toMatchObject({ exitCode: 0 });
  const { stdout } = await wink("diff");
  execFileSync("git", ["apply"], { cwd: project.directory, input: stdout });
  expect(read(project)).toEqual({ ...FILES, "caf\xe9.txt": "tea\n" });
});

it("wink mcp serves files whose names are not UTF-8, and follows changes to them in the directory (CL-45, CL-34)", async () => {
  const { project, wink } = await latin1Project();
  const { client, call: ask } = await connectStdio(project);
  expect(await ask("ls")).toContain(`caf${E9}.txt`);
  expect(await ask("read_file", { path: `d${E9}p\u{10fff4}t/\u{10ffff}\u{10fffe}.txt` })).toContain(
    "deep",
  );
  write(project, "caf\xe9.txt", "their coffee\n");
  expect(await ask("read_file", { path: `caf${E9}.txt` })).toContain("their coffee");
  await ask("edit_file", { path: `caf${E9}.txt`, old_string: "their", new_string: "our" });
  await client.close();
  expect(await wink("apply", "--yes")).toMatchObject({ exitCode: 0 });
  expect(read(project)).toEqual({ ...FILES, "caf\xe9.txt": "our coffee\n" });
});
