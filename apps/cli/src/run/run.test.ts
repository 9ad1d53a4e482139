import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { describe, expect, it, vi } from "vitest";
import { callWink, runWink } from "../workspace/wink-process.test.support.js";
import { makeProject, type Project } from "../workspace/workspace.test.support.js";
import { agentSource, call, FILES, WORK } from "./agent-file.test.support.js";
import type { RunReport } from "./run-report.js";

// Starting a process can take many seconds on a busy machine.
vi.setConfig({ testTimeout: 300_000 });

const isPlain = process.env["WINK_MORE_ROUNDS"] === undefined;

/** A project, and an agent outside of it in a directory where nothing is installed. */
async function setup(turns = WORK) {
  const project = await makeProject(FILES);
  await project.write("../agent.mjs", agentSource(turns));
  const run = (...args: readonly string[]) =>
    runWink(["run", "../agent.mjs", ...args], at(project));
  return { project, run };
}

function at({ directory, env }: Project) {
  return { cwd: directory, env };
}

const WORKED = { "a.txt": "ONE\ntwo\n", "new.txt": "new\n", "sub/b.txt": "b\n" };

describe("wink run", () => {
  it("shows its progress, prints the output and the changes, and leaves the directory unchanged (CL-12, CL-13, CL-15, CL-19)", async () => {
    const { project, run } = await setup();
    await project.write(".env", "KEY=secret\n");
    const { exitCode, stdout, stderr } = await run();
    expect(exitCode).toBe(0);
    expect(stderr.trimEnd().split("\n")).toEqual([
      "agent.mjs  An agent for tests.",
      `model scripted, on a copy of ${project.directory} (3 files, 14 bytes)`,
      "not copied: 1 secret",
      "  wink changes --not-copied lists them",
      "",
      "1  ✓ planning_setup_plan  Tidy up  Made a plan: 2 steps.",
      "     ○ Look",
      "     ○ Change",
      "2  ✓ read_file            'a.txt', 2 lines.",
      expect.stringMatching(/^3 {2}✗ blow {17}blow failed because of an internal error\./),
      "     Error: blown",
      "   ↩ rolled back: one.txt, two.txt",
      "4  ✓ edit_file            Edited 'a.txt': 1 replacement.",
      "5  ✓ write_file           Created 'new.txt': 1 line, 4 bytes.",
      expect.stringMatching(/^6 {2}✓ rm {19}.*'old\.txt'/),
      "7  ✓ planning_update_step ● Look",
    ]);
    expect(stdout).toContain(
      '{\n  "summary": "Tidied up."\n}\n\nM a.txt\nA new.txt\nD old.txt\n\n3 changes in the workspace;',
    );
    expect(await project.read()).toEqual({ ...FILES, ".env": "KEY=secret\n" });
    const notCopied = await callWink(["changes", "--not-copied"], at(project));
    expect(notCopied.stdout).toBe(".env  secret name\n");
    const changes = await callWink(["changes", "--json"], at(project));
    expect(JSON.parse(changes.stdout)).toMatchObject({
      files: [{ path: "a.txt" }, { path: "new.txt" }, { path: "old.txt" }],
    });
  });

  it("writes a patch that git applies, and one JSON document (CL-4, CL-14)", async () => {
    const { project, run } = await setup();
    const { exitCode, stdout } = await run("--patch", "../run.patch", "--json", "-p", "limit=3");
    expect(exitCode).toBe(0);
    const report = JSON.parse(stdout) as RunReport;
    expect(report).toMatchObject({
      backend: "host",
      finishReason: "completed",
      output: { summary: "Tidied up." },
      kept: "patch",
      changes: [
        { type: "modified", path: "a.txt" },
        { type: "added", path: "new.txt" },
        { type: "deleted", path: "old.txt" },
      ],
    });
    expect(await project.read()).toEqual(FILES);
    execFileSync("git", ["apply", String(report.patchFile)], { cwd: project.directory });
    expect(await project.read()).toEqual(WORKED);
  });

  it.each(isPlain ? ["host"] : ["host", "memory"])(
    "applies all changes on request from the %s backend; wink undo works if the workspace is persistent (CL-13, CL-15)",
    async (backend) => {
      const { project, run } = await setup();
      const { exitCode, stdout } = await run("--apply", "--backend", backend);
      expect(exitCode).toBe(0);
      expect(stdout).toContain(`3 changes applied to ${project.directory}.`);
      expect(await project.read()).toEqual(WORKED);
      if (backend === "memory") return;
      expect((await callWink(["undo", "--yes"], at(project))).exitCode).toBe(0);
      expect(await project.read()).toEqual(FILES);
    },
  );

  it("starts each time with the current directory, and saves unapplied changes as a snapshot (CL-15)", async () => {
    const { project, run } = await setup();
    await run();
    await project.write("sub/b.txt", "changed on disk\n");
    const second = await run("--json");
    expect(second.stderr).toMatch(/^Saved 3 unapplied changes as the snapshot before-\d+\.\n/);
    expect((JSON.parse(second.stdout) as RunReport).changes).toHaveLength(3);
    // With --continue, the first edit does not find its text (already replaced), and the same three
    // changes stay.
    const third = await run("--continue", "--apply");
    expect(third.stderr).toMatch(/✗ edit_file +String not found/);
    expect(await project.read()).toEqual({ ...WORKED, "sub/b.txt": "changed on disk\n" });
  });

  it("applies nothing if the directory changed during the run, and names the file (CL-3, CL-13)", async () => {
    const { project, run } = await setup([
      call("read_file", { file_path: "a.txt" }),
      call("edit_file", { file_path: "a.txt", old_string: "one", new_string: "ONE" }),
      call("write_file", { file_path: "new.txt", content: "new\n" }),
      { text: { summary: "Done." } },
    ]);
    await run();
    await project.write("a.txt", "edited by hand\n");
    const { exitCode, stderr } = await run("--continue", "--apply");
    expect(exitCode).toBe(3);
    expect(stderr).toContain(
      "wink: Nothing was applied. Files that changed in the directory: a.txt.\n",
    );
    expect(await project.read()).toEqual({ ...FILES, "a.txt": "edited by hand\n" });
  });

  const limits = [
    { args: ["--budget", "calls=2"], text: "budget" },
    { args: ["--max-turns", "2"], text: "max-turns" },
    { args: ["--deadline", "0s"], text: "deadline" },
  ];
  it.each(limits.slice(isPlain ? 2 : 0))(
    "exits with 1 at the limit of $args, and names the limit (CL-3, CL-16)",
    async ({ args, text }) => {
      const { project, run } = await setup();
      const { exitCode, stderr } = await run("--backend", "memory", ...args);
      expect(exitCode).toBe(1);
      expect(stderr).toMatch(new RegExp(`wink: .*${text}`));
      expect(stderr).toContain(`Nothing was written to ${project.directory}.`);
    },
  );
});

const REFUSED = [
  { args: ["../none.ts"], exitCode: 2, text: "../none.ts does not export an agent." },
  { args: ["../broken.ts"], exitCode: 1, text: "broken.ts:2:0: ERROR: " },
  { args: ["../agent.mjs", "-m", "openai:any"], exitCode: 4, text: "set OPENAI_API_KEY." },
  { args: ["../agent.mjs", "-w", "nowhere"], exitCode: 2, text: "nowhere does not exist" },
  {
    args: ["../agent.mjs", "-w", "a.txt", "--backend", "memory"],
    exitCode: 2,
    text: "a.txt is not a directory.",
  },
  {
    args: ["../agent.mjs", "--patch", "sub"],
    exitCode: 2,
    text: "--patch cannot be written to sub.",
  },
  { args: [".."], exitCode: 2, text: "File .. does not exist.\n" },
  {
    args: ["../agent.mjs", "-p", "limit=many"],
    exitCode: 2,
    text: "Parameter limit is invalid",
  },
];

describe("wink run refuses", () => {
  // The plain test command tries every fourth, and CI tries all.
  const tried = REFUSED.filter((_, index) => !isPlain || index % 4 === 0);
  it.each(tried)(
    "$args with one sentence, before anything is copied (CL-2, CL-3, CL-16, CL-17)",
    async (row) => {
      const { project } = await setup();
      await project.write("../none.ts", "export const answer = 42;\n");
      await project.write("../broken.ts", "export const agent = \n");
      const { exitCode, stdout, stderr } = await runWink(["run", ...row.args], at(project));
      expect({ exitCode, stdout }).toEqual({ exitCode: row.exitCode, stdout: "" });
      expect(stderr).toContain(row.text);
      expect(stderr).not.toMatch(/\n +at /);
      expect(existsSync(project.state)).toBe(false);
    },
  );
});
