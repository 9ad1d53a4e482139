import { expect, it } from "vitest";
import { openWorkspace } from "./open-workspace.js";
import { makeProject } from "./workspace.test.support.js";

it("undo does nothing if another apply followed the one that the user confirmed (CL-6, CL-33)", async () => {
  const project = await makeProject({});
  await using workspace = await openWorkspace(project.directory, { ...project, create: true });
  await workspace.filesystem.write("a.txt", "a\n");
  await workspace.apply();
  const asked = (await workspace.record()).applied.at(-1);
  await workspace.filesystem.write("b.txt", "b\n");
  await workspace.apply();
  await expect(workspace.undo(asked)).rejects.toMatchObject({ exitCode: 3 });
  expect(await project.read()).toEqual({ "a.txt": "a\n", "b.txt": "b\n" });
});
