import { isSnapshotable, type SnapshotableFilesystem } from "@wink/filesystem";
import { createToolContext } from "@wink/prompt/testing";
import { afterAll, describe, expect, it } from "vitest";
import { openPython, pythonIsHere } from "../python/interpreter.test.support.js";
import { snapshotHandlers } from "../snapshots/snapshot-tools.js";
import { type Backend, contentsOf, openBackend } from "./workspace.test.support.js";

const section = openPython();
afterAll(() => section?.close());
const itRunsPython = it.skipIf(!pythonIsHere);

async function open(backend: Backend): Promise<SnapshotableFilesystem> {
  const filesystem = await openBackend(backend, { "a.txt": "1" });
  if (!isSnapshotable(filesystem)) throw new Error("It keeps no snapshots.");
  return filesystem;
}

const S1 = { name: "s1", restore_session: false };
const BACKENDS: readonly Backend[] = ["memory", "host", "driver"];

describe.each(BACKENDS)("inside a transaction on %s", (backend) => {
  it("a restore is kept by a commit and undone by a rollback (TL-33)", async () => {
    const filesystem = await open(backend);
    const context = createToolContext({ filesystem });
    await snapshotHandlers.create({ name: "s1", description: "" }, context);
    await filesystem.write("a.txt", "2");

    const undone = await filesystem.begin({ full: true });
    expect(await snapshotHandlers.restore(S1, context)).toMatchObject({ success: true });
    await undone.rollback();
    expect(await contentsOf(filesystem)).toEqual({ "a.txt": "2" });

    const kept = await filesystem.begin({ full: true });
    await snapshotHandlers.restore(S1, context);
    await kept.commit();
    expect(await contentsOf(filesystem)).toEqual({ "a.txt": "1" });
  });

  itRunsPython("a program's writes are part of the outer transaction (TL-52, I228)", async () => {
    const filesystem = await open(backend);
    const context = createToolContext({ filesystem });
    const input = { globals: {}, reads: [], writes: [] };
    const outer = await filesystem.begin();
    await filesystem.write("b.txt", "before");
    const code = "write_text('a.txt', 'changed')";
    expect(
      await section?.tools[0]?.handler({ ...input, code: `${code}\n1 / 0` }, context),
    ).toMatchObject({ success: false });
    expect(await contentsOf(filesystem)).toEqual({ "a.txt": "1", "b.txt": "before" });
    expect(await section?.tools[0]?.handler({ ...input, code }, context)).toMatchObject({
      success: true,
    });
    await outer.rollback();
    expect(await contentsOf(filesystem)).toEqual({ "a.txt": "1" });
  });
});
