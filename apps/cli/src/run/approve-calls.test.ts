import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { hasTmux, startInTerminal } from "../terminal/terminal.test.support.js";
import { runWink } from "../workspace/wink-process.test.support.js";
import { makeProject } from "../workspace/workspace.test.support.js";
import { agentSource, call, FILES } from "./agent-file.test.support.js";

// Starting a process can take many seconds on a busy machine.
vi.setConfig({ testTimeout: 300_000 });

const create = (path: string, content = "x\n") =>
  call("write_file", { file_path: path, content, mode: "create" });

/** An agent whose changes need a person's approval. */
async function setup(turns: Parameters<typeof agentSource>[0]) {
  const project = await makeProject(FILES);
  const source = agentSource(turns)
    .replace("ok, Prompt,", "ok, requireApproval, Prompt,")
    .replace(
      "new PromptTemplate({",
      'new PromptTemplate({\n policies: [requireApproval(({ tool }) => tool.access === "write")],',
    );
  await project.write("../agent.mjs", source);
  return project;
}

/** The transcript of the only run. */
function transcriptOf(state: string): string {
  const [home = ""] = readdirSync(join(state, "workspaces"));
  const runs = join(state, "workspaces", home, "runs");
  const [run = ""] = readdirSync(runs);
  return readFileSync(join(runs, run, "transcript.jsonl"), "utf8");
}

it.runIf(hasTmux())(
  "wink run asks about calls: diff, allow, always for a pattern, and deny with a reason (MD-14)",
  async () => {
    const turns = [
      create("docs/one.md", "first\n"),
      create("docs/two.md"),
      create("docs/in/three.md"),
    ];
    const project = await setup([...turns, create("root.md"), { text: { summary: "Done." } }]);
    const { directory: cwd, env, state } = project;
    const terminal = startInTerminal(["run", "../agent.mjs"], { cwd, env });
    await terminal.shows(
      /write_file docs\/one\.md\s+Allow this call\? \[y\]es, \[d\]iff, \[a\]lways/,
    );
    terminal.press("d");
    await terminal.shows(/\+\+\+ b\/docs\/one\.md\n.*\n\+first\s+Allow this call\? \[y\]/);
    terminal.press("y");
    await terminal.shows(/\? write_file docs\/two\.md/);
    terminal.press("a");
    await terminal.shows("Always allow it for files that match: docs/**");
    terminal.press("Enter");
    // The third file matches the pattern, so the next question is about the fourth.
    await terminal.shows(/\? write_file root\.md/);
    terminal.press("n");
    await terminal.shows("Why not?");
    terminal.press("n", "o", "t", "Space", "h", "e", "r", "e", "Enter");
    await terminal.shows(/A person denied this call: not here/);
    await terminal.shows("Apply 3 changes");
    terminal.press("n");
    await terminal.shows("exit: 0");
    const transcript = transcriptOf(state);
    for (const what of ["requested", "approved", "denied"])
      expect(transcript).toContain(`"what":"${what}"`);
    expect(transcript).toContain('"remembered":true');
    expect(transcript).toContain('"reason":"A person denied this call: not here"');
  },
);

it.runIf(hasTmux())(
  "Ctrl-C at the question stops the run, and the call is not made (MD-14, MD-15)",
  async () => {
    const project = await setup([create("one.md"), { text: { summary: "Done." } }]);
    const { directory: cwd, env } = project;
    const terminal = startInTerminal(["run", "../agent.mjs"], { cwd, env });
    await terminal.shows("Allow this call?");
    terminal.press("C-c");
    await terminal.shows("exit: 130");
    expect(terminal.screen()).toContain("Nothing was written to");
    expect(terminal.screen()).not.toContain("Created");
  },
);

it("without a terminal, a call that needs an approval is denied (MD-14)", async () => {
  const { directory: cwd, env } = await setup([create("one.md"), { text: { summary: "Done." } }]);
  const { exitCode, stderr } = await runWink(["run", "../agent.mjs"], { cwd, env });
  expect(exitCode, stderr).toBe(0);
  expect(stderr).toContain("refused by a policy");
});
