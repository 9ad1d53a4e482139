import { mkdir, readdir, rm } from "node:fs/promises";
import { type RunReader, readRun } from "@wink/adapters/run";
import { Plan } from "@wink/tools";
import { expect, it, vi } from "vitest";
import { runWink } from "../workspace/wink-process.test.support.js";
import { makeProject } from "../workspace/workspace.test.support.js";
import type { RunReport } from "./run-report.js";

// Starting a process can take many seconds on a busy machine.
vi.setConfig({ testTimeout: 300_000 });

/** An agent with two subagents, a call that is rolled back, a request that is retried, and a shell. */
const AGENT = `import { execFileSync } from "node:child_process";
import { defineSubagentTool, ModelError } from "@wink/adapters";
import { defineAgent } from "@wink/cli";
import { defineTool, MarkdownSection, ok, Prompt, PromptTemplate } from "@wink/prompt";
import { PlanningToolsSection, VfsToolsSection } from "@wink/tools";
import { z } from "zod";

const spoil = defineTool({
  name: "spoil", description: "Write, then fail.", input: z.object({}), access: "write",
  async handler(_, { filesystem }) {
    await filesystem.write("bad.txt", "bad\\n");
    throw new Error("spoiled");
  },
});
const own = defineTool({
  name: "own", description: "Write a file.", input: z.object({}), access: "write",
  async handler(_, { filesystem }) {
    await filesystem.write("own.txt", "own\\n");
    return ok(undefined, "Done.");
  },
});
const shellIn = (directory) => defineTool({
  name: "shell", description: "Run a command.", input: z.object({ command: z.string() }), access: "opaque",
  handler: ({ command }) => ok(undefined, execFileSync("sh", ["-c", command], { cwd: directory, encoding: "utf8" })),
});
const subagent = (which) => defineSubagentTool({
  name: "ask_" + which, description: "Let a subagent work.", input: z.object({}),
  async prompt(_, filesystem, session) {
    const files = await VfsToolsSection.create({ session, filesystem, trackChanges: false });
    const task = new MarkdownSection({ key: "task", title: "Task", template: "Subagent " + which });
    return new Prompt(new PromptTemplate({ ns: "tests", key: "sub" + which, sections: [task, files] })).bind({});
  },
});
const call = (tool, input = {}) => ({ calls: [{ tool, input }] });
let failed = false;
const STEPS = [
  call("planning_setup_plan", { objective: "Work", steps: ["One", "Two"] }),
  call("own"),
  call("spoil"),
  { calls: [{ tool: "ask_1", input: {} }, { tool: "ask_2", input: {} }] },
  call("shell", { command: "echo shell > shell.txt; rm old.txt" }),
  { text: "All done." },
];
const steps = new Map();
export const agent = defineAgent({
  prompt({ session, workspace }) {
    const tools = [spoil, own, subagent(1), subagent(2), shellIn(workspace.filesystem.root)];
    const task = new MarkdownSection({ key: "task", title: "Task", template: "Do it.", tools });
    const sections = [task, new PlanningToolsSection({ session }), workspace];
    return new Prompt(new PromptTemplate({ ns: "tests", key: "recorded", sections })).bind({});
  },
  script({ instructions }) {
    const which = /Subagent (\\d)/.exec(instructions)?.[1] ?? "0";
    const index = steps.get(which) ?? 0;
    if (which === "0" && index === 2 && !failed) {
      failed = true;
      throw new ModelError("NETWORK");
    }
    steps.set(which, index + 1);
    if (which === "0") return STEPS[index];
    const write = call("write_file", { file_path: "from-" + which + ".txt", content: which + "\\n" });
    return index === 0 ? write : { text: "Subagent " + which + " is done." };
  },
});
`;

function shown(run: RunReader, sequence: number): Record<string, string> {
  const files = [...run.filesAt(sequence)].filter(({ kind }) => kind === "file");
  return Object.fromEntries(
    files.map((file) => [file.path, `${Buffer.from(file.read() as Uint8Array)}`]),
  );
}

it("the files of one run give everything at every event, with the directory deleted (CL-22, RUN-8, RUN-11, I-B4)", async () => {
  const { directory, env, write } = await makeProject({ "old.txt": "old\n", "sub/b.txt": "b\n" });
  await write("../agent.mjs", AGENT);
  const { exitCode, stdout, stderr } = await runWink(["run", "../agent.mjs", "--json"], {
    cwd: directory,
    env,
  });
  expect({ exitCode, stderr: exitCode === 0 ? "" : stderr }).toEqual({ exitCode: 0, stderr: "" });
  const report: RunReport = JSON.parse(stdout);
  await rm(directory, { recursive: true });

  using run = await readRun(report.log, { slices: [Plan] });
  expect(run.header).toMatchObject({
    agent: "agent.mjs",
    model: "scripted",
    prompt: { name: "tests/recorded" },
  });
  const start = { "old.txt": "old\n", "sub/b.txt": "b\n" };
  const owned = { ...start, "own.txt": "own\n" };
  const first = { ...owned, "from-1.txt": "1\n" };
  const both = { ...first, "from-2.txt": "2\n" };
  const { "old.txt": _, ...end } = { ...both, "shell.txt": "shell\n" };
  const after: Record<string, Record<string, string>> = {
    own: owned,
    ask_1: first,
    ask_2: both,
    shell: end,
  };
  let now: Record<string, string> = start;
  const plans: number[] = [];
  for (const { sequence, type, payload } of run.events) {
    if (type === "run.end-tool-call") now = after[(payload as { tool: string }).tool] ?? now;
    expect(shown(run, sequence), `event ${sequence}`).toEqual(now);
    plans.push(run.sessionAt(sequence).state(Plan).steps.length);
    expect(run.budgetAt(sequence).usage.turns).toBeLessThanOrEqual(6);
  }
  expect([plans[0], plans.at(-1)]).toEqual([0, 2]);
  const changed = async (from: number, to: number) =>
    (await run.diff(from, to)).files.map(({ type, path }) => `${type} ${path}`);
  const at = (tool: string) => run.calls.find((each) => each.tool === tool)?.end ?? 0;
  expect(await changed(at("own"), at("shell"))).toEqual([
    ...["added from-1.txt", "added from-2.txt", "deleted old.txt", "added shell.txt"],
  ]);
  const undone = await run.undoneBy(at("spoil"));
  expect(undone?.files.map(({ path }) => path)).toEqual(["bad.txt"]);
  expect(await undone?.toPatch()).toContain("+bad");
  expect(run.turns.flatMap(({ failures }) => failures.map(({ code }) => code))).toEqual([
    "NETWORK",
  ]);
  expect(run.promptAt(run.lastSequence)?.sections.map(({ path }) => path)).toEqual([
    "task",
    "planning",
    "workspace",
  ]);
  expect(run.messagesAt(run.lastSequence).at(-1)).toMatchObject({
    role: "assistant",
    text: "All done.",
  });
  const children = await run.children();
  expect(children.map(({ sequence }) => sequence)).toEqual(
    run.calls.filter(({ tool }) => tool.startsWith("ask_")).map((each) => each.start),
  );
  for (const [index, child] of children.entries()) {
    using subagent = await child.open();
    const which = `${index + 1}`;
    expect(shown(subagent, subagent.lastSequence)).toEqual({
      ...owned,
      [`from-${which}.txt`]: `${which}\n`,
    });
    expect(subagent.messagesAt(subagent.lastSequence).at(-1)).toMatchObject({
      text: `Subagent ${which} is done.`,
    });
  }

  await mkdir(directory);
  const diff = await runWink(["log", report.log, "--diff"], { cwd: directory, env });
  expect(diff.stdout).toContain("+shell");
  const json = await runWink(["log", report.log, "--at", `${at("own")}`, "--diff", "--json"], {
    cwd: directory,
    env,
  });
  expect(JSON.parse(json.stdout)).toMatchObject({ patch: expect.stringContaining("+own") });
});

it("wink run --no-transcript records events and states, but not what was said (CL-22, RUN-8)", async () => {
  const { directory: cwd, env, write } = await makeProject({ "old.txt": "old\n" });
  await write("../agent.mjs", AGENT);
  const args = ["run", "../agent.mjs", "--json", "--no-transcript"];
  const { exitCode, stdout } = await runWink(args, { cwd, env });
  expect(exitCode).toBe(0);
  const { log }: RunReport = JSON.parse(stdout);
  expect(await readdir(log)).not.toContain("transcript.jsonl");
  using run = await readRun(log);
  expect(run.calls.length).toBeGreaterThan(0);
});
