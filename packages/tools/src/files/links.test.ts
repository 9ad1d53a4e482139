import { expect, it } from "vitest";
import { openWorkspace } from "./workspace.test.support.js";

/** Links to a file, a directory, nothing and a place outside. */
const LINKS = { file: "d/a", directory: "d", dangling: "nowhere", outside: "/etc/passwd" };

async function openLinks() {
  const workspace = await openWorkspace({ "d/a": "1" });
  for (const [name, target] of Object.entries(LINKS))
    await workspace.filesystem.symlink(target, name);
  return workspace;
}

it.each(Object.keys(LINKS))("rm deletes a link and not its target: %s (FS-33)", async (name) => {
  const { filesystem, ask } = await openLinks();
  expect(await ask("rm", { path: name })).toBe(`Deleted '${name}'.`);
  await expect(filesystem.readlink(name)).rejects.toMatchObject({ code: "ENOENT" });
  expect((await filesystem.read("d/a")).content).toBe("1");
});

it.each(Object.entries(LINKS))(
  "move and copy handle a link as a link: %s (FS-34, FS-35)",
  async (name, target) => {
    const { filesystem, ask } = await openLinks();
    expect(await ask("copy", { source: name, destination: "copied" })).toBe(
      `Copied '${name}' to 'copied'.`,
    );
    expect(await ask("move", { source: name, destination: "moved" })).toBe(
      `Moved '${name}' to 'moved'.`,
    );
    for (const path of ["copied", "moved"]) expect(await filesystem.readlink(path)).toBe(target);
  },
);
