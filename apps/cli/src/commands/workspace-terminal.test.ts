import { describe, expect, it } from "vitest";
import { hasTmux, startInTerminal } from "../terminal/terminal.test.support.js";
import { openWorkspace } from "../workspace/open-workspace.js";
import { callWink } from "../workspace/wink-process.test.support.js";
import { makeProject } from "../workspace/workspace.test.support.js";

const FILES = { "a.txt": "one\n" };

async function changedProject() {
  const project = await makeProject(FILES);
  const { directory: cwd, env } = project;
  await using workspace = await openWorkspace(cwd, { env, create: true });
  await workspace.filesystem.write("a.txt", "two\u001b[2J\n");
  await workspace.filesystem.write("new.txt", "");
  const inTerminal = (...args: readonly string[]) => startInTerminal(args, { cwd, env });
  return { project, cwd, env, inTerminal };
}

describe.runIf(hasTmux())("in a terminal", () => {
  it("wink apply shows the changes, and applies them after a yes (CL-6, CL-32)", async () => {
    const { project, inTerminal } = await changedProject();
    const terminal = inTerminal("apply");
    await terminal.shows(/\[y\]es,\s+\[d\]iff,\s+\[N\]o/);
    expect(terminal.screen()).toMatch(/M a\.txt\nA new\.txt\nApply 2 changes to /);
    expect(terminal.colors()).toContain("\u001b[33mM");
    expect(await project.read()).toEqual(FILES);
    terminal.press("y");
    await terminal.shows("exit: 0");
    expect((await project.read())["a.txt"]).toBe("two\u001b[2J\n");
  });

  it("wink apply --interactive asks for each hunk, and applies the chosen ones (CL-6, CL-32, WS-6)", async () => {
    const lines = Array.from({ length: 20 }, (_, index) => `line ${index}`);
    const project = await makeProject({ "a.txt": `${lines.join("\n")}\n`, "b.txt": "b\n" });
    const { directory: cwd, env } = project;
    {
      await using workspace = await openWorkspace(cwd, { env, create: true });
      const edited = lines.with(1, "first").with(18, "second");
      await workspace.filesystem.write("a.txt", `${edited.join("\n")}\n`);
      await workspace.filesystem.write("b.txt", "B\n");
    }
    const terminal = startInTerminal(["apply", "--interactive"], { cwd, env });
    await terminal.shows(/Apply this change \(1 of 2\)\?/);
    expect(terminal.screen()).toContain("+first");
    terminal.press("n");
    await terminal.shows(/Apply this change \(2 of 2\)\?/);
    expect(terminal.screen()).toContain("+second");
    terminal.press("y");
    await terminal.shows(/Apply this change \(1 of 1\)\?/);
    terminal.press("q");
    await terminal.shows("exit: 0");
    const applied = `${lines.with(18, "second").join("\n")}\n`;
    expect(await project.read()).toEqual({ "a.txt": applied, "b.txt": "b\n" });
    const { stdout } = await callWink(["changes", "--json"], { cwd, env });
    expect(JSON.parse(stdout)).toMatchObject({ files: [{ path: "a.txt" }, { path: "b.txt" }] });
  });

  it.each([
    ["Enter", ["Enter"]],
    ["Ctrl-C", ["C-c"]],
  ])("wink undo changes nothing after %s (CL-6, CL-33)", async (_, keys) => {
    const { project, cwd, env, inTerminal } = await changedProject();
    await callWink(["apply", "--yes"], { cwd, env });
    const terminal = inTerminal("undo");
    await terminal.shows(/Undo 2 changes [^?]*\?\s+\[y\]es,\s+\[N\]o/);
    terminal.press(...keys);
    await terminal.shows("exit: 3");
    expect(terminal.screen()).toContain("Nothing was undone.");
    expect((await project.read())["a.txt"]).toBe("two\u001b[2J\n");
  });

  it("wink diff colours the patch and removes control characters (CL-5, CL-7, CL-31)", async () => {
    const { inTerminal } = await changedProject();
    const terminal = inTerminal("diff", "a.txt");
    await terminal.shows("exit: 0");
    expect(terminal.colors()).toContain("\u001b[31m-one");
    expect(terminal.colors()).toContain("\u001b[32m+two�[2J");
    expect(terminal.screen()).not.toContain("new.txt");
  });
});
