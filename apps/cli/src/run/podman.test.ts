import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { readRun } from "@wink/adapters/run";
import { describe, expect, it, vi } from "vitest";
import { hasProgram } from "../workspace/has-component.test.support.js";
import { runWink } from "../workspace/wink-process.test.support.js";
import { makeProject } from "../workspace/workspace.test.support.js";
import { agentSource, call, FILES } from "./agent-file.test.support.js";
import { RESUMED_AGENT } from "./resumed-agent.test.support.js";
import type { RunReport } from "./run-report.js";

// Starting a process can take many seconds on a busy machine.
vi.setConfig({ testTimeout: 300_000 });

const IMAGE = "localhost/wink-sandbox:1";

const hasImage = hasProgram(
  "podman",
  ["image", "exists", IMAGE],
  `runs in a container need Podman and ${IMAGE}; run scripts/images/build.sh`,
);

async function setup() {
  const project = await makeProject(FILES);
  const turns = [
    call("shell_execute", { command: "cat a.txt sub/b.txt > both.txt && rm old.txt" }),
    { text: { summary: "Put together." } },
  ];
  await project.write("../agent.mjs", agentSource(turns));
  const { CONTAINERS_CONF } = process.env;
  return { project, at: { cwd: project.directory, env: { ...project.env, CONTAINERS_CONF } } };
}

describe.runIf(hasImage)("with a container", () => {
  it("wink run gives the agent a shell, and writes its changes as a patch that git applies (CL-12, CL-14)", async () => {
    const { project, at } = await setup();
    const args = ["--backend", "podman", "--image", IMAGE, "--patch", "../run.patch", "--json"];
    const { exitCode, stdout, stderr } = await runWink(["run", "../agent.mjs", ...args], at);
    expect(exitCode, stderr).toBe(0);
    expect((JSON.parse(stdout) as RunReport).changes).toMatchObject([
      { type: "added", path: "both.txt" },
      { type: "deleted", path: "old.txt" },
    ]);
    expect(await project.read()).toEqual(FILES);
    execFileSync("git", ["apply", "../run.patch"], { cwd: project.directory });
    const { "old.txt": _, ...rest } = FILES;
    expect(await project.read()).toEqual({ ...rest, "both.txt": "one\ntwo\nb\n" });
  });

  it("wink run --resume in a container restores the files before the section reads them (CL-48)", async () => {
    const { directory: cwd, env: given } = await makeProject({
      "agent.mjs": RESUMED_AGENT,
      "notes.txt": "start\n",
    });
    const { CONTAINERS_CONF } = process.env;
    const env = { ...given, CONTAINERS_CONF, WINK_MARKER: join(cwd, "..", "marker") };
    const args = ["run", "agent.mjs", "--backend", "podman", "--image", IMAGE];
    expect((await runWink([...args, "-p", "name=Ada"], { cwd, env })).exitCode).not.toBe(0);
    const resumed = await runWink([...args, "--resume"], { cwd, env });
    expect(resumed.stderr).toContain("The run waits for an answer.");
    const [, run = ""] = /The log of the run: (\S+)/.exec(resumed.stderr) ?? [];
    using reader = await readRun(run);
    const text = await reader.fileAt(reader.lastSequence, "notes.txt");
    expect(Buffer.from(text ?? []).toString()).toBe("start\none\ntwo\n");
    // The session knows the files, so the model reads no new list of them.
    expect(reader.events.filter(({ type }) => type === "files.mount")).toHaveLength(1);
  });
});

it("wink run --backend podman reports why containers are not available (CL-2, CL-3)", async () => {
  const { at } = await setup();
  const { exitCode, stderr } = await runWink(["run", "../agent.mjs", "--backend", "podman"], {
    ...at,
    env: { ...at.env, PATH: at.cwd },
  });
  expect(exitCode).toBe(4);
  expect(stderr).toMatch(/wink: No container is available: .*\nwink doctor shows/);
});
