import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { memoryIo } from "../terminal/memory-io.test.support.js";
import { openWorkspace } from "../workspace/open-workspace.js";
import { makeProject } from "../workspace/workspace.test.support.js";
import { openHostRunWorkspace } from "./host-run-workspace.js";

it("a new run resets the workspace only after the call of another process has ended (CL-15, CL-35)", async () => {
  const { directory, env } = await makeProject({ "a.txt": "a\n" });
  await using other = await openWorkspace(directory, { env, create: true });
  const transaction = await other.filesystem.begin();
  await other.filesystem.write("first.txt", "1\n");
  const { signal } = new AbortController();
  const opening = openHostRunWorkspace(memoryIo({ env }), {
    directory,
    filter: {},
    keepsChanges: false,
    signal,
  });
  // Gives an implementation that does not wait the time to fail. The test does not depend on the
  // duration.
  await Promise.race([opening, sleep(1_000)]);
  await other.filesystem.write("second.txt", "2\n");
  await transaction.commit();
  await using opened = await opening;
  expect((await opened.changes()).files).toEqual([]);
  expect((await other.snapshots()).length).toBe(1);
});
