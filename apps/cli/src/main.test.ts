import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it, vi } from "vitest";
import { agentSource } from "./run/agent-file.test.support.js";
import { isThere } from "./workspace/has-component.test.support.js";
import { runWink, WINK, winkEnv } from "./workspace/wink-process.test.support.js";
import { makeProject } from "./workspace/workspace.test.support.js";

// Starting a process can take many seconds on a busy machine.
vi.setConfig({ testTimeout: 300_000 });

const BIN = fileURLToPath(new URL("../bin/wink.js", import.meta.url));

it("wink run keeps the output of an agent's console.log out of the JSON document (CL-4)", async () => {
  const { directory: cwd, env, write } = await makeProject({});
  const source = agentSource([{ text: { summary: "Done." } }]);
  await write("../agent.ts", `${source}\nconsole.log("printed");\n`);
  const { stdout, stderr } = await runWink(["run", "../agent.ts", "--json"], { cwd, env });
  expect(JSON.parse(stdout)).toMatchObject({ output: { summary: "Done." } });
  expect(stderr).toContain("printed\n");
});

it("wink run reports an agent that awaits a promise that never settles (CL-2, CL-3, CL-4)", async () => {
  const { directory: cwd, env, write } = await makeProject({});
  await write("../agent.mjs", "await new Promise(() => {});\n");
  const { exitCode, stdout } = await runWink(["run", "../agent.mjs", "--json"], { cwd, env });
  expect(exitCode).toBe(1);
  expect(JSON.parse(stdout).error.message).toMatch(
    /^The program ended while a promise was still pending/,
  );
});

it.runIf(isThere(existsSync("/dev/full"), "a full disk is tried with /dev/full, as Linux has it"))(
  "wink reports in one sentence that its output could not be written (CL-2, CL-3)",
  async () => {
    const { directory: cwd, env } = await makeProject({});
    const { status, stderr } = spawnSync(
      "sh",
      ["-c", '"$@" > /dev/full', "sh", ...WINK, "--help"],
      {
        ...{ cwd, env: winkEnv(env), encoding: "utf8" },
      },
    );
    expect(stderr).toMatch(/^wink: The output could not be written: ENOSPC.*\n$/);
    expect(status).toBe(1);
  },
);

it("wink continues after the reader of its output has gone (CL-3)", async () => {
  const { directory: cwd, env } = await makeProject({});
  const script = '("$@" 2>&1; echo $? > code) | true; cat code';
  const { stdout } = spawnSync("sh", ["-c", script, "sh", ...WINK, "log"], {
    ...{ cwd, env: winkEnv(env), encoding: "utf8" },
  });
  expect(stdout).toBe("2\n");
});

it("wink reports in one sentence that its working directory was deleted (CL-2, CL-4)", async () => {
  const { directory, env } = await makeProject({});
  const script = 'cd gone && rmdir ../gone && "$@"';
  spawnSync("mkdir", [join(directory, "gone")]);
  const words = ["-c", script, "sh", process.execPath, BIN, "changes", "--json"];
  const { status, stdout, stderr } = spawnSync("sh", words, {
    ...{ cwd: directory, env: winkEnv(env), encoding: "utf8" },
  });
  expect(status).toBe(1);
  expect(JSON.parse(stdout).error.exitCode).toBe(1);
  expect(stderr).toBe(
    "wink: The working directory was deleted.\nChange to an existing directory.\n",
  );
});
