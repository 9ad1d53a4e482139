import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ScriptedAdapter } from "@wink/adapters/scripted";
import { defineTool, MarkdownSection, Prompt, PromptTemplate } from "@wink/prompt";
import { SessionLog } from "@wink/session/jsonl";
import { PlanningToolsSection, VfsToolsSection } from "@wink/tools";
import { beforeAll, expect, it, onTestFinished, vi } from "vitest";
import { z } from "zod";
import { runProgram } from "../commands/program.js";
import { call, FILES } from "../run/agent-file.test.support.js";
import { memoryIo } from "../terminal/memory-io.test.support.js";
import { runWink } from "../workspace/wink-process.test.support.js";
import { makeProject } from "../workspace/workspace.test.support.js";

// Starting a process can take many seconds on a busy machine.
vi.setConfig({ testTimeout: 300_000 });

let folder: string;
let log: string;

/** A run of five calls, one of them rolled back, with its log in a file. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "wink-log-test-"));
  log = join(folder, "run.jsonl");
  await using open = await SessionLog.open(log);
  const { session } = open;
  const blow = defineTool({
    name: "blow",
    description: "Write, then fail.",
    input: z.object({}),
    access: "write",
    async handler(_, { filesystem }) {
      await filesystem.write("blown.txt", "x");
      throw new Error("blown");
    },
  });
  const workspace = await VfsToolsSection.create({ session, files: FILES });
  const task = new MarkdownSection({ key: "task", title: "Task", template: "Go.", tools: [blow] });
  const sections = [task, new PlanningToolsSection({ session }), workspace];
  const prompt = new Prompt(new PromptTemplate({ ns: "tests", key: "log", sections })).bind();
  const turns = [
    call("planning_setup_plan", { objective: "Tidy up", steps: ["Look", "Change"] }),
    call("read_file", { file_path: "a.txt" }),
    call("edit_file", { file_path: "a.txt", old_string: "one", new_string: "ONE" }),
    call("blow"),
    call("planning_update_step", { step_id: "1", status: "completed" }),
    { text: "Done." },
  ];
  await new ScriptedAdapter({ turns }).evaluate(prompt, { session });
  return () => rm(folder, { recursive: true });
});

async function show(...args: readonly string[]) {
  const io = memoryIo({ cwd: folder });
  const exitCode = await runProgram(io, ["log", "run.jsonl", ...args]);
  return { exitCode, out: io.out(), err: io.err() };
}

it("wink log shows a run as a timeline, including rollbacks (CL-21)", async () => {
  const { exitCode, out } = await show();
  expect(exitCode).toBe(0);
  const lines = out
    .trimEnd()
    .split("\n")
    .map((line) => line.slice(16).replace(/\d+ ms/, "? ms"));
  expect(lines.map((line) => line.replace(/ {2,}/g, "  "))).toEqual([
    "files  3 files to work on",
    expect.stringMatching(/^turn 1 {2}[\d,]+ characters, 15 tools$/),
    "plan  Tidy up (2 steps)",
    "planning_setup_plan  ✓ ? ms",
    expect.stringContaining("turn 2"),
    "read_file  ✓ ? ms, a.txt",
    expect.stringContaining("turn 3"),
    "edited  a.txt (1 place)",
    "edit_file  ✓ ? ms, a.txt",
    expect.stringContaining("turn 4"),
    expect.stringContaining("blow  ✗ failed ? ms, rolled back: blown.txt"),
    expect.stringContaining("turn 5"),
    "plan  1 completed",
    "planning_update_step ✓ ? ms",
    expect.stringContaining("turn 6"),
    "end  completed, 6 turns, 5 calls",
  ]);
});

it("wink log --all shows every event, numbered without gaps (CL-4, CL-21)", async () => {
  const { out } = await show("--all", "--json");
  const { events } = JSON.parse(out) as { events: readonly { sequence: number; type: string }[] };
  expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => index + 1));
  expect(events.map(({ type }) => type)).toContain("run.start-tool-call");
});

it("wink log --at shows the plan and the files after an event (CL-22)", async () => {
  const { out } = await show("--json");
  const { events } = JSON.parse(out) as { events: readonly { sequence: number; type: string }[] };
  const edit = events.find(({ type }) => type === "files.edit")?.sequence ?? 0;
  const before = JSON.parse((await show("--at", String(edit - 1), "--json")).out);
  const after = JSON.parse((await show("--at", String(edit), "--json")).out);
  expect(before.files.find(isA)).toEqual({ path: "a.txt", version: 0, sizeBytes: 8, tool: "" });
  expect(after.files.find(isA)).toEqual({
    path: "a.txt",
    version: 1,
    sizeBytes: 8,
    tool: "edit_file",
  });
  expect(after.steps.map(({ status }: { status: string }) => status)).toEqual([
    "pending",
    "pending",
  ]);
  expect((await show("--at", String(edit))).out).toBe(
    [
      `After event ${edit}`,
      "",
      "Plan: Tidy up",
      "  ○ Look",
      "  ○ Change",
      "",
      "Files: 3 files",
      "  a.txt  version 1, 8 bytes, by edit_file",
      "  2 files unchanged since the start",
      "",
    ].join("\n"),
  );
});

it("wink log --diff shows the changes up to an event as a patch, if the directory is as at the start of the run (CL-22)", async () => {
  const { directory, write } = await makeProject(FILES);
  const { events } = JSON.parse((await show("--json")).out) as {
    events: readonly { sequence: number; type: string }[];
  };
  const edit = events.find(({ type }) => type === "files.edit")?.sequence ?? 0;
  const diff = (...args: readonly string[]) => show("--diff", "-w", directory, ...args);
  expect((await diff("--at", String(edit - 1))).out).toBe("");
  const { out } = await diff("--at", String(edit));
  expect(out).toContain("-one\n+ONE\n");
  expect((await diff()).out).toBe(out);
  await write("a.txt", "changed since\n");
  expect(await diff()).toMatchObject({
    exitCode: 3,
    err: expect.stringContaining("has changed since the start of the run."),
  });
});

it("wink log reports an unknown event and a file that is not a log (CL-2)", async () => {
  expect(await show("--at", "999")).toEqual({
    exitCode: 2,
    out: "",
    err: "wink: The log has no event 999.\nwink log without --at lists the events.\n",
  });
  const other = join(folder, "other.jsonl");
  await writeFile(other, "{}\n");
  const io = memoryIo({ cwd: folder });
  expect(await runProgram(io, ["log", "other.jsonl"])).toBe(1);
  expect(io.err()).toMatch(/^wink: This is not the log of a run: /);
});

it("wink log reports that a directory has no runs yet, as a process (CL-2, CL-21)", async () => {
  const state = await mkdtemp(join(tmpdir(), "wink-log-state-"));
  onTestFinished(() => rm(state, { recursive: true }));
  const { exitCode, stderr } = await runWink(["log"], {
    cwd: folder,
    env: { WINK_STATE_DIR: state },
  });
  expect(exitCode).toBe(2);
  expect(stderr).toMatch(/^wink: No run yet on .*\.\n/);
});

function isA({ path }: { readonly path: string }): boolean {
  return path === "a.txt";
}
