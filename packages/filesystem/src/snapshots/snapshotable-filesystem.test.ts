import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { createFilesystem } from "../backend/create-filesystem.js";
import { InMemoryFilesystem } from "../backend/in-memory-filesystem.js";
import { HostFilesystem } from "../host.js";
import { memoryDriver } from "../memory/memory-driver.js";
import { MemoryTree } from "../memory/memory-tree.js";
import type { FilesystemOptions } from "../protocol/filesystem-options.js";
import type { FilesystemSnapshot, SnapshotableFilesystem } from "./filesystem-snapshot.js";

type Open = (options?: FilesystemOptions) => Promise<SnapshotableFilesystem>;

const backends: { name: string; open: Open }[] = [
  { name: "memory", open: async (options) => new InMemoryFilesystem(options) },
  {
    name: "host",
    async open(options) {
      const root = mkdtempSync(join(tmpdir(), "wink-states-"));
      const fs = await HostFilesystem.open(root, { ...options, fsync: false });
      onTestFinished(async () => {
        await fs.close();
        rmSync(root, { recursive: true, force: true });
      });
      return fs;
    },
  },
  {
    name: "six methods",
    async open(options) {
      const { stat, list, read, write, mkdir, remove } = memoryDriver(new MemoryTree(0), () => 0);
      return createFilesystem({ name: "six", stat, list, read, write, mkdir, remove }, options);
    },
  },
];

/** All entries as one comparable value. */
async function manifest(fs: SnapshotableFilesystem): Promise<Record<string, string>> {
  const all: Record<string, string> = {};
  for (const { path, isFile } of await fs.glob("**", { directories: true }))
    all[path] = isFile
      ? `${(await fs.stat(path)).mode.toString(8)} ${(await fs.read(path)).content}`
      : "directory";
  return all;
}

async function filled(open: Open): Promise<SnapshotableFilesystem> {
  const fs = await open();
  await fs.write("src/a.txt", "one\n");
  await fs.write("src/run.sh", "echo\n", { executable: true });
  await fs.mkdir("empty/inside");
  return fs;
}

describe.each(backends)("a snapshot on $name", ({ open }) => {
  it("is frozen plain data that survives a JSON round trip (SN-1)", async () => {
    const fs = await filled(open);
    const snapshot = await fs.snapshot({ tag: "before", name: "one" });
    expect(snapshot).toEqual({
      snapshotId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
      commitRef: expect.any(String),
      rootPath: fs.root,
      tag: "before",
      name: "one",
    });
    expect(Object.isFrozen(snapshot)).toBe(true);
    await fs.delete("src", { recursive: true });
    await fs.restore(JSON.parse(JSON.stringify(snapshot)) as FilesystemSnapshot);
    expect(await fs.exists("src/a.txt")).toBe(true);
  });

  it("restores bytes, execute bits and empty directories, and removes newer files (SN-2)", async () => {
    const fs = await filled(open);
    const before = await manifest(fs);
    const snapshot = await fs.snapshot();
    await fs.write("src/a.txt", "two\n");
    await fs.write("src/run.sh", "echo\n", { executable: false });
    await fs.delete("empty", { recursive: true });
    await fs.write("empty", "a file now");
    await fs.write("new/file.txt", "new");
    await fs.restore(snapshot);
    expect(await manifest(fs)).toEqual(before);
  });

  it("can be restored any number of times, in any order (SN-2)", async () => {
    const fs = await filled(open);
    const first = { snapshot: await fs.snapshot(), files: await manifest(fs) };
    await fs.write("src/a.txt", "two\n");
    await fs.move("src/run.sh", "run.sh");
    const second = { snapshot: await fs.snapshot(), files: await manifest(fs) };
    for (const { snapshot, files } of [first, second, first, first, second, first]) {
      await fs.restore(snapshot);
      expect(await manifest(fs)).toEqual(files);
    }
  });

  it("keeps quotas exact through a restore (SN-3, B59)", async () => {
    const fs = await open({ quotas: { maxTotalBytes: 10, maxNodeCount: 3 } });
    await fs.write("a", "12345");
    const snapshot = await fs.snapshot();
    await fs.write("b", "12345");
    await expect(fs.write("c", "1")).rejects.toMatchObject({ code: "EDQUOT" });
    await fs.restore(snapshot);
    expect(await fs.usage()).toMatchObject({ totalBytes: 5, nodeCount: 1 });
    await fs.write("c", "12345");
    await expect(fs.write("d", "1")).rejects.toMatchObject({ code: "EDQUOT" });
  });

  it("is listed newest first, keeps its name until another snapshot takes it, and can be deleted (SN-4)", async () => {
    const fs = await filled(open);
    const one = await fs.snapshot({ name: "work" });
    const two = await fs.snapshot({ name: "work" });
    const listed = await fs.snapshots();
    expect(listed.map(({ snapshotId, name }) => [snapshotId, name])).toEqual([
      [two.snapshotId, "work"],
      [one.snapshotId, undefined],
    ]);
    await fs.deleteSnapshot(two);
    expect((await fs.snapshots()).map(({ snapshotId }) => snapshotId)).toEqual([one.snapshotId]);
    await expect(fs.restore(two)).rejects.toMatchObject({ name: "SnapshotError" });
  });

  it.each(["", ".x", "a/b", "-x", "a..b", "x.lock", "a@{1}", "x.", "ü", "a b", "x".repeat(300)])(
    "rejects the name %j (SN-4, D134)",
    async (name) => {
      const fs = await open();
      await expect(fs.snapshot({ name })).rejects.toMatchObject({ code: "INVALID_NAME" });
      expect(await fs.snapshots()).toEqual([]);
    },
  );

  it("is refused before any change if it is unknown, forged or of another filesystem (SN-5, D132, D133)", async () => {
    const fs = await filled(open);
    const other = await (await filled(open)).snapshot();
    const own = await fs.snapshot();
    await fs.write("src/a.txt", "now\n");
    const forged = [
      other,
      { ...own, commitRef: "HEAD" },
      { ...own, snapshotId: crypto.randomUUID() },
      { ...own, commitRef: "--output=/x" },
      {},
      null,
    ];
    // A snapshot from a session can be any value.
    for (const snapshot of forged)
      await expect(fs.restore(snapshot as FilesystemSnapshot)).rejects.toMatchObject({
        name: "SnapshotError",
      });
    expect((await fs.read("src/a.txt")).content).toBe("now\n");
  });

  it("reports the changes since it, or up to another snapshot, as files and as a patch (SN-6)", async () => {
    const fs = await filled(open);
    const one = await fs.snapshot();
    await fs.write("src/a.txt", "two\n");
    await fs.move("src/run.sh", "src/go.sh");
    const two = await fs.snapshot();
    await fs.write("later.txt", "later\n");
    const set = await fs.diff(one, two);
    expect(set.files.map(({ type, path, oldPath }) => [type, path, oldPath])).toEqual([
      ["modified", "src/a.txt", undefined],
      ["renamed", "src/go.sh", "src/run.sh"],
    ]);
    expect(await set.toPatch()).toContain("-one\n+two\n");
    expect((await fs.diff(two)).files).toEqual([
      { type: "added", path: "later.txt", sizeBytesAfter: 6 },
    ]);
    expect((await fs.diff(two, two)).isEmpty).toBe(true);
  });

  it("moves from one filesystem to another as a tar archive (SN-7)", async () => {
    const fs = await filled(open);
    const other = await open();
    await other.write("own.txt", "own");
    const copy = await other.importSnapshot(fs.exportSnapshot(await fs.snapshot()), {
      name: "copy",
    });
    expect(await other.exists("own.txt")).toBe(true);
    await other.restore(copy);
    expect(await manifest(other)).toEqual(await manifest(fs));
  });

  it("is reported as undamaged by verify (SN-8)", async () => {
    const fs = await filled(open);
    await fs.snapshot();
    expect(await fs.verify()).toMatchObject({ snapshotCount: 1, damaged: [] });
  });

  it("does not change a read-only filesystem (SN-9)", async () => {
    const fs = await open({ readOnly: true });
    const snapshot = await fs.snapshot();
    await expect(fs.restore(snapshot)).rejects.toMatchObject({ code: "EROFS" });
    await expect(fs.begin()).rejects.toMatchObject({ code: "EROFS" });
  });
});

describe.each(backends)("pruning on $name", ({ open }) => {
  it("keeps the newest, and named ones unless keepNamed is false (SN-10)", async () => {
    const fs = await open();
    for (const name of ["named", undefined, undefined, undefined]) {
      await fs.write("file", String(Math.random()));
      await fs.snapshot({ name });
    }
    const report = await fs.prune({ maxCount: 1 });
    expect(report.deleted).toHaveLength(2);
    expect((await fs.snapshots()).map(({ name }) => name)).toEqual([undefined, "named"]);
    await fs.prune({ maxCount: 0, keepNamed: false });
    expect(await fs.snapshots()).toEqual([]);
  });

  it("deletes by age and by size, oldest first (SN-10)", async () => {
    const fs = await open();
    for (const fill of ["a", "b", "c"]) {
      await fs.write("file", fill.repeat(20_000) + Math.random());
      await fs.snapshot();
    }
    const all = await fs.snapshots();
    const { deleted, heldBytes } = await fs.prune({ maxBytes: 1 });
    expect(deleted.map(({ snapshotId }) => snapshotId)).toEqual(
      all.map(({ snapshotId }) => snapshotId),
    );
    expect(heldBytes).toBe(0);
    await fs.snapshot();
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect((await fs.prune({ maxAgeMs: 60_000 })).deleted).toEqual([]);
    expect((await fs.prune({ maxAgeMs: 1 })).deleted).toHaveLength(1);
  });
});

describe.each(backends)("a fork on $name", ({ open }) => {
  it("starts with the same content and is independent of the original (SN-11)", async () => {
    const fs = await filled(open);
    await using fork = (await fs.fork()) as SnapshotableFilesystem & AsyncDisposable;
    expect(await manifest(fork)).toEqual(await manifest(fs));
    await fork.write("src/a.txt", "fork\n");
    await fs.write("src/b.txt", "original\n");
    expect((await fs.read("src/a.txt")).content).toBe("one\n");
    expect(await fork.exists("src/b.txt")).toBe(false);
  });
});

describe.each(backends)("a transaction on $name", ({ open }) => {
  it("rolls back its changes or commits them (SN-12)", async () => {
    const fs = await filled(open);
    const before = await manifest(fs);
    const undone = await fs.begin();
    await fs.write("src/a.txt", "two\n");
    await fs.delete("empty", { recursive: true });
    await fs.move("src", "moved");
    await undone.rollback();
    expect(await manifest(fs)).toEqual(before);
    const kept = await fs.begin();
    await fs.write("src/a.txt", "two\n");
    await kept.commit();
    expect((await fs.read("src/a.txt")).content).toBe("two\n");
  });

  it("can be nested, ends innermost first, and is rolled back when disposed (SN-12)", async () => {
    const fs = await filled(open);
    const before = await manifest(fs);
    {
      await using outer = await fs.begin();
      await fs.write("outer.txt", "1");
      const inner = await fs.begin();
      await fs.write("inner.txt", "2");
      await expect(outer.commit()).rejects.toMatchObject({ code: "TRANSACTION_ENDED" });
      await inner.commit();
      await expect(inner.rollback()).rejects.toMatchObject({ code: "TRANSACTION_ENDED" });
      expect(await fs.exists("inner.txt")).toBe(true);
    }
    expect(await manifest(fs)).toEqual(before);
  });
});

describe.each(backends)("random snapshots and restores on $name", ({ name, open }) => {
  const path = fc.constantFrom("a", "b", "d/a", "d/e/b", "d", "f/.hidden", "ünï", "x y");
  const step = fc.oneof(
    fc.record({ do: fc.constant("write" as const), path, text: fc.string({ maxLength: 5 }) }),
    fc.record({ do: fc.constant("delete" as const), path }),
    fc.record({ do: fc.constant("mkdir" as const), path }),
    fc.record({ do: fc.constant("move" as const), path, to: path }),
    fc.record({ do: fc.constant("snapshot" as const) }),
    fc.record({ do: fc.constant("restore" as const), index: fc.nat(9) }),
  );

  it("always restore exactly the captured state (SN-2)", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
        const fs = await open();
        const kept: { snapshot: FilesystemSnapshot; files: object }[] = [];
        for (const each of steps) {
          if (each.do === "write")
            await fs.write(each.path, each.text.toWellFormed()).catch(() => {});
          if (each.do === "delete") await fs.delete(each.path, { recursive: true }).catch(() => {});
          if (each.do === "mkdir") await fs.mkdir(each.path).catch(() => {});
          if (each.do === "move")
            await fs.move(each.path, each.to, { overwrite: true }).catch(() => {});
          if (each.do === "snapshot")
            kept.push({ snapshot: await fs.snapshot(), files: await manifest(fs) });
          if (each.do !== "restore") continue;
          const chosen = kept[each.index % Math.max(1, kept.length)];
          if (chosen === undefined) continue;
          await fs.restore(chosen.snapshot);
          expect(await manifest(fs)).toEqual(chosen.files);
        }
        for (const { snapshot, files } of kept) {
          await fs.restore(snapshot);
          expect(await manifest(fs)).toEqual(files);
        }
      }),
      { numRuns: name === "host" ? 25 : 300 },
    );
  });
});
