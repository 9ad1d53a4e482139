import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { InMemoryFilesystem } from "../backend/in-memory-filesystem.js";
import { HostFilesystem } from "../host/open/host-filesystem.js";
import type { Filesystem } from "../protocol/filesystem.js";
import type { SnapshotableFilesystem } from "../snapshots/filesystem-snapshot.js";
import { readOnlyView } from "../wrap/read-only-view.js";
import { wrapFilesystem } from "../wrap/wrap-filesystem.js";
import { overlay } from "./overlay.js";

const FILES = { "a.txt": "a\n", "d/b.txt": "b\n", "d/deep/c.txt": "c\n", "e/f.txt": "f\n" };

/** Everything that a caller can see, by path. */
async function treeOf(fs: Filesystem): Promise<Readonly<Record<string, string>>> {
  const tree: Record<string, string> = {};
  const visit = async (directory: string): Promise<void> => {
    for (const { path, kind } of await fs.list(directory)) {
      const { mode } = await fs.stat(path, { followLinks: false });
      const bits = mode.toString(8);
      if (kind === "directory") {
        tree[`${path}/`] = bits;
        await visit(path);
      } else if (kind === "symlink") tree[path] = `-> ${await fs.readlink(path)}`;
      else tree[path] = `${bits} ${(await fs.read(path)).content}`;
    }
  };
  await visit(".");
  return tree;
}

function counted(target: Filesystem) {
  const calls: string[] = [];
  const base = wrapFilesystem(target, ({ operation, paths }, run) => {
    calls.push(`${operation} ${paths[0]}`);
    return run();
  });
  return { base, calls };
}

describe("an overlay", () => {
  it("is made without reading its base, and reads only the requested files (FS-98)", async () => {
    const { base, calls } = counted(new InMemoryFilesystem({ files: FILES }));
    const fs = overlay(base);
    expect(calls).toEqual([]);
    expect((await fs.read("d/b.txt")).content).toBe("b\n");
    expect(calls.filter((call) => !call.startsWith("stat"))).toEqual(["readBytes d/b.txt"]);
    calls.length = 0;
    await fs.write("d/new.txt", "new");
    expect(calls.filter((call) => call.startsWith("read"))).toEqual([]);
    expect((await fs.list("d")).map(({ name }) => name)).toEqual(["b.txt", "deep", "new.txt"]);
  });

  it("copies and moves a directory of the base without reading its files (FS-98)", async () => {
    const { base, calls } = counted(new InMemoryFilesystem({ files: FILES }));
    const fs = overlay(base);
    await fs.copy("d", "copied");
    await fs.move("d", "moved");
    await fs.delete("e", { recursive: true });
    expect(calls.filter((call) => /^(read|openRead|contentId)/.test(call))).toEqual([]);
    const expected = new InMemoryFilesystem({ files: FILES });
    await expected.copy("d", "copied");
    await expected.move("d", "moved");
    await expected.delete("e", { recursive: true });
    expect(await treeOf(fs)).toEqual(await treeOf(expected));
  });

  it("never changes its base, whatever is done to it (FS-98)", async () => {
    const target = new InMemoryFilesystem({ files: FILES });
    const before = await treeOf(target);
    const fs = overlay(readOnlyView(target));
    await fs.write("a.txt", "changed");
    await fs.write("d/b.txt", "more", { mode: "append" });
    await fs.chmod("e/f.txt", 0o600);
    await fs.delete("d/deep", { recursive: true });
    await fs.symlink("a.txt", "link");
    const snapshot = await fs.snapshot();
    await fs.transact((files) => files.delete("e", { recursive: true }));
    await fs.restore(snapshot);
    expect(await treeOf(target)).toEqual(before);
    expect((await treeOf(fs))["e/f.txt"]).toBe("600 f\n");
  });

  it("lists its changes as a patch, and none for a file that was written unchanged (FS-99)", async () => {
    const { base, calls } = counted(new InMemoryFilesystem({ files: FILES }));
    const fs = overlay(base);
    expect((await fs.changes()).isEmpty).toBe(true);
    await fs.write("a.txt", "a\n");
    await fs.chmod("a.txt", 0o644);
    expect((await fs.changes()).isEmpty).toBe(true);
    await fs.write("a.txt", "changed\n");
    await fs.move("d/b.txt", "d/renamed.txt");
    await fs.delete("e/f.txt");
    await fs.write("new.txt", "new\n");
    calls.length = 0;
    const changes = await fs.changes();
    expect(changes.files.map(({ type, path }) => `${type} ${path}`)).toEqual([
      "modified a.txt",
      "renamed d/renamed.txt",
      "deleted e/f.txt",
      "added new.txt",
    ]);
    expect(await changes.toPatch()).toContain("-a\n+changed\n");
    expect(calls.filter((call) => call.includes("deep"))).toEqual([]);
  });

  it("flatten returns all files in memory, independent of overlay and base (FS-99)", async () => {
    const base = new InMemoryFilesystem({ files: FILES });
    const fs = overlay(base);
    await fs.write("d/b.txt", "changed");
    await fs.symlink("a.txt", "link");
    const before = await treeOf(fs);
    const flat = await fs.flatten();
    await fs.delete("d", { recursive: true });
    await base.delete("e", { recursive: true });
    expect(await treeOf(flat)).toEqual(before);
    expect(await flat.snapshots()).toEqual([]);
  });

  it("forks and overlays of overlays share what they have not changed (FS-98)", async () => {
    const base = new InMemoryFilesystem({ files: FILES });
    const first = overlay(base);
    await first.write("a.txt", "first");
    const second = overlay(first);
    const fork = await first.fork();
    await second.write("a.txt", "second");
    await fork.delete("a.txt");
    const read = async (fs: Filesystem) =>
      (await fs.exists("a.txt")) ? (await fs.read("a.txt")).content : undefined;
    expect(await Promise.all([base, first, second, fork].map(read))).toEqual([
      "a\n",
      "first",
      "second",
      undefined,
    ]);
  });
});

describe("a base that changes below an overlay", () => {
  it("makes reads of pinned contents ESTALE, and stays invisible otherwise (FS-100)", async () => {
    const base = new InMemoryFilesystem({ files: FILES });
    const fs = overlay(base);
    await fs.list("d");
    await fs.read("a.txt");
    expect(await fs.exists("late.txt")).toBe(false);
    await base.write("a.txt", "theirs\n");
    await base.write("late.txt", "theirs");
    await base.write("d/late.txt", "theirs");
    await base.delete("d/b.txt");
    await expect(fs.read("a.txt")).rejects.toMatchObject({ code: "ESTALE", path: "a.txt" });
    await expect(fs.read("d/b.txt")).rejects.toMatchObject({ code: "ESTALE" });
    expect(await fs.exists("late.txt")).toBe(false);
    expect(await fs.exists("d/late.txt")).toBe(false);
    expect((await fs.list(".")).map(({ name }) => name)).toEqual(["a.txt", "d", "e"]);
    await fs.write("a.txt", "mine");
    expect((await fs.read("a.txt")).content).toBe("mine");
    expect((await fs.read("e/f.txt")).content).toBe("f\n");
  });

  it("does not change a link, a list or the kind of a directory that was seen (FS-100)", async () => {
    const base = new InMemoryFilesystem({ files: FILES });
    await base.symlink("a.txt", "link");
    const fs = overlay(base);
    await fs.stat("link", { followLinks: false });
    await base.delete("link");
    await base.symlink("d/b.txt", "link");
    expect(await fs.readlink("link")).toBe("a.txt");
    expect((await fs.read("link")).content).toBe("a\n");
    for (const put of [
      () => Promise.resolve(),
      () => base.write("d", "a file"),
      () => base.symlink("e", "d"),
    ]) {
      const other = overlay(base);
      expect((await other.stat("d")).kind).toBe("directory");
      await base.delete("d", { recursive: true });
      await put();
      await expect(other.list("d")).rejects.toMatchObject({ code: "ESTALE", path: "d" });
      await expect(other.usage()).rejects.toMatchObject({ code: "ESTALE" });
      await base.delete("d").catch(() => {});
      await base.write("d/b.txt", "");
    }
  });

  it("does not make a restore inexact (FS-100)", async () => {
    const base = new InMemoryFilesystem({ files: FILES });
    const fs = overlay(base);
    await fs.write("a.txt", "mine\n");
    const seen = await treeOf(fs);
    const snapshot = await fs.snapshot();
    await fs.delete("d", { recursive: true });
    await fs.write("a.txt", "later");
    await base.write("e/f.txt", "theirs");
    await base.write("extra", "theirs");
    await fs.restore(snapshot);
    await expect(treeOf(fs)).rejects.toMatchObject({ code: "ESTALE", path: "e/f.txt" });
    await base.write("e/f.txt", "f\n");
    const { "e/f.txt": _, ...others } = seen;
    await fs.write("e/f.txt", "f\n");
    expect(await treeOf(fs)).toEqual({ ...others, "e/f.txt": "644 f\n" });
  });
});

it("an overlay over a host directory has its links, and leaves the directory as it was (FS-98)", async () => {
  const root = mkdtempSync(join(tmpdir(), "wink-overlay-"));
  writeFileSync(join(root, "a.txt"), "a\n", { mode: 0o600 });
  symlinkSync("a.txt", join(root, "link"));
  symlinkSync(Buffer.from("caf\xe9", "latin1"), join(root, "latin"));
  const base = await HostFilesystem.open(root, { readOnly: true });
  onTestFinished(async () => {
    await base.close();
    rmSync(root, { recursive: true });
  });
  const fs = overlay(base);
  const latin = "-> caf\u{10ffe9}";
  expect(await treeOf(fs)).toEqual({ "a.txt": "600 a\n", link: "-> a.txt", latin });
  expect(await treeOf(await fs.flatten())).toEqual(await treeOf(base));
  expect((await fs.read("link")).content).toBe("a\n");
  await fs.write("a.txt", "b\n");
  await fs.delete("link");
  expect(await treeOf(fs)).toEqual({ "a.txt": "600 b\n", latin });
  expect(await treeOf(base)).toEqual({ "a.txt": "600 a\n", link: "-> a.txt", latin });
});

type Step = (fs: SnapshotableFilesystem) => Promise<unknown>;

const path = fc.constantFrom(
  "a.txt",
  "d",
  "d/b.txt",
  "d/deep",
  "d/deep/c.txt",
  "e",
  "x",
  "x/y",
  "e/z",
);
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.tuple(path, fc.constantFrom("overwrite", "append", "create")).map(
    ([at, mode]): Step =>
      (fs) =>
        fs.write(at, "new\n", { mode }),
  ),
  path.map(
    (at): Step =>
      (fs) =>
        fs.delete(at, { recursive: true }),
  ),
  path.map(
    (at): Step =>
      (fs) =>
        fs.mkdir(at),
  ),
  path.map(
    (at): Step =>
      (fs) =>
        fs.chmod(at, 0o700),
  ),
  fc.tuple(path, path, fc.boolean()).map(
    ([from, to, overwrite]): Step =>
      (fs) =>
        fs.copy(from, to, { overwrite }),
  ),
  fc.tuple(path, path, fc.boolean()).map(
    ([from, to, overwrite]): Step =>
      (fs) =>
        fs.move(from, to, { overwrite }),
  ),
  fc.array(path, { minLength: 1, maxLength: 3 }).map(
    (paths): Step =>
      (fs) =>
        fs.transact(async (files) => {
          for (const at of paths) await files.delete(at, { recursive: true }).catch(() => {});
          if (paths.length > 1) throw new Error("rolled back");
        }),
  ),
);

it("an overlay over files behaves like a copy of them in memory, also after restores (FS-98)", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 15 }), fc.nat(14), async (steps, saveAt) => {
      const copy = new InMemoryFilesystem({ files: FILES });
      const base = new InMemoryFilesystem({ files: FILES });
      const fs = overlay(readOnlyView(base));
      const both: readonly SnapshotableFilesystem[] = [copy, fs];
      const first = await Promise.all(both.map((each) => each.snapshot()));
      let saved = first;
      for (const [index, run] of steps.entries()) {
        const outcomes = await Promise.all(
          both.map((each) =>
            run(each).then(
              () => "done",
              ({ code, message }) => code ?? message,
            ),
          ),
        );
        expect(outcomes[1]).toBe(outcomes[0]);
        if (index === saveAt) saved = await Promise.all(both.map((each) => each.snapshot()));
      }
      expect(await treeOf(fs)).toEqual(await treeOf(copy));
      expect(await treeOf(await fs.flatten())).toEqual(await treeOf(copy));
      const listed = (set: { readonly files: readonly unknown[] }) => set.files;
      const [start] = first;
      if (start === undefined) throw new Error("no snapshot");
      expect(listed(await fs.changes())).toEqual(listed(await copy.diff(start)));
      for (const [index, each] of both.entries()) await each.restore(saved[index] ?? start);
      expect(await treeOf(fs)).toEqual(await treeOf(copy));
      expect(await treeOf(base)).toEqual(await treeOf(new InMemoryFilesystem({ files: FILES })));
    }),
    { numRuns: 150 },
  );
}, 60_000);
