import { expect, it } from "vitest";
import { makeProject } from "../workspace/workspace.test.support.js";
import type { ApplyProgress } from "./apply-progress.js";

const COUNT = 40;
const files = Object.fromEntries(
  Array.from({ length: COUNT }, (_, index) => [`f${index}.txt`, `${index}`]),
);

async function changedProject() {
  const project = await makeProject(files);
  const workspace = await project.open();
  for (const path of Object.keys(files)) await workspace.filesystem.write(path, "new");
  return { project, workspace };
}

/** Collects the progress, and the turns of the event loop in which the saving was reported. */
function collect() {
  const events: ApplyProgress[] = [];
  const turns = new Set<number>();
  let turn = 0;
  const countTurn = () => {
    turn++;
    counter = setImmediate(countTurn);
  };
  let counter = setImmediate(countTurn);
  return {
    events,
    turns,
    onProgress(progress: ApplyProgress) {
      events.push(progress);
      if (progress.phase === "save") turns.add(turn);
    },
    end: () => clearImmediate(counter),
  };
}

it("apply and undo report each change, and saving the old files lets other events run (WS-20)", async () => {
  const { project, workspace } = await changedProject();
  for (const [call, phases] of [
    ["apply", ["save", "write"]],
    ["undo", ["write"]],
  ] as const) {
    const progress = collect();
    await workspace[call]({ onProgress: progress.onProgress });
    progress.end();
    for (const phase of phases) {
      const counts = progress.events.filter((each) => each.phase === phase);
      expect(counts.every(({ totalChanges }) => totalChanges === COUNT)).toBe(true);
      const done = counts.map(({ changeCount }) => changeCount);
      expect(done.at(-1)).toBe(COUNT);
      expect(done).toEqual(done.toSorted((a, b) => a - b));
    }
    expect([...new Set(progress.events.map(({ phase }) => phase))]).toEqual(phases);
    if (call === "apply") expect(progress.turns.size).toBeGreaterThan(2);
  }
  expect(await project.read()).toEqual(files);
});

it("an error of onProgress does not stop an apply (WS-20)", async () => {
  const { project, workspace } = await changedProject();
  const onProgress = () => {
    throw new Error("the terminal is gone");
  };
  const { written } = await workspace.apply({ onProgress });
  expect(written).toHaveLength(COUNT);
  expect(new Set(Object.values(await project.read()))).toEqual(new Set(["new"]));
});

it("an onProgress that is not a function is refused (WS-20)", async () => {
  const { workspace } = await changedProject();
  await expect(workspace.apply({ onProgress: 7 as never })).rejects.toMatchObject({
    code: "INVALID_OPTION",
    message: expect.stringContaining("onProgress"),
  });
});
