import { describe, expect, it } from "vitest";
import { InMemoryFilesystem } from "../backend/in-memory-filesystem.js";
import type { Filesystem } from "../protocol/filesystem.js";
import { treeOf } from "../testing/contract/tree-of.js";
import { readOnlyView } from "./read-only-view.js";

const setup = () => {
  const owner = new InMemoryFilesystem({ files: { "d/a.txt": "hit\n" }, mountPoint: "/w" });
  return { owner, view: readOnlyView(owner) };
};

const CHANGES: Readonly<Record<string, (fs: Filesystem, path: string) => Promise<unknown>>> = {
  write: (fs, path) => fs.write(path, ""),
  writeBytes: (fs, path) => fs.writeBytes(path, new Uint8Array()),
  delete: (fs, path) => fs.delete(path, { recursive: true }),
  mkdir: (fs, path) => fs.mkdir(path),
  copy: (fs, path) => fs.copy(path, "copied"),
  move: (fs, path) => fs.move(path, "moved"),
  openWrite: (fs, path) => fs.openWrite(path),
};

const failureOf = (call: Promise<unknown>) =>
  call.then(
    () => undefined,
    ({ name, message }) => ({ name, message }),
  );

describe("readOnlyView", () => {
  it.each(Object.entries(CHANGES))(
    "refuses %s like a filesystem with the readOnly option (FS-64)",
    async (operation, change) => {
      const { owner, view } = setup();
      const itself = new InMemoryFilesystem({
        files: { "d/a.txt": "hit\n" },
        mountPoint: "/w",
        readOnly: true,
      });
      for (const path of [
        "d/a.txt",
        "d",
        "new",
        ".",
        "../x",
        "a\0b",
        7 as unknown as string,
        undefined as unknown as string,
      ])
        expect(await failureOf(change(view, path))).toEqual(await failureOf(change(itself, path)));
      await expect(change(view, "d/a.txt")).rejects.toMatchObject({ code: "EROFS", operation });
      expect(await treeOf(owner)).toEqual({ d: null, "d/a.txt": "hit\n" });
    },
  );

  it("reads, lists, searches and streams the files of the original (FS-64)", async () => {
    const { owner, view } = setup();
    expect([view.readOnly, view.root, view.mountPoint]).toEqual([true, owner.root, "/w"]);
    expect([view.limits, view.quotas]).toEqual([owner.limits, owner.quotas]);
    expect(await view.read("/w/d/a.txt")).toEqual(await owner.read("d/a.txt"));
    expect(await view.readBytes("d/a.txt", { limit: 1 })).toEqual(
      await owner.readBytes("d/a.txt", { limit: 1 }),
    );
    expect(await view.stat("d")).toEqual(await owner.stat("d"));
    expect(await view.exists("d/b")).toBe(false);
    expect(await view.list()).toEqual(await owner.list());
    expect(await view.glob("*.txt")).toEqual(await owner.glob("*.txt"));
    expect(await view.grep("hit")).toEqual(await owner.grep("hit"));
    expect(await view.usage()).toEqual(await owner.usage());
    await using reader = await view.openRead("d/a.txt");
    expect(Buffer.from(await reader.read()).toString()).toBe("hit\n");
    for await (const line of await view.openText("d/a.txt")) expect(line).toBe("hit\n");
  });

  it("sees changes of the original, and refuses the same paths (FS-64)", async () => {
    const { owner, view } = setup();
    await owner.write("d/b.txt", "new");
    expect((await view.read("d/b.txt")).content).toBe("new");
    await expect(view.read("../x")).rejects.toMatchObject({ code: "EACCES" });
  });

  it("lists, compares and exports snapshots, and refuses to change them (FS-64)", async () => {
    const { owner, view } = setup();
    const snapshot = await owner.snapshot({ name: "first" });
    await owner.write("d/b.txt", "new");
    expect(await view.snapshots()).toEqual([snapshot]);
    expect((await view.diff(snapshot)).files).toMatchObject([{ path: "d/b.txt" }]);
    expect((await view.verify()).damaged).toEqual([]);
    const chunks: Uint8Array[] = [];
    for await (const chunk of view.exportSnapshot(snapshot)) chunks.push(chunk);
    const fork = await view.fork();
    await fork.write("d/a.txt", "only in the fork");
    for (const change of [
      () => view.snapshot({ name: "first" }),
      () => view.restore(snapshot),
      () => view.deleteSnapshot(snapshot),
      () => view.prune({ maxCount: 0, keepNamed: false }),
      () => view.importSnapshot(chunks),
      () => view.begin(),
    ])
      await expect(change()).rejects.toMatchObject({ code: "EROFS" });
    expect(await owner.snapshots()).toEqual([snapshot]);
    expect(await treeOf(owner)).toEqual({ d: null, "d/a.txt": "hit\n", "d/b.txt": "new" });
  });

  it("rejects with the reason of an already aborted signal (FS-64, FS-70)", async () => {
    const { view } = setup();
    const signal = AbortSignal.abort("enough");
    await expect(view.write("a", "", { signal })).rejects.toBe("enough");
    await expect(view.copy("d", "e", { signal })).rejects.toBe("enough");
  });
});
