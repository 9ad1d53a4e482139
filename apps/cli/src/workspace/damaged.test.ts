import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Workspace } from "@wink/workspace";
import { expect, it } from "vitest";
import { openWorkspace } from "./open-workspace.js";
import { stateDirectory } from "./state-directory.js";
import { makeProject } from "./workspace.test.support.js";

const FILES = { "a.txt": "a\n", "b.txt": "b\n" };

it.each<[string, (home: string) => Promise<void>]>([
  ["copy", (home) => rm(join(home, "files"), { recursive: true })],
  ["store", (home) => rm(join(home, "store"), { recursive: true })],
  ["record", (home) => writeFile(join(home, "workspace.json"), "of something else\n")],
])(
  "a workspace without its %s is refused, so that no file counts as deleted, and works again once it is deleted (CL-2, CL-36)",
  async (_, damage) => {
    const { directory, env, read } = await makeProject(FILES);
    await (await openWorkspace(directory, { env, create: true })).close();
    const info = Workspace.find(directory, { stateDirectory: stateDirectory(env) });
    await damage(info.stateDirectory);
    for (const create of [false, true])
      await expect(openWorkspace(directory, { env, create })).rejects.toMatchObject({
        message: `The workspace of ${directory} is damaged, or of another version.`,
        hint: expect.stringContaining(info.stateDirectory),
      });
    await rm(info.stateDirectory, { recursive: true });
    await using workspace = await openWorkspace(directory, { env, create: true });
    expect((await workspace.changes()).isEmpty).toBe(true);
    expect(await read()).toEqual(FILES);
  },
);
