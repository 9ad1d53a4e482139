import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { createFilesystem } from "../backend/create-filesystem.js";
import type { DriverFilesystem } from "../backend/driver-filesystem.js";
import { InMemoryFilesystem } from "../backend/in-memory-filesystem.js";
import { HostFilesystem } from "../host/open/host-filesystem.js";
import { linkDriver, slowDriver } from "../testing/map-driver.test.support.js";

const BACKENDS: Readonly<Record<string, () => Promise<DriverFilesystem>>> = {
  memory: async () => new InMemoryFilesystem(),
  "a driver of six methods": async () => createFilesystem(slowDriver(linkDriver())),
  async "a host directory"() {
    const directory = mkdtempSync(join(tmpdir(), "wink-exact-"));
    const fs = await HostFilesystem.open(directory, { fsync: false });
    onTestFinished(async () => {
      await fs.close();
      rmSync(directory, { recursive: true });
    });
    return fs;
  },
};

const FILES: readonly (readonly [path: string, content: string, mode: number])[] = [
  ["private.key", "0600", 0o600],
  ["bin/run.sh", "#!/bin/sh\n", 0o755],
  ["docs/read only.md", "0444", 0o444],
  ["docs/-n", "a name like an option", 0o644],
  ["docs/ é😀 ", "spaces and letters", 0o640],
  ["deep/a/b/c/d/empty", "", 0o400],
  // The bytes E4 and E9, which are not UTF-8, and a line break.
  ["l\u{10ffe4}tin/caf\u{10ffe9}", "Latin-1", 0o644],
  ["l\u{10ffe4}tin/two\u{10ff0a}lines", "a line break", 0o600],
];

const DIRECTORIES = [
  "empty",
  "l\u{10ffe4}tin",
  "deep/a/b/c/d",
  "deep/a/b/c",
  "deep/a/b",
  "deep/a",
  "deep",
  "docs",
  "bin",
];

const LINKS: readonly (readonly [path: string, target: string])[] = [
  ["to-file", "docs/read only.md"],
  ["docs/up", "../bin/run.sh"],
  ["deep/a/loop", "loop"],
  ["dangling", "nowhere/é"],
  ["away", "/etc/passwd"],
  ["l\u{10ffe4}tin/n\u{10fff6}tig", "caf\u{10ffe9}"],
];

/** Everything that a caller can see of a tree, except times of creation. */
async function stateOf(fs: DriverFilesystem, path = "."): Promise<readonly unknown[]> {
  const found: unknown[] = [];
  for (const { kind, mode, modifiedAt, path: child } of await fs.list(path, { details: true })) {
    const content =
      kind === "symlink"
        ? await fs.readlink(child)
        : kind === "file"
          ? (await fs.read(child)).content
          : await stateOf(fs, child);
    found.push([child, kind, kind === "symlink" ? undefined : mode, modifiedAt, content]);
  }
  return found;
}

async function plant(fs: DriverFilesystem): Promise<void> {
  for (const [path, content, mode] of FILES) {
    await fs.write(path, content);
    await fs.chmod(path, mode);
  }
  for (const [path, target] of LINKS) await fs.symlink(target, path);
  await fs.mkdir("empty");
  await fs.chmod("empty", 0o700);
  let time = Date.parse("2003-04-05T06:07:08.009Z");
  for (const [path] of FILES) {
    time += 86_400_001;
    await fs.utimes(path, new Date(time));
  }
  for (const path of DIRECTORIES) {
    time += 86_400_001;
    await fs.utimes(path, new Date(time));
  }
}

async function damage(fs: DriverFilesystem): Promise<void> {
  await fs.write("private.key", "leaked");
  await fs.chmod("bin/run.sh", 0o644);
  await fs.utimes("docs/-n", new Date(0));
  await fs.delete("docs/read only.md");
  await fs.delete("deep", { recursive: true });
  await fs.delete("empty", { recursive: true });
  await fs.write("deep", "a file now");
  await fs.delete("to-file");
  await fs.write("to-file", "not a link");
  await fs.delete("dangling");
  await fs.symlink("elsewhere", "dangling");
  await fs.write("new/file", "");
  await fs.write("bin/new", "");
  await fs.move("l\u{10ffe4}tin/caf\u{10ffe9}", "docs/caf\u{10ffe9}");
}

describe.each(Object.entries(BACKENDS))(
  "a tree with links, modes, times and odd names, on %s,",
  (_, open) => {
    it("survives a snapshot, damage and a restore exactly (SN-48, FS-107, FS-108)", async () => {
      const fs = await open();
      await plant(fs);
      const before = await stateOf(fs);
      const snapshot = await fs.snapshot();
      await damage(fs);
      expect(await stateOf(fs)).not.toEqual(before);
      await fs.restore(snapshot);
      expect(await stateOf(fs)).toEqual(before);
      expect((await fs.diff(snapshot)).isEmpty).toBe(true);
      await fs.chmod("private.key", 0o644);
      expect((await fs.diff(snapshot)).files).toMatchObject([
        { type: "mode", path: "private.key" },
      ]);
    });

    it("survives a copy exactly (FS-34, FS-107, FS-108)", async () => {
      const fs = await open();
      await plant(fs);
      const names = (await fs.list()).map(({ name }) => name);
      await fs.mkdir("copy");
      for (const name of names) await fs.copy(name, `copy/${name}`);
      const copied = JSON.stringify(await stateOf(fs, "copy")).replaceAll('"copy/', '"');
      await fs.delete("copy", { recursive: true });
      expect(JSON.parse(copied)).toEqual(JSON.parse(JSON.stringify(await stateOf(fs))));
    });

    it("survives a fork and a rolled-back transaction exactly (SN-48)", async () => {
      const fs = await open();
      await plant(fs);
      const before = await stateOf(fs);
      const fork = await fs.fork();
      expect(await stateOf(fork)).toEqual(before);
      await fork.close();
      const snapshot = await fs.snapshot();
      const transaction = await fs.begin({ full: true });
      await damage(fs);
      await transaction.rollback();
      expect(await stateOf(fs)).toEqual(before);
      const short = await fs.begin();
      await damage(fs);
      await fs.chmod("docs", 0o700);
      await short.rollback();
      expect(await stateOf(fs)).toEqual(before);
      expect((await fs.diff(snapshot)).isEmpty).toBe(true);
    });

    it("survives an export to tar and an import exactly (SN-48)", async () => {
      const fs = await open();
      await plant(fs);
      const before = await stateOf(fs);
      const archive: Uint8Array[] = [];
      for await (const chunk of fs.exportSnapshot(await fs.snapshot())) archive.push(chunk);
      const other = await open();
      await other.restore(await other.importSnapshot(archive));
      expect(await stateOf(other)).toEqual(before);
    });
  },
);
