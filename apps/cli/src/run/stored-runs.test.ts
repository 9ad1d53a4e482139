import { readFile } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import { callWink, runWink } from "../workspace/wink-process.test.support.js";
import { makeProject } from "../workspace/workspace.test.support.js";
import { agentSource } from "./agent-file.test.support.js";

it("wink run --store keeps a run in a store, and wink runs lists, shows, prunes and deletes it (STO-56)", {
  timeout: 300_000,
}, async () => {
  const { directory, env, write } = await makeProject({ "old.txt": "old\n" });
  const source = agentSource([
    { calls: [{ tool: "write_file", input: { file_path: "new.txt", content: "new\n" } }] },
    { text: JSON.stringify({ summary: "Done." }) },
  ]);
  await write("../agent.mjs", source);
  const store = "sqlite:../runs.db";
  const wink = async (...args: readonly string[]) => {
    const call = args[0] === "run" ? runWink : callWink;
    const { exitCode, stdout, stderr } = await call([...args, "--json"], {
      cwd: directory,
      env,
    });
    expect({ exitCode, stderr: exitCode === 0 ? "" : stderr }).toEqual({ exitCode: 0, stderr: "" });
    return JSON.parse(stdout);
  };
  const report = await wink("run", "../agent.mjs", "--store", store);
  expect(report).toMatchObject({ backend: "store", changes: [{ path: "new.txt" }] });
  const { runs } = await wink("runs", "list", "--store", store);
  expect(runs).toMatchObject([
    { id: report.log, agent: "agent.mjs", model: "scripted", state: "completed", changedFiles: 1 },
  ]);
  expect(await wink("runs", "show", report.log, "--store", store)).toMatchObject({
    agent: "agent.mjs",
    calls: 1,
    changedFiles: 1,
  });
  const { events } = await wink("log", `${store}#${report.log}`);
  expect(events.length).toBeGreaterThan(3);
  const old = ["--keep", "1", "--store", store];
  expect(await wink("runs", "prune", ...old)).toMatchObject({ deleted: [], kept: 1 });
  await wink("runs", "delete", report.log, "--store", store);
  expect(await wink("runs", "list", "--store", store)).toEqual({ runs: [], total: 0 });

  const secret = "postgres://user:secret@host:99999999/runs";
  const failed = await callWink(["runs", "list", "--store", secret], { cwd: directory, env });
  expect(failed.exitCode).not.toBe(0);
  expect(failed.stdout + failed.stderr).not.toContain("secret");
});

it("wink runs import copies a directory once, and wink run --base starts every run with it (STO-57)", {
  timeout: 300_000,
}, async () => {
  const { directory, env, write } = await makeProject({ "old.txt": "old\n", "src/a.ts": "a\n" });
  const source = agentSource([
    { calls: [{ tool: "write_file", input: { file_path: "new.txt", content: "new\n" } }] },
    { text: JSON.stringify({ summary: "Done." }) },
  ]);
  await write("../agent.mjs", source);
  const store = "sqlite:./runs.db";
  const cwd = path.dirname(directory);
  const name = path.basename(directory);
  const call = async (args: readonly string[]) => {
    const wink = args[0] === "run" ? runWink : callWink;
    const { exitCode, stdout, stderr } = await wink(args, { cwd, env });
    expect({ exitCode, stderr: exitCode === 0 ? "" : stderr }).toEqual({ exitCode: 0, stderr: "" });
    return stdout;
  };
  const onStore = ["--store", store];
  expect(await call(["runs", "import", "shop", "-w", name, ...onStore])).toContain(
    "2 files (6 bytes) in the store as shop",
  );
  const again = await callWink(["runs", "import", "shop", "-w", name, ...onStore], { cwd, env });
  expect(again.stderr).toContain("The store has shop already.");

  // A run that starts with stored files does not read the directory.
  await write("src/a.ts", "changed\n");
  const run = ["run", "agent.mjs", "-w", name, ...onStore, "--base", "shop"];
  const shown = await call(run);
  const hints = [...shown.matchAll(/^(?:Review|Apply|Log): +wink (.+)$/gm)].map(
    ([, command = ""]) => [...command.matchAll(/'([^']*)'|(\S+)/g)].map(([, a, b]) => a ?? b ?? ""),
  );
  expect(hints.map(([command]) => command)).toEqual(["diff", "apply", "log"]);
  for (const hint of hints)
    expect(await call(hint[0] === "apply" ? [...hint, "--yes"] : hint)).toMatch(
      /new\.txt|1 change applied/,
    );
  expect(await readFile(path.join(directory, "new.txt"), "utf8")).toBe("new\n");
  expect(await readFile(path.join(directory, "src/a.ts"), "utf8")).toBe("changed\n");

  const table = (await call(["runs", "list", ...onStore])).split("\n");
  expect(table[0]).toMatch(/^RUN +AGENT +MODEL +STATE +TIME +FILES$/);
  expect(table[1]).toMatch(/^\d{8}-\d{6}-\w{6} +agent\.mjs +scripted +completed +\d\d-.{8} +1$/);
  expect(table[2]).toMatch(/^shop +- +- +files +/);
  for (const line of table) expect(line.length).toBeLessThanOrEqual(80);

  const refused = await runWink(["run", "agent.mjs", "--base", "shop"], { cwd, env });
  expect(refused).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("--base needs") });
});
