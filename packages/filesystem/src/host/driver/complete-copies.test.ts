import { mkdirSync, readdirSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { HostFilesystem } from "../open/host-filesystem.js";
import { makePlaces } from "./host-fixture.test.setup.js";
import { interceptFs, systemError } from "./intercepted-fs.test.support.js";

/**
 * A workspace with one directory or file that cannot be read. Root can read everything, so the call is made to
 * fail.
 */
async function workspaceWith(closed: "directory" | "file"): Promise<{
  readonly root: string;
  readonly filesystem: HostFilesystem;
}> {
  const { root } = makePlaces();
  mkdirSync(join(root, "tree/closed"), { recursive: true });
  writeFileSync(join(root, "tree/closed/inner"), "inner");
  writeFileSync(join(root, "tree/sealed"), "sealed");
  const filesystem = await HostFilesystem.open(root, { fsync: false });
  const name = closed === "directory" ? "/closed" : "/sealed";
  const isSource = (path: string) =>
    path.endsWith(name) && realpathSync(dirname(path)) === join(root, "tree");
  interceptFs(["openSync"], (_, [path]) => {
    if (isSource(String(path))) throw systemError("EACCES", String(path));
  });
  return { root, filesystem };
}

const forks = () => readdirSync(tmpdir()).filter((name) => name.startsWith("wink-fork-"));

it.each([
  ["directory", "tree/closed"],
  ["file", "tree/sealed"],
] as const)(
  "a copy of a tree with an unreadable %s fails with its name and leaves no files (FS-86, FS-34)",
  async (closed, path) => {
    const { root, filesystem } = await workspaceWith(closed);
    const error = await filesystem.copy("tree", "copy").catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "EACCES", operation: "copy", path });
    expect(String(error)).not.toContain(root);
    expect(readdirSync(root)).toEqual(["tree"]);
    await filesystem.close();
  },
);

it.each([
  ["directory", "tree/closed"],
  ["file", "tree/sealed"],
] as const)(
  "a fork of a workspace with an unreadable %s fails with its name and leaves no files (FS-86, SN-11)",
  async (closed, path) => {
    const { root, filesystem } = await workspaceWith(closed);
    const before = forks();
    const error = await filesystem.fork().catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "EACCES", operation: "fork", path });
    expect(String(error)).not.toContain(root);
    expect(
      forks().filter((name) => !before.includes(name) && name.includes(`-${process.pid}-`)),
    ).toEqual([]);
    await filesystem.close();
  },
);
