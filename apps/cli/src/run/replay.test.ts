import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { runWink } from "../workspace/wink-process.test.support.js";
import { makeProject } from "../workspace/workspace.test.support.js";
import { agentSource, FILES, WORK } from "./agent-file.test.support.js";
import { startChatServer } from "./chat-server.test.support.js";
import type { RunReport } from "./run-report.js";

// Starting a process can take many seconds on a busy machine.
vi.setConfig({ testTimeout: 300_000 });

const FILE_COUNT = process.env["WINK_MORE_ROUNDS"] === undefined ? 500 : 5_000;

it(`wink run records a run on ${FILE_COUNT} files, and replays it offline to a patch that git applies (CL-14, CL-17)`, async () => {
  const project = await makeProject(FILES);
  const { directory, env } = project;
  for (let index = 0; index < FILE_COUNT; index++) {
    const folder = join(directory, "many", String(index % 100));
    if (index < 100) mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `${index}.txt`), `file ${index}\n`);
  }
  await project.write("../agent.mjs", agentSource([]));
  const server = await startChatServer(WORK);
  const recorded = await runWink(
    ["run", "../agent.mjs", "-m", "openai-chat:test", "--record", "../run.json", "--json"],
    { cwd: directory, env: { ...env, OPENAI_BASE_URL: server.baseURL } },
  );
  expect(recorded.exitCode, recorded.stderr).toBe(0);
  expect(recorded.stderr).toContain(`${(FILE_COUNT + 3).toLocaleString("en")} files`);
  // The recording contains everything that the model saw, so only the user may read it.
  expect(statSync(join(directory, "../run.json")).mode & 0o777).toBe(0o600);
  await server.close();

  const replayed = await runWink(
    ["run", "../agent.mjs", "-m", "replay:../run.json", "--patch", "../run.patch", "--json"],
    { cwd: directory, env },
  );
  expect(replayed.exitCode, replayed.stderr).toBe(0);
  const [first, second] = [recorded, replayed].map(({ stdout }) => JSON.parse(stdout) as RunReport);
  expect(second?.changes).toEqual(first?.changes);
  expect(second?.output).toEqual({ summary: "Tidied up." });
  expect(second?.usage).toEqual(first?.usage);
  expect(readFileSync(join(directory, "../run.patch"), "utf8")).toContain("+ONE\n");
  execFileSync("git", ["apply", "--check", "../run.patch"], { cwd: directory });
});

it("wink run shows how a request differs from the recorded one (CL-2, CL-17)", async () => {
  const { directory: cwd, env, write } = await makeProject(FILES);
  await write("../agent.mjs", agentSource([]));
  const server = await startChatServer([{ text: { summary: "Done." } }]);
  const record = ["run", "../agent.mjs", "-m", "openai-chat:test", "--record", "../run.json"];
  await runWink(record, { cwd, env: { ...env, OPENAI_BASE_URL: server.baseURL } });
  const replay = ["run", "../agent.mjs", "-m", "replay:../run.json", "-p", "focus=names"];
  const { exitCode, stderr } = await runWink(replay, { cwd, env });
  expect(exitCode).toBe(1);
  expect(stderr).toMatch(/\n-.*Look at all,.*\n\+.*Look at names,/);
  expect(stderr).toContain("Record it again: wink run --record <file>.");
  expect(stderr).not.toMatch(/\n +at /);
});
