import { describe, expect, it, vi } from "vitest";
import { hasProgram } from "../workspace/has-component.test.support.js";
import { callWink, runWink } from "../workspace/wink-process.test.support.js";
import { makeProject } from "../workspace/workspace.test.support.js";
import { agentSource, call, FILES, WORK } from "./agent-file.test.support.js";
import type { RunReport } from "./run-report.js";

// Starting a process can take many seconds on a busy machine.
vi.setConfig({ testTimeout: 300_000 });

const IMAGE = "localhost/wink-sandbox:1";
const KEY =
  "-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA1c7+9z5Pad7OejecsQ0bu3aozN\n-----END RSA PRIVATE KEY-----\n";
const WORKED = { "a.txt": "ONE\ntwo\n", "new.txt": "new\n", "sub/b.txt": "b\n" };

const hasImage = hasProgram(
  "podman",
  ["image", "exists", IMAGE],
  `runs in a container need Podman and ${IMAGE}; run scripts/images/build.sh`,
);

async function setup() {
  const project = await makeProject(FILES);
  await project.write("../agent.mjs", agentSource(WORK));
  const { CONTAINERS_CONF } = process.env;
  const at = { cwd: project.directory, env: { ...project.env, CONTAINERS_CONF } };
  const wink = (...args: readonly string[]) =>
    args[0] === "run" ? runWink(args, at) : callWink(args, at);
  return { project, wink };
}

async function keeps(backend: string, ...options: readonly string[]): Promise<void> {
  const { project, wink } = await setup();
  const run = await wink("run", "../agent.mjs", "--json", "--backend", backend, ...options);
  expect(run.exitCode, run.stderr).toBe(0);
  expect(JSON.parse(run.stdout) as RunReport).toMatchObject({ backend, kept: "workspace" });
  expect(await project.read()).toEqual(FILES);
  const changes = await wink("changes", "--json");
  expect(JSON.parse(changes.stdout)).toMatchObject({
    files: [{ path: "a.txt" }, { path: "new.txt" }, { path: "old.txt" }],
  });
  expect((await wink("apply", "--yes")).exitCode).toBe(0);
  expect(await project.read()).toEqual(WORKED);
}

it.each(["memory", "overlay"])(
  "the changes of a run with the %s backend are in the workspace afterwards (CL-15)",
  (backend) => keeps(backend),
);

describe.runIf(hasImage)("with a container", () => {
  it("the changes of a run with the podman backend are in the workspace afterwards (CL-15)", () =>
    keeps("podman", "--image", IMAGE));
});

it("a run with the overlay backend says what the agent did not see (CL-13, WS-18)", async () => {
  const { project, wink } = await setup();
  await project.write(".env", "KEY=secret\n");
  await project.write("sub/key.txt", KEY);
  const run = await wink("run", "../agent.mjs", "--backend", "overlay", "--apply");
  expect(run.exitCode, run.stderr).toBe(0);
  expect(run.stderr).toContain(`model scripted, through an overlay of ${project.directory}\n`);
  expect(run.stdout).toContain("Not shown to the agent:\n.env  secret name\n");
  expect(await project.read()).toEqual({ ...WORKED, ".env": "KEY=secret\n", "sub/key.txt": KEY });
});

/** Counts the files that the process opens by their names. */
const COUNTING = `import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
const opened = new Set();
for (const name of ["openSync", "readFileSync"]) {
  const original = fs[name];
  fs[name] = (path, ...rest) => {
    const [leaf] = /file-[^/]*$/.exec(String(path)) ?? [];
    if (leaf) opened.add(leaf);
    return original(path, ...rest);
  };
}
syncBuiltinESMExports();
process.on("exit", () => console.error("opened " + [...opened].slice(0, 9).join(" ") + ";"));
`;

it("a run through an overlay of a large directory reads only the files that its calls need (WS-18)", async () => {
  const { project, wink } = await setup();
  const names = Array.from({ length: 2_100 }, (_, index) => `file-${index}.txt`);
  for (const name of names) await project.write(`many/${name}`, `${name}\n`);
  const turns = [
    call("read_file", { file_path: "many/file-7.txt" }),
    call("edit_file", { file_path: "many/file-7.txt", old_string: "7", new_string: "seven" }),
    { text: { summary: "Done." } },
  ];
  await project.write("../agent.mjs", COUNTING + agentSource(turns));
  const run = await wink("run", "../agent.mjs", "--backend", "overlay", "--apply", "--json");
  expect(run.exitCode, run.stderr).toBe(0);
  expect(run.stderr).toContain("opened file-7.txt;");
  expect(run.stderr).toContain("more than 2000 files, so the run is recorded without their states");
  expect((await project.read())["many/file-7.txt"]).toBe("file-seven.txt\n");
  const { log } = JSON.parse(run.stdout) as RunReport;
  expect((await wink("log", log)).stdout).toContain("edit_file");
  const resumed = await wink("run", "../agent.mjs", "--backend", "overlay", "--resume", log);
  expect(resumed.exitCode).not.toBe(0);
  expect(resumed.stderr).toContain("recorded without the states of its files");
});
