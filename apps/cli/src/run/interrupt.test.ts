import { once } from "node:events";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { openWorkspace } from "../workspace/open-workspace.js";
import { callWink, collect, runWink, startWink } from "../workspace/wink-process.test.support.js";
import { makeProject, type Project } from "../workspace/workspace.test.support.js";
import { agentSource, call, FILES } from "./agent-file.test.support.js";

// Starting a process can take many seconds on a busy machine.
vi.setConfig({ testTimeout: 300_000 });

const isPlain = process.env["WINK_MORE_ROUNDS"] === undefined;
const LONG = { timeout: 120_000, interval: 20 };

const DONE_THEN_HANGING = [
  call("write_file", { file_path: "done.txt", content: "done\n" }),
  call("hang", { file_path: "half.txt" }),
  { text: { summary: "Never." } },
];

async function setup(turns: Parameters<typeof agentSource>[0] = DONE_THEN_HANGING) {
  const project = await makeProject(FILES);
  await project.write("../agent.mjs", agentSource(turns));
  return project;
}

/** Starts a run and resolves when it has printed `text`. */
async function startUntil({ directory, env }: Project, text: string) {
  const child = startWink(["run", "../agent.mjs"], { cwd: directory, env });
  const stdout = collect(child.stdout);
  const stderr = collect(child.stderr);
  const closed = once(child, "close");
  await vi.waitFor(() => expect(stderr()).toContain(text), LONG);
  return { child, closed, stdout, stderr };
}

/** The workspace record on disk so far. */
async function recordOf({ state }: Project): Promise<string> {
  const [home = ""] = await readdir(join(state, "workspaces"));
  return await readFile(join(state, "workspaces", home, "workspace.json"), "utf8");
}

/** The changes that the next process sees. */
async function changesOf({ directory, env }: Project): Promise<readonly string[]> {
  await using workspace = await openWorkspace(directory, { env });
  return (await workspace.changes()).files.map(({ path }) => path);
}

describe("Ctrl-C", () => {
  it.each(isPlain ? ["SIGINT" as const] : (["SIGINT", "SIGTERM"] as const))(
    "(%s) rolls back the running call, keeps earlier ones, and prints where changes and log are (CL-3, CL-18)",
    async (signal) => {
      const project = await setup();
      const { child, closed, stdout, stderr } = await startUntil(project, "hanging");
      child.kill(signal);
      expect(await closed).toEqual([130, null]);
      expect(stdout()).toBe("");
      expect(stderr()).toContain(`Nothing was written to ${project.directory}.`);
      expect(stderr()).toContain("The workspace has 1 change.\nReview: wink diff\n");
      expect(stderr()).toContain("wink: Interrupted.");
      expect(await changesOf(project)).toEqual(["done.txt"]);
      expect(await project.read()).toEqual(FILES);
    },
  );

  it("during the copying leaves a workspace that the next run fills (CL-18)", async () => {
    const project = await setup([{ text: { summary: "Nothing to do." } }]);
    for (let index = 0; index < 3_000; index++)
      await project.write(`many/${index % 50}/${index}.txt`, `${index}\n`);
    const { directory, env } = project;
    const child = startWink(["run", "../agent.mjs"], { cwd: directory, env });
    const stdout = collect(child.stdout);
    const stderr = collect(child.stderr);
    const closed = once(child, "close");
    await vi.waitFor(async () => expect(await recordOf(project)).toContain("copying"), LONG);
    child.kill("SIGINT");
    const [exitCode] = await closed;
    // On a fast machine, the copy may finish before the signal arrives. Then the run simply ends.
    expect([0, 130], stderr()).toContain(exitCode);
    if (stdout() === "") expect(stderr()).toContain(`Nothing was written to ${directory}`);
    const next = await runWink(["run", "../agent.mjs", "--json"], { cwd: directory, env });
    expect(JSON.parse(next.stdout)).toMatchObject({ finishReason: "completed", changes: [] });
    expect(next.stderr).toContain("3,003 files");
  });

  it("pressed twice ends the process immediately, and the next run rolls back the unfinished call (CL-18)", async () => {
    const project = await setup();
    await project.write("../agent.mjs", agentSource(DONE_THEN_HANGING, { closes: false }));
    const { child, closed, stderr } = await startUntil(project, "hanging");
    child.kill("SIGINT");
    await vi.waitFor(
      () => expect(stderr()).toContain("Press Ctrl-C again to end immediately"),
      LONG,
    );
    child.kill("SIGINT");
    expect(await closed).toEqual([130, null]);
    expect(await changesOf(project)).toEqual(["done.txt"]);
  });
});

it("a kill during a call leaves the directory unchanged, and the workspace as before that call (CL-18, CL-21)", async () => {
  const project = await setup();
  const { child, closed } = await startUntil(project, "hanging");
  child.kill("SIGKILL");
  await closed;
  expect(await project.read()).toEqual(FILES);
  expect(await changesOf(project)).toEqual(["done.txt"]);
  const { directory, env } = project;
  const log = await callWink(["log"], { cwd: directory, env });
  expect(log.stdout).toMatch(/hang +not finished: running, or rolled back/);
});
