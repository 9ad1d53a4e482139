import { expect, it } from "vitest";
import { openWorkspace } from "./open-workspace.js";
import { makeProject } from "./workspace.test.support.js";

it("openWorkspace says what to do if the state directory is not usable (CL-2, CL-3, CL-30)", async () => {
  const project = await makeProject({ "../state": "a file\n" });
  await expect(
    openWorkspace(project.directory, { ...project, create: true }),
  ).rejects.toMatchObject({
    exitCode: 4,
    hint: expect.stringContaining("WINK_STATE_DIR"),
  });
});
