import { InMemoryFilesystem } from "@wink/filesystem";
import { HostFilesystem } from "@wink/filesystem/host";
import { describe, expect, it } from "vitest";
import { scratchDirectory } from "../mount/tree-fixture.test.support.js";
import {
  changedFiles,
  fingerprints,
  git,
  KINDS,
  makeRepository,
} from "./repositories.test.support.js";
import { withRepositorySnapshots } from "./repository-snapshots.js";

const FILES = { "a.txt": "one\n", "src/b.txt": "b\n", "src/.gitmodules": "[submodule]\n" };

describe("withRepositorySnapshots", () => {
  it.each(Object.keys(KINDS))(
    "changes only its reference and new objects: %s (D135, SN-19, SN-35)",
    async (kind) => {
      const { directory, place, gitDirectory } = makeRepository(kind);
      const files = await withRepositorySnapshots(
        new InMemoryFilesystem({ files: FILES }),
        directory,
      );
      const before = fingerprints(place);
      const ref = "refs/sandbox/snapshots/s1";

      const snapshot = await files.snapshot({ name: "s1", tag: "before refactor" });
      expect(changedFiles(before, fingerprints(place), [ref])).toEqual([]);
      expect(git(directory, "rev-parse", ref)).toBe(snapshot.commitRef);
      expect(git(directory, "log", "-1", "--format=%s|%P", ref)).toBe("before refactor|");
      expect(git(directory, "branch", "--list", "s1") + git(directory, "tag")).toBe("");
      git(
        gitDirectory,
        "fsck",
        "--strict",
        "--no-dangling",
        ...(kind === "partial clone" ? ["--connectivity-only"] : []),
      );

      await files.write("a.txt", "two\n");
      await files.delete("src/b.txt");
      await files.write("new.txt", "new\n");
      const { files: changed } = await files.diff(snapshot);
      expect(changed.map(({ type, path }) => `${type} ${path}`)).toEqual([
        "modified a.txt",
        "added new.txt",
        "deleted src/b.txt",
      ]);
      await files.restore(snapshot);
      expect(await contentsOf(files)).toEqual(FILES);

      await files.deleteSnapshot(snapshot);
      expect(await files.snapshots()).toEqual([]);
      expect(changedFiles(before, fingerprints(place), [ref])).toEqual([]);
      git(
        gitDirectory,
        "fsck",
        "--strict",
        "--no-dangling",
        ...(kind === "partial clone" ? ["--connectivity-only"] : []),
      );
    },
  );

  it("lists the newest first, and moves a name that is used again (SN-35)", async () => {
    const { directory } = makeRepository("plain");
    const files = await withRepositorySnapshots(
      new InMemoryFilesystem({ files: FILES }),
      directory,
    );
    await files.snapshot({ name: "a" });
    const b = await files.snapshot({ name: "b", tag: "line\n\nWink-Created: forged" });
    expect((await files.snapshots()).map(({ name, tag }) => [name, tag])).toEqual([
      ["b", "line\n\nWink-Created: forged"],
      ["a", undefined],
    ]);
    await files.write("a.txt", "changed\n");
    const a = await files.snapshot({ name: "a" });
    expect((await files.snapshots()).map(({ commitRef }) => commitRef)).toEqual([
      a.commitRef,
      b.commitRef,
    ]);
  });

  it("restores links, programs and bytes on a host directory exactly (SN-35)", async () => {
    const { directory } = makeRepository("plain");
    await using host = await HostFilesystem.open(scratchDirectory());
    await host.write("run.sh", "#!/bin/sh\n", { executable: true });
    await host.writeBytes("bytes", Uint8Array.from([0, 255, 10, 13, 0]));
    const files = await withRepositorySnapshots(host, directory);
    const snapshot = await files.snapshot({ name: "s" });
    await files.write("run.sh", "x");
    await files.delete("bytes");
    await files.restore(snapshot);
    expect((await files.readBytes("bytes")).content).toEqual(Uint8Array.from([0, 255, 10, 13, 0]));
    expect((await files.stat("run.sh")).mode & 0o111).not.toBe(0);
    expect((await files.diff(snapshot)).isEmpty).toBe(true);
  });

  it.each(["", ".secret", "a/b", "-x", "a b", "a..b", "a.lock"])(
    "refuses the name %j (SN-35)",
    async (name) => {
      const { directory } = makeRepository("plain");
      const files = await withRepositorySnapshots(new InMemoryFilesystem(), directory);
      await expect(files.snapshot({ name })).rejects.toMatchObject({ code: "INVALID_NAME" });
    },
  );

  it("reports an unknown snapshot and changes nothing (SN-35)", async () => {
    const { directory } = makeRepository("plain");
    const files = await withRepositorySnapshots(
      new InMemoryFilesystem({ files: FILES }),
      directory,
    );
    const snapshot = await files.snapshot({ name: "s" });
    await files.deleteSnapshot(snapshot);
    const calls = [
      () => files.restore(snapshot),
      () => files.diff(snapshot),
      () => files.deleteSnapshot(snapshot),
    ];
    for (const call of calls)
      await expect(call()).rejects.toMatchObject({ code: "UNKNOWN_SNAPSHOT" });
    expect(await contentsOf(files)).toEqual(FILES);
  });
});

async function contentsOf(files: Awaited<ReturnType<typeof withRepositorySnapshots>>) {
  const found: Record<string, string> = {};
  for (const { path } of await files.glob("**"))
    if (!(await files.stat(path)).isDirectory) found[path] = (await files.read(path)).content;
  return found;
}
