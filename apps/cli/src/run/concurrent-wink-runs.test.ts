import { Workspace } from "@wink/workspace";
import { expect, it, vi } from "vitest";
import { collect, startWink } from "../workspace/wink-process.test.support.js";
import { makeProject, type Project } from "../workspace/workspace.test.support.js";
import { agentSource, call } from "./agent-file.test.support.js";

// Starting a process can take many seconds on a busy machine.
vi.setConfig({ testTimeout: 3_600_000 });

/** How many rounds, alternately with 2 and 8 runs, and every second pair of rounds with kills. */
const ROUNDS = Number(process.env["WINK_CLI_RUN_ROUNDS"] ?? "1");
const STEPS = 3;
const FILES = { "shared.txt": "start\n", "a.txt": "a\n" };

/** Each run writes files with its own names, and all of them replace one file. */
function turnsOf(id: number) {
  const writes = Array.from({ length: STEPS }, (_, step) => ({
    calls: ["a", "b"].map((half) => ({
      tool: "write_file",
      input: { file_path: `run${id}/${step}-${half}.txt`, content: `${id}\n` },
    })),
  }));
  return [
    ...writes,
    call("rm", { path: "shared.txt" }),
    call("write_file", { file_path: "shared.txt", content: `run ${id}\n` }),
    { text: { summary: "Done." } },
  ];
}

interface RunResult {
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
  /** The files that the progress reports as written. */
  readonly written: readonly string[];
}

async function startRun(project: Project, id: number, killAt: number | undefined) {
  await project.write(`../agent${id}.ts`, agentSource(turnsOf(id)));
  const { directory: cwd, env } = project;
  const child = startWink(["run", `../agent${id}.ts`, "--json"], { cwd, env });
  child.stdin.end();
  const [stdout, stderr] = [collect(child.stdout), collect(child.stderr)];
  const writtenFiles = () =>
    [...stderr().matchAll(/Created '([^']+)'/g)].map(([, path = ""]) => path);
  child.stderr.on("data", () => {
    if (killAt !== undefined && writtenFiles().length > killAt) child.kill("SIGKILL");
  });
  return await new Promise<RunResult>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (_, signal) =>
      resolve({ signal, stdout: stdout(), stderr: stderr(), written: writtenFiles() }),
    );
  });
}

/**
 * The paths that only a reported snapshot has. A run that starts after another one has ended starts from the directory,
 * and saves the changes of the other one.
 */
async function savedPaths(workspace: Workspace, reported: string): Promise<ReadonlySet<string>> {
  const saved = new Set<string>();
  for (const snapshot of await workspace.snapshots()) {
    if (snapshot.name === undefined || !reported.includes(snapshot.name)) continue;
    const since = await workspace.filesystem.diff(snapshot);
    for (const { before } of since.entries()) if (before !== undefined) saved.add(before.path);
  }
  return saved;
}

it("every change that concurrent runs report is in the workspace, in a named line or in a reported snapshot (WS-10)", async () => {
  for (let round = 0; round < ROUNDS; round++) {
    if (round > 0 && round % 5 === 0) console.log(`wink run: ${round} of ${ROUNDS} rounds`);
    const count = round % 2 === 0 ? 2 : 8;
    const kills = ROUNDS === 1 || round % 4 > 1;
    const project = await makeProject(FILES);
    const results = await Promise.all(
      Array.from({ length: count }, (_, id) =>
        startRun(project, id, kills && id % 2 === 1 ? (round + id) % (2 * STEPS) : undefined),
      ),
    );
    expect(await project.read()).toEqual(FILES);
    const given = { stateDirectory: project.state };
    await using workspace = await Workspace.open(project.directory, given);
    const names = workspace.lines.list();
    const lines = await Promise.all(names.map((name) => workspace.lines.open(name)));
    const reported = results.map(({ stderr }) => stderr).join("");
    const saved = await savedPaths(workspace, reported);
    try {
      for (const [id, { signal, stdout, written }] of results.entries()) {
        if (signal === null) {
          const { kept, line, changes } = JSON.parse(stdout);
          expect(["workspace", "line"]).toContain(kept);
          expect({ round, id, count: changes.length }).toEqual({ round, id, count: 2 * STEPS + 1 });
          if (kept === "line") expect(names).toContain(line);
        }
        const places = [workspace, ...lines];
        for (const path of written) {
          const found = await Promise.all(places.map(({ filesystem }) => filesystem.exists(path)));
          expect({ round, id, path, isKept: found.includes(true) || saved.has(path) }).toEqual({
            ...{ round, id, path, isKept: true },
          });
        }
      }
    } finally {
      for (const each of lines) await each.close();
    }
  }
});
