import { fileURLToPath } from "node:url";
import { expect, it, vi } from "vitest";
import { bundleProgram, runProgram } from "../apply/killed-program.test.support.js";
import { scratchDirectory } from "../mount/tree-fixture.test.support.js";
import { Workspace } from "./workspace.js";
import { projectIn } from "./workspace.test.support.js";

/** How many rounds, alternately with 2 and 8 runs, every second pair with kills. */
const ROUNDS = Number(process.env["WINK_RUN_ROUNDS"] ?? "2");
const STEPS = 3;
const FILES = { "shared.txt": "start\n", "a.txt": "a\n" };

vi.setConfig({ testTimeout: 3_600_000 });

it("every reported change of concurrent runs is in the workspace or in a named line, complete (WS-10)", async () => {
  const entry = fileURLToPath(new URL("concurrent-runs.test.program.ts", import.meta.url));
  const program = await bundleProgram(entry, "concurrent-runs");
  for (let round = 0; round < ROUNDS; round++) {
    if (round > 0 && round % 10 === 0) console.log(`concurrent runs: ${round} of ${ROUNDS} rounds`);
    const runs = round % 2 === 0 ? 2 : 8;
    const kills = round % 4 > 1 || ROUNDS === 2;
    const project = await projectIn(scratchDirectory(), FILES);
    const { directory, stateDirectory } = project;
    const results = await Promise.all(
      Array.from({ length: runs }, async (_, id) => {
        const isKilled = kills && id % 2 === 1;
        const args = [program, directory, stateDirectory, `run${id}`, `${STEPS}`];
        return await runProgram(args, (output, kill) => {
          if (isKilled && output.includes(`done ${(round + id) % STEPS}`)) kill();
        });
      }),
    );
    expect(await project.read()).toEqual(FILES);
    await using workspace = await Workspace.open(directory, { stateDirectory });
    const lines = await Promise.all(
      workspace.lines.list().map((name) => workspace.lines.open(name)),
    );
    try {
      const places = [workspace, ...lines];
      for (const [id, { output, signal }] of results.entries()) {
        const [, text] = /outcome (.*)/.exec(output) ?? [];
        if (signal === null)
          expect({ round, id, output }).toMatchObject({
            output: expect.stringContaining("outcome"),
          });
        const line = text === undefined ? undefined : JSON.parse(text).line;
        if (line !== undefined) expect(workspace.lines.list()).toContain(line);
        for (let step = 0; step < STEPS; step++) {
          const found: string[] = [];
          for (const [index, { filesystem }] of places.entries())
            for (const half of ["a", "b"])
              if (await filesystem.exists(`run${id}/${step}-${half}.txt`))
                found.push(`${index}${half}`);
          // Both files of a step are in the same place, or neither is.
          const held = [...new Set(found.map((each) => each.slice(0, -1)))];
          expect({ round, id, step, found }).toEqual({
            ...{ round, id, step },
            found: held.flatMap((each) => [`${each}a`, `${each}b`]),
          });
          if (output.includes(`done ${step}`))
            expect({ round, id, step, places: held.length > 0 }).toEqual({
              ...{ round, id, step },
              places: true,
            });
        }
      }
    } finally {
      for (const each of lines) await each.close();
    }
  }
});
