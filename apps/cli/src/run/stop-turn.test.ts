import { expect, it, vi } from "vitest";
import { hasTmux, startInTerminal } from "../terminal/terminal.test.support.js";
import { runWink } from "../workspace/wink-process.test.support.js";
import { makeProject } from "../workspace/workspace.test.support.js";
import { agentSource, call, FILES } from "./agent-file.test.support.js";
import { HELD, startChatServer } from "./chat-server.test.support.js";

// Starting a process can take many seconds on a busy machine.
vi.setConfig({ testTimeout: 300_000 });

const HANGING = call("hang", { file_path: "half.txt" });
const WRITING = call("write_file", { file_path: "docs/a.md", content: "x\n" });
const DONE = { text: { summary: "Done." } };

/** An agent whose file tool needs a person's approval, and a model server that plays `turns`. */
async function setup(turns: Parameters<typeof agentSource>[0]) {
  const project = await makeProject(FILES);
  const source = agentSource(turns)
    .replace("ok, Prompt,", "ok, requireApproval, Prompt,")
    .replace(
      "new PromptTemplate({",
      'new PromptTemplate({\n policies: [requireApproval(({ tool }) => tool.name === "write_file")],',
    );
  await project.write("../agent.ts", source);
  const server = await startChatServer(turns);
  const { directory: cwd } = project;
  const env = { ...project.env, OPENAI_BASE_URL: server.baseURL };
  const start = (...args: readonly string[]) => {
    const words = ["run", "../agent.ts", "-m", "openai-chat:test", ...args];
    const terminal = startInTerminal(words, { cwd, env });
    return { ...terminal, type: (text: string) => terminal.press(...text, "Enter") };
  };
  return { start, cwd, env };
}

it.runIf(hasTmux())(
  "Esc stops the turn in each phase, and the run continues with what the person says (MD-18)",
  async () => {
    const { start } = await setup([{ text: HELD }, HANGING, WRITING, WRITING, DONE]);
    const terminal = start();
    await terminal.shows(/about \d+ token/);
    terminal.press("Escape");
    await terminal.shows(/Stopped[\s\S]*you>/);
    terminal.type("hang");
    await terminal.shows("hanging");
    terminal.press("Escape");
    await terminal.shows(/(Stopped[\s\S]*){2}you>/);
    terminal.type("write");
    await terminal.shows("Allow this call?");
    terminal.press("Escape");
    await terminal.shows(/(Stopped[\s\S]*){3}you>/);
    terminal.type("again");
    await terminal.shows(/(Stopped[\s\S]*){3}Allow this call\?/);
    terminal.press("y");
    // The stopped call was rolled back, and the stopped question was not answered.
    await terminal.shows("Apply 1 change");
    terminal.press("n");
    await terminal.shows("exit: 0");
  },
);

it.runIf(hasTmux())(
  "Esc and then Enter ends the process and keeps the run for --resume (MD-18)",
  async () => {
    const { start, cwd, env } = await setup([{ text: HELD }, DONE]);
    const terminal = start();
    await terminal.shows(/about \d+ token/);
    terminal.press("Escape");
    await terminal.shows(/Stopped[\s\S]*you>/);
    terminal.press("Enter");
    await terminal.shows("exit: 130");
    const resumed = await runWink(["run", "../agent.ts", "--resume", "--json"], { cwd, env });
    expect(resumed.exitCode, resumed.stderr).toBe(0);
    expect(JSON.parse(resumed.stdout)).toMatchObject({ output: { summary: "Done." } });
  },
);

it.runIf(hasTmux()).each([
  { phase: "while the model answers", turn: { text: HELD }, keys: [], shows: /about \d+ token/ },
  { phase: "at the pattern", turn: WRITING, keys: ["a"], shows: "Always allow it for files" },
  { phase: "at the reason", turn: WRITING, keys: ["n"], shows: "Why not?" },
])("Ctrl-C $phase ends the run (MD-15)", async ({ turn, keys, shows }) => {
  const { start } = await setup([turn, DONE]);
  const terminal = start();
  if (keys.length > 0) await terminal.shows("Allow this call?");
  terminal.press(...keys);
  await terminal.shows(shows);
  terminal.press("C-c");
  await terminal.shows("exit: 130");
  expect(terminal.screen()).toContain("Nothing was written to");
  expect(terminal.screen()).not.toContain("Created");
});
