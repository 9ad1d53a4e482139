import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { hasTmux, startInTerminal } from "../terminal/terminal.test.support.js";
import { callWink, runWink } from "../workspace/wink-process.test.support.js";
import { makeProject } from "../workspace/workspace.test.support.js";

// Starting a process can take many seconds on a busy machine.
vi.setConfig({ testTimeout: 300_000 });

it("wink init makes an agent that runs immediately and offline, and an edit of its script takes effect (CL-19, CL-20)", async () => {
  const project = await makeProject({});
  const at = { cwd: project.directory, env: project.env };
  const made = await callWink(["init", "greeter"], at);
  expect(made.exitCode).toBe(0);
  expect(made.stdout).toContain("wink run greeter/agent.ts --workspace greeter");
  const files = await project.read();
  expect(Object.keys(files)).toEqual([
    "greeter/README.md",
    "greeter/agent.ts",
    "greeter/package.json",
    "greeter/tsconfig.json",
  ]);
  expect(JSON.parse(files["greeter/package.json"] ?? "")).toMatchObject({
    type: "module",
    dependencies: {
      "@wink/cli": expect.stringMatching(/^link:.*apps\/cli$/),
      zod: expect.any(String),
    },
  });

  const source = files["greeter/agent.ts"] ?? "";
  const line = "Hello! This line was written by your agent.";
  expect(source).toContain(line);
  await project.write("greeter/agent.ts", source.replace(line, "Good day to you."));
  const run = ["run", "greeter/agent.ts", "-w", "greeter", "--apply", "--param", "tone=formal"];
  const { exitCode, stdout } = await runWink(run, at);
  expect(exitCode).toBe(0);
  expect(stdout).toContain("M README.md");
  expect((await project.read())["greeter/README.md"]).toContain("\nGood day to you.\n");
});

it.runIf(hasTmux())("wink init asks for the name, the model and the backend (CL-20)", async () => {
  const { directory: cwd, env, read } = await makeProject({});
  const terminal = startInTerminal(["init"], { cwd, env });
  await terminal.shows("my-agent");
  terminal.press("Enter");
  await terminal.shows("Anthropic");
  terminal.press("Down", "Enter");
  await terminal.shows("name of the model");
  terminal.press("some-model", "Enter");
  await terminal.shows("in memory");
  terminal.press("Down", "Enter");
  await terminal.shows("exit: 0");
  const { scripts } = JSON.parse((await read())["my-agent/package.json"] ?? "");
  expect(scripts.start).toBe("wink run agent.ts --model anthropic:some-model --backend memory");
});

it.runIf(hasTmux())(
  "wink init writes nothing after Ctrl-C at a question (CL-6, CL-20)",
  async () => {
    const { directory: cwd, env, read } = await makeProject({});
    const terminal = startInTerminal(["init", "greeter"], { cwd, env });
    await terminal.shows("Anthropic");
    terminal.press("C-c");
    await terminal.shows("exit: 3");
    expect(await read()).toEqual({});
  },
);

it("wink init writes nothing if a dangling link or a file is in the way (CL-2, CL-3, CL-20)", async () => {
  const { directory: cwd, env, read } = await makeProject({ "file.txt": "mine\n" });
  await symlink("nowhere", join(cwd, "package.json"));
  expect(await callWink(["init"], { cwd, env })).toMatchObject({ exitCode: 3 });
  expect(await callWink(["init", "file.txt"], { cwd, env })).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining("file.txt cannot be created."),
  });
  expect(await read()).toEqual({ "file.txt": "mine\n" });
});

it("wink init writes nothing if one of its files exists (CL-3, CL-20)", async () => {
  const project = await makeProject({ "README.md": "mine\n" });
  const { exitCode, stderr } = await runWink(["init"], {
    cwd: project.directory,
    env: project.env,
  });
  expect(exitCode).toBe(3);
  expect(stderr).toContain("has README.md already, so nothing was written.");
  expect(await project.read()).toEqual({ "README.md": "mine\n" });
});
