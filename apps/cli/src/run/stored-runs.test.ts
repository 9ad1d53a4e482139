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
  await write("../agent.ts", source);
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
  const report = await wink("run", "../agent.ts", "--store", store);
  expect(report).toMatchObject({ backend: "store", changes: [{ path: "new.txt" }] });
  const { runs } = await wink("runs", "list", "--store", store);
  expect(runs).toMatchObject([{ id: report.log, isOpen: false }]);
  expect(await wink("runs", "show", report.log, "--store", store)).toMatchObject({
    agent: "agent.ts",
    calls: 1,
    changedFiles: 1,
  });
  const { events } = await wink("log", `${store}#${report.log}`);
  expect(events.length).toBeGreaterThan(3);
  const old = ["--keep", "1", "--store", store];
  expect(await wink("runs", "prune", ...old)).toMatchObject({ deleted: [], kept: 1 });
  await wink("runs", "delete", report.log, "--store", store);
  expect(await wink("runs", "list", "--store", store)).toEqual({ runs: [] });

  const secret = "postgres://user:secret@host:99999999/runs";
  const failed = await callWink(["runs", "list", "--store", secret], { cwd: directory, env });
  expect(failed.exitCode).not.toBe(0);
  expect(failed.stdout + failed.stderr).not.toContain("secret");
});
