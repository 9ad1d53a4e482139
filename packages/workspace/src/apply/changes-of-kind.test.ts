import { execFileSync } from "node:child_process";
import { lstatSync, readlinkSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import type { Filesystem } from "@wink/filesystem";
import { HostFilesystem } from "@wink/filesystem/host";
import { expect, it } from "vitest";
import { readTree, scratchDirectory } from "../mount/tree-fixture.test.support.js";
import { Workspace } from "../workspace/workspace.js";
import { makeProject } from "../workspace/workspace.test.support.js";

type Make = (fs: Filesystem, path: string) => Promise<unknown>;

const KINDS: Readonly<Record<string, Make>> = {
  nothing: async () => {},
  file: (fs, path) => fs.write(path, "a file"),
  link: (fs, path) => fs.symlink("target", path),
  "link to directory": (fs, path) => fs.symlink("folder", path),
  dangling: (fs, path) => fs.symlink("no/where", path),
  empty: (fs, path) => fs.mkdir(path),
  async directory(fs, path) {
    await fs.write(`${path}/a`, "a");
    await fs.write(`${path}/below/b`, "b");
    await fs.symlink("a", `${path}/link`);
  },
  nested: (fs, path) => fs.mkdir(`${path}/empty`),
};

const PAIRS = Object.keys(KINDS).flatMap((from) =>
  Object.keys(KINDS).flatMap((to) => (from === to ? [] : [{ from, to, path: `${from} to ${to}` }])),
);

async function plant(directory: string, side: "from" | "to"): Promise<void> {
  await using fs = await HostFilesystem.open(directory, { fsync: false });
  await fs.write("target", "t");
  await fs.write("folder/f", "f");
  for (const { path, [side]: kind } of PAIRS) await KINDS[kind]?.(fs, path);
}

const everything = (directory: string) => ({
  ...readTree(directory, { directories: true }),
  times: execFileSync("find", [directory, "-printf", "%P %m %T@\n"], { encoding: "utf8" })
    .split("\n")
    .sort(),
});

it("any change of kind is applied and undone, whole and by path, with links, directories and times (SN-49, WS-7)", async () => {
  const directory = scratchDirectory();
  const expected = scratchDirectory();
  await plant(directory, "from");
  await plant(expected, "to");
  execFileSync("find", [directory, "-depth", "-exec", "touch", "-hd", "@1000000000.5", "{}", "+"]);
  const before = everything(directory);
  await using workspace = await Workspace.open(directory, { stateDirectory: scratchDirectory() });
  for (const { from, to, path } of PAIRS) {
    if (from !== "nothing") await workspace.filesystem.delete(path, { recursive: true });
    await KINDS[to]?.(workspace.filesystem, path);
  }
  for (const undoPaths of [[undefined], PAIRS.map(({ path }) => [path])]) {
    await workspace.apply();
    expect(readTree(directory, { directories: true })).toEqual(
      readTree(expected, { directories: true }),
    );
    expect((await workspace.changes()).isEmpty).toBe(true);
    for (const paths of undoPaths) await workspace.undo({ paths });
    expect(everything(directory)).toEqual(before);
    expect(workspace.applied).toEqual([]);
  }
}, 60_000);

it("an undo refuses to replace a link that the user changed after the apply (WS-7)", async () => {
  const { directory, open } = await makeProject({ "a.txt": "a\n" });
  const link = join(directory, "link");
  const workspace = await open();
  await workspace.filesystem.symlink("a.txt", "link");
  await workspace.apply();
  rmSync(link);
  symlinkSync("of the user", link);
  await expect(workspace.undo()).rejects.toMatchObject({
    conflicts: [{ path: "link", reason: "changed" }],
  });
  expect(readlinkSync(link)).toBe("of the user");
  expect(workspace.applied.length).toBe(1);
});

it("a link that was applied and removed again by the user can be applied again (WS-8)", async () => {
  const { directory, open } = await makeProject({ "a.txt": "a\n" });
  const link = join(directory, "link");
  const workspace = await open();
  await workspace.filesystem.symlink("a.txt", "link");
  await workspace.apply();
  rmSync(link);
  expect((await workspace.changes()).files.map(({ path }) => path)).toEqual(["link"]);
  await workspace.apply();
  expect(lstatSync(link).isSymbolicLink()).toBe(true);
});
