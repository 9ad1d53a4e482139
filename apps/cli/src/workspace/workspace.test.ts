import { symlink } from "node:fs/promises";
import { join } from "node:path";
import type { Workspace } from "@wink/workspace";
import { describe, expect, it } from "vitest";
import { openWorkspace } from "./open-workspace.js";
import { stateDirectory } from "./state-directory.js";
import { makeProject, type Project } from "./workspace.test.support.js";

const FILES = { "src/cart.ts": "one\ntwo\nthree\n", "README.md": "# Shop\n" };

function open({ directory, env }: Project) {
  return openWorkspace(directory, { env, create: true });
}

const typesOf = async (workspace: Workspace) =>
  (await workspace.changes()).files.map(({ type, path }) => `${type} ${path}`);

describe("the place of a workspace", () => {
  it.each([
    [{ WINK_STATE_DIR: "/a", XDG_STATE_HOME: "/b", HOME: "/c" }, "/a"],
    [{ XDG_STATE_HOME: "/b", HOME: "/c" }, "/b/wink"],
    [{ XDG_STATE_HOME: "relative", HOME: "/c" }, "/c/.local/state/wink"],
    [{ HOME: "/c" }, "/c/.local/state/wink"],
  ])("is in the state directory of %j (CL-30)", (env, expected) => {
    expect(stateDirectory(env)).toBe(expected);
  });

  it("is the same for every name of a directory (CL-30)", async () => {
    const project = await makeProject(FILES);
    const link = join(project.directory, "..", "link");
    await symlink(project.directory, link);
    await using first = await open(project);
    await first.filesystem.write("new.txt", "n\n");
    await using second = await openWorkspace(link, { env: project.env });
    expect(await typesOf(second)).toEqual(["added new.txt"]);
  });

  it("is refused inside of the directory that it copies (CL-30)", async () => {
    const { directory } = await makeProject(FILES);
    const env = { WINK_STATE_DIR: join(directory, "state") };
    await expect(openWorkspace(directory, { env, create: true })).rejects.toMatchObject({
      message: expect.stringMatching(/is inside of/),
      exitCode: 2,
    });
  });

  it("is not created by reading (CL-30)", async () => {
    const { directory, env, read } = await makeProject(FILES);
    await expect(openWorkspace(directory, { env })).rejects.toThrow(/has no workspace yet/);
    await expect(openWorkspace(join(directory, "none"), { env })).rejects.toThrow(
      /Directory .* does not exist/,
    );
    expect(await read()).toEqual(FILES);
  });
});
