import { describe, expect, it, vi } from "vitest";
import { agentSource, call, FILES } from "../run/agent-file.test.support.js";
import { makeProject } from "../workspace/workspace.test.support.js";
import { hasTmux, startInTerminal } from "./terminal.test.support.js";

// Starting a process can take many seconds on a busy machine.
vi.setConfig({ testTimeout: 300_000 });

const CHANGED = { ...FILES, "new.txt": "new\n" };

async function startRun(...more: Parameters<typeof call>[]) {
  const project = await makeProject(FILES);
  const turns = [
    {
      text: "Now \u001b]0;taken over\u0007\u001b[2Jhere.",
      ...call("write_file", { file_path: "new.txt", content: "new\n" }),
    },
    ...more.map((each) => call(...each)),
    { text: { summary: "Done." } },
  ];
  await project.write("../agent.mjs", agentSource(turns));
  const { directory, env } = project;
  const terminal = startInTerminal(["run", "../agent.mjs"], { cwd: directory, env });
  return { project, terminal };
}

describe.runIf(hasTmux())("in a terminal", () => {
  it("a yes at the end of a run applies its changes, after a look at the diff; the model's text is printed without control characters (CL-6, CL-7, CL-13, TM-9)", async () => {
    const { project, terminal } = await startRun();
    await terminal.shows(
      /"summary": "Done\."\n\}\n\nA new\.txt\n\nApply 1 change to .*\n?.*\? \[y\]es,/,
    );
    expect(terminal.colors()).toContain("\u001b[32m✓");
    expect(await project.read()).toEqual(FILES);
    terminal.press("d");
    await terminal.shows(/^\+new\n\n.*\n?.*\[d\]iff,\s+\[N\]o/m);
    terminal.press("y");
    await terminal.shows("exit: 0");
    expect(await project.read()).toEqual(CHANGED);
    expect(terminal.screen()).toContain("Now �]0;taken over��[2Jhere.");
  });

  it.each([
    ["Enter", ["Enter"]],
    ["Ctrl-C", ["C-c"]],
    ["Ctrl-D", ["C-d"]],
  ])(
    "%s at the end of a run leaves its changes in the workspace (CL-6, CL-13)",
    async (_, keys) => {
      const { project, terminal } = await startRun();
      await terminal.shows(/\[y\]es,\s+\[d\]iff,\s+\[N\]o/);
      terminal.press(...keys);
      await terminal.shows("exit: 0");
      expect(terminal.screen()).toContain("1 change in the workspace");
      expect(await project.read()).toEqual(FILES);
    },
  );

  it("Ctrl-C during a call ends the run gracefully (CL-18, MD-15)", async () => {
    const { project, terminal } = await startRun(["hang", { file_path: "half.txt" }]);
    await terminal.shows("hanging");
    terminal.press("C-c");
    await terminal.shows("exit: 130");
    expect(terminal.screen()).toContain("The workspace has 1 change");
    expect(await project.read()).toEqual(FILES);
  });

  it("the demo has colour, no colour with NO_COLOR, and the same words in both (CL-5, CL-10)", async () => {
    const { directory: cwd, env } = await makeProject({});
    const colored = startInTerminal(["demo", "--fast", "--no-container"], { cwd, env });
    const plain = startInTerminal(["demo", "--fast", "--no-container"], {
      cwd,
      env: { ...env, NO_COLOR: "1" },
    });
    await colored.shows("exit: 0");
    await plain.shows("exit: 0");
    expect(colored.colors()).toContain("\u001b[");
    expect(plain.colors()).not.toContain("\u001b[");
    expect(colored.screen()).toBe(plain.screen());
  });
});
