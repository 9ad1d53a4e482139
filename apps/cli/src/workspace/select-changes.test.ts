import { expect, it } from "vitest";
import { openWorkspace } from "./open-workspace.js";
import { selectChanges } from "./select-changes.js";
import { makeProject } from "./workspace.test.support.js";

it("selectChanges selects a whole change, with any line endings in it (CL-31)", async () => {
  const project = await makeProject({});
  await using workspace = await openWorkspace(project.directory, { ...project, create: true });
  await workspace.filesystem.write("a.txt", "one\rdiff --git a/x b/x\r\ntwo\n");
  const { directory } = workspace;
  const changes = await workspace.changes();
  const { patch } = await selectChanges(changes, { paths: ["a.txt"], cwd: directory, directory });
  expect(patch).toBe(await changes.toPatch());
});
