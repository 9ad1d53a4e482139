import { fileURLToPath } from "node:url";
import { expect, it, vi } from "vitest";
import { bundleProgram, runProgram } from "../apply/killed-program.test.support.js";
import { scratchDirectory } from "../mount/tree-fixture.test.support.js";
import { Workspace } from "./workspace.js";
import { type Project, projectIn } from "./workspace.test.support.js";
import { act, LINES, prepare } from "./workspace-kills.test.program.js";

/** At how many calls each action is killed. */
const POINTS = Number(
  process.env["WINK_WORKSPACE_KILLS"] ?? (process.env["WINK_MORE_ROUNDS"] ? "6" : "1"),
);

/** How many snapshots an action stores at most. */
const MAX_COMMITS = 8;

vi.setConfig({ testTimeout: 3_600_000 });

const FILES = {
  "text.txt": `${LINES.join("\n")}\n`,
  "src/a.ts": "a\n",
  "gone.txt": "gone\n",
  "merged.txt": "1\n2\n3\n",
  "user.txt": "user\n",
};

/** The user's directory and the agents' changes. */
async function stateOf({ directory, stateDirectory, read }: Project): Promise<string> {
  await using workspace = await Workspace.open(directory, { stateDirectory });
  const { files } = await workspace.changes();
  const changes = files.map(({ type, path, sizeBytesAfter }) => [type, path, sizeBytesAfter ?? 0]);
  const copy: Record<string, string> = {};
  for (const { path } of await workspace.filesystem.glob("**"))
    copy[path] = (await workspace.filesystem.read(path)).content;
  const undoable = workspace.applied.map(({ written, deleted }) => [written, deleted]);
  return JSON.stringify({ directory: await read(), changes, copy, undoable }, null, 1);
}

async function states(action: string): Promise<{ readonly old: string; readonly new: string }> {
  const project = await projectIn(scratchDirectory(), FILES);
  const { directory, stateDirectory } = project;
  {
    await using workspace = await Workspace.open(directory, { stateDirectory });
    await prepare(workspace, directory, action);
  }
  const old = await stateOf(project);
  {
    await using workspace = await Workspace.open(directory, { stateDirectory });
    await act(workspace, action);
  }
  return { old, new: await stateOf(project) };
}

it.each(["apply-path", "apply-hunk", "refresh", "undo-path"])(
  "%s leaves the old or the new state when it is killed, and the user's edits (WS-2, WS-4, WS-6, WS-7)",
  async (action) => {
    const entry = fileURLToPath(new URL("workspace-kills.test.program.ts", import.meta.url));
    const program = await bundleProgram(entry, "workspace-kills");
    const expected = await states(action);
    const run = async (at: number) => {
      const project = await projectIn(scratchDirectory(), FILES);
      const { directory, stateDirectory } = project;
      return {
        project,
        ...(await runProgram([program, directory, stateDirectory, action, `${at}`])),
      };
    };
    const count = Number((await run(0)).output);
    expect(count).toBeGreaterThan(30);
    const step = Math.max(1, count / POINTS);
    const outcomes = { old: 0, new: 0 };
    let kills = 0;
    for (let at = 1; at <= count; at = Math.floor(at + step)) {
      if (++kills % 25 === 0) console.log(`${action}: ${kills} kills, at call ${at} of ${count}`);
      const { project, signal, output } = await run(at);
      const found = await stateOf(project);
      // The id of a commit depends on the time, and its first byte decides whether the store already has the
      // directory for it. So the number of calls differs by two per commit, and the last kills may come after the end.
      if (signal === null) {
        expect(Number(output)).toBeLessThan(at);
        expect(at).toBeGreaterThan(count - 2 * MAX_COMMITS);
        expect({ at, found }).toEqual({ at, found: expected.new });
        continue;
      }
      expect({ at, signal }).toEqual({ at, signal: "SIGKILL" });
      expect((await project.read())["user.txt"]).toBe("saved by the user\n");
      const isOld = found === expected.old;
      expect({ at, found }).toEqual({ at, found: isOld ? expected.old : expected.new });
      outcomes[isOld ? "old" : "new"]++;
    }
    expect(outcomes.old).toBeGreaterThan(0);
  },
);
