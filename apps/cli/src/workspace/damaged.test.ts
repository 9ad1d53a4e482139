import { rm, writeFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { openWorkspace } from "./open-workspace.js";
import { makeProject } from "./workspace.test.support.js";
import { findPlace, type WorkspacePlace } from "./workspace-place.js";

const FILES = { "a.txt": "a\n", "b.txt": "b\n" };

it.each<[string, (place: WorkspacePlace) => Promise<void>]>([
  ["copy", ({ files }) => rm(files, { recursive: true })],
  ["store", ({ store }) => rm(store, { recursive: true })],
  ["record", ({ record }) => writeFile(record, "of something else\n")],
])(
  "a workspace without its %s is refused, so that no file counts as deleted, and works again once it is deleted (CL-2, CL-36)",
  async (_, damage) => {
    const { directory, env, read } = await makeProject(FILES);
    await (await openWorkspace(directory, { env, create: true })).close();
    const place = await findPlace(directory, env);
    await damage(place);
    for (const create of [false, true])
      await expect(openWorkspace(directory, { env, create })).rejects.toMatchObject({
        message: `The workspace of ${directory} is damaged, or of another version.`,
        hint: expect.stringContaining(place.home),
      });
    await rm(place.home, { recursive: true });
    await using workspace = await openWorkspace(directory, { env, create: true });
    expect((await workspace.changes()).isEmpty).toBe(true);
    expect(await read()).toEqual(FILES);
  },
);
