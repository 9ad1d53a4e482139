import { expect, it } from "vitest";
import { createFilesystem } from "../backend/create-filesystem.js";
import { InMemoryFilesystem } from "../backend/in-memory-filesystem.js";
import { memoryDriver } from "../memory/memory-driver.js";
import { MemoryTree } from "../memory/memory-tree.js";
import { inWalkOrder } from "./in-walk-order.js";

const PATHS = ["a-b", "a.c", "a/x", "a/y/z", "a0", "b", "～", "😀"];

it("inWalkOrder sorts a directory by the paths of its files (C92)", () => {
  const children = [
    { name: "😀", kind: "file" },
    { name: "a", kind: "directory" },
    { name: "～", kind: "file" },
    { name: "a0", kind: "file" },
    { name: "a-b", kind: "file" },
  ] as const;
  expect(inWalkOrder(children).map(({ name }) => name)).toEqual(["a-b", "a", "a0", "～", "😀"]);
});

it("searches return paths in byte order, in memory and over a driver that lists backwards (C92)", async () => {
  const { stat, list, read, write, mkdir, remove } = memoryDriver(new MemoryTree(0), () => 0);
  const backwards = createFilesystem({
    name: "backwards",
    stat,
    list: async (path, options) => [...(await list(path, options))].reverse(),
    read,
    write: (path, bytes, mode, options) => write(path, bytes, mode, options),
    mkdir,
    remove,
  });
  for (const fs of [new InMemoryFilesystem(), backwards]) {
    for (const path of [...PATHS].reverse()) await fs.write(path, "hit\n");
    expect((await fs.glob("*")).map(({ path }) => path)).toEqual(PATHS);
    expect((await fs.grep("hit")).map(({ path }) => path)).toEqual(PATHS);
    expect((await fs.grep("hit", { maxMatches: 3 })).map(({ path }) => path)).toEqual(
      PATHS.slice(0, 3),
    );
  }
});
