import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { InMemoryFilesystem, type SnapshotableFilesystem } from "@wink/filesystem";
import { HostFilesystem } from "@wink/filesystem/host";
import { describe, expect, it, onTestFinished } from "vitest";
import { mergeFork } from "./merge-fork.js";
import { changesOf, treeOf } from "./merge-fork.test.support.js";

type Work = (files: SnapshotableFilesystem) => Promise<unknown>;

const START = { "a.txt": "1\n2\n3\n4\n5\n", "b.txt": "b\n", "d/x.txt": "x\n", "d/y.txt": "y\n" };
const bytes = (text: string) => new TextEncoder().encode(text);

async function hostFiles(): Promise<HostFilesystem> {
  const directory = mkdtempSync(join(tmpdir(), "wink-merge-test-"));
  const files = await HostFilesystem.open(directory);
  onTestFinished(async () => {
    await files.close();
    rmSync(directory, { recursive: true });
  });
  return files;
}

async function merged(
  theirWork: Work,
  ourWork: Work = async () => {},
  onConflict: "refuse" | "keep-both" = "refuse",
) {
  const files = new InMemoryFilesystem({ files: START });
  const { changes, theirs } = await changesOf(files, async (fork) => void (await theirWork(fork)));
  await ourWork(files);
  const before = await treeOf(files);
  const report = await mergeFork(changes, files, onConflict);
  return { report, theirs, before, after: await treeOf(files) };
}

describe.each(["memory", "host"])("the changes of one side alone, in %s", (backend) => {
  it("are merged exactly: files, kinds, execute bits and directories (AD-31)", async () => {
    const files = backend === "memory" ? new InMemoryFilesystem() : await hostFiles();
    for (const [path, content] of Object.entries(START)) await files.write(path, content);
    await files.mkdir("gone");
    const { changes, theirs } = await changesOf(files, async (fork) => {
      await fork.write("a.txt", "1\ntwo\n3\n4\n5\n", { executable: true });
      await fork.delete("d", { recursive: true });
      await fork.write("d", "a file now\n");
      await fork.delete("b.txt");
      await fork.write("b.txt/inside.txt", "a directory now\n");
      await fork.mkdir("empty/deep");
      await fork.delete("gone", { recursive: true });
      await fork.writeBytes("new/bytes.bin", Uint8Array.of(0, 255, 1));
    });
    const report = await mergeFork(changes, files, "refuse");
    expect(await treeOf(files)).toEqual(theirs);
    expect(report).toEqual({
      merged: true,
      written: ["a.txt", "b.txt/inside.txt", "d", "empty/deep", "new/bytes.bin"],
      deleted: ["b.txt", "d/x.txt", "d/y.txt"],
      combined: [],
      conflicts: [],
    });
  });
});

it("a merge combines changes of different lines, and applies equal changes once (AD-31)", async () => {
  const { report, after } = await merged(
    async (fork) => {
      await fork.write("a.txt", "one\n2\n3\n4\n5\n");
      await fork.write("b.txt", "same\n");
      await fork.write("new.txt", "same\n");
    },
    async (files) => {
      await files.write("a.txt", "1\n2\n3\n4\nfive\n");
      await files.write("b.txt", "same\n");
      await files.write("new.txt", "same\n");
      await files.write("other.txt", "ours\n");
    },
  );
  expect(report).toMatchObject({ merged: true, written: ["a.txt"], combined: ["a.txt"] });
  expect(after).toMatchObject({
    "a.txt": "one\n2\n3\n4\nfive\n",
    "b.txt": "same\n",
    "other.txt": "ours\n",
  });
});

it("a merge combines a content change of one side with an execute bit of the other (AD-31)", async () => {
  const { after } = await merged(
    (fork) => fork.write("b.txt", "b\n", { executable: true }),
    (files) => files.write("b.txt", "changed\n"),
  );
  expect(after).toMatchObject({ "b.txt*": "changed\n" });
});

it("a merge keeps a deleted directory that got new files (AD-31)", async () => {
  const { report, after } = await merged(
    (fork) => fork.delete("d", { recursive: true }),
    (files) => files.write("d/new.txt", "new\n"),
  );
  expect(report.merged).toBe(true);
  expect(after).toEqual({
    "a.txt": START["a.txt"],
    "b.txt": "b\n",
    "d/": "",
    "d/new.txt": "new\n",
  });
});

const conflicts: readonly [string, Work, Work, object][] = [
  [
    "the same line is changed",
    (fork) => fork.write("b.txt", "theirs\n"),
    (files) => files.write("b.txt", "ours\n"),
    { path: "b.txt", reason: "both-changed", base: "b\n", ours: "ours\n", theirs: "theirs\n" },
  ],
  [
    "binary content is changed",
    (fork) => fork.writeBytes("b.txt", Uint8Array.of(0, 1)),
    (files) => files.write("b.txt", "b\nmore\n"),
    { path: "b.txt", reason: "both-changed", base: "b\n", ours: "b\nmore\n", theirs: "\0\x01" },
  ],
  [
    "two files with the same name are added",
    (fork) => fork.write("n.txt", "theirs"),
    (files) => files.write("n.txt", "ours"),
    { path: "n.txt", reason: "both-added", ours: "ours", theirs: "theirs" },
  ],
  [
    "a changed file is deleted by the subagent",
    (fork) => fork.delete("b.txt"),
    (files) => files.write("b.txt", "ours"),
    { path: "b.txt", reason: "deleted-by-subagent", base: "b\n", ours: "ours" },
  ],
  [
    "a deleted file is changed by the subagent",
    (fork) => fork.write("b.txt", "theirs"),
    (files) => files.delete("b.txt"),
    { path: "b.txt", reason: "deleted-in-workspace", base: "b\n", theirs: "theirs" },
  ],
  [
    "a file was moved away and changed",
    (fork) => fork.move("a.txt", "moved.txt"),
    (files) => files.write("a.txt", "ours"),
    { path: "a.txt", reason: "deleted-by-subagent", base: START["a.txt"], ours: "ours" },
  ],
  [
    "a file is where the subagent has a directory",
    (fork) => fork.write("n/in.txt", "theirs"),
    (files) => files.write("n", "ours"),
    { path: "n/in.txt", reason: "kind", theirs: "theirs" },
  ],
  [
    "a directory is where the subagent has a file",
    (fork) => fork.write("n", "theirs"),
    (files) => files.write("n/in.txt", "ours"),
    { path: "n", reason: "kind", theirs: "theirs" },
  ],
  [
    "a directory that the subagent replaced by a file has a new file",
    async (fork) => {
      await fork.delete("d", { recursive: true });
      await fork.write("d", "theirs");
    },
    (files) => files.write("d/new.txt", "ours"),
    { path: "d", reason: "kind", theirs: "theirs" },
  ],
  [
    "a file is where the subagent made an empty directory",
    (fork) => fork.mkdir("n"),
    (files) => files.write("n", "ours"),
    { path: "n", reason: "kind" },
  ],
];

describe.each(conflicts)("when %s", (_, theirWork, ourWork, expected) => {
  it("refuses the whole merge, and reports both sides (AD-32)", async () => {
    const also: Work = async (fork) => {
      await theirWork(fork);
      await fork.write("unrelated.txt", "u");
    };
    const { report, before, after } = await merged(also, ourWork);
    expect(after).toEqual(before);
    const none = { base: undefined, ours: undefined, theirs: undefined, keptAt: undefined };
    const [conflict] = report.conflicts;
    const text = (side: Uint8Array | undefined) => side && Buffer.from(side).toString("latin1");
    const { base, ours, theirs } = conflict ?? none;
    const shown = { ...conflict, base: text(base), ours: text(ours), theirs: text(theirs) };
    expect(shown).toEqual({ ...none, ...expected });
    expect(report).toMatchObject({ merged: false, written: [], deleted: [], combined: [] });
    expect(report.conflicts.length).toBe(1);
  });

  it("merges the rest and keeps both sides with keep-both (AD-32)", async () => {
    const also: Work = async (fork) => {
      await theirWork(fork);
      await fork.write("unrelated.txt", "u");
    };
    const { report, before, after } = await merged(also, ourWork, "keep-both");
    expect(report.merged).toBe(true);
    expect(after).toMatchObject({ "unrelated.txt": "u" });
    const [conflict] = report.conflicts;
    const ours = conflict?.ours;
    if (conflict && ours) expect(after[conflict.path]).toBe(before[conflict.path]);
    if (!conflict?.theirs) return;
    expect(after[String(conflict.keptAt)]).toBe(Buffer.from(conflict.theirs).toString("latin1"));
    expect(report.written).toContain(conflict.keptAt);
  });
});

it("keep-both uses the next free name if `.subagent` is taken (AD-32)", async () => {
  const { report } = await merged(
    (fork) => fork.write("b.txt", "theirs"),
    async (files) => {
      await files.write("b.txt", "ours");
      await files.write("b.txt.subagent", "of an earlier one");
    },
    "keep-both",
  );
  expect(report.conflicts[0]?.keptAt).toBe("b.txt.subagent-2");
});

it("a symbolic link is merged as a link, and a link that both sides changed is a conflict (AD-32)", async () => {
  const files = await hostFiles();
  await files.write("a.txt", "a");
  for (const name of ["gone", "same", "both"]) await files.symlink("a.txt", name);
  const { changes } = await changesOf(files, async (fork, directory) => {
    symlinkSync("a.txt", join(directory, "link"));
    await fork.delete("gone");
    await fork.delete("both");
    await fork.symlink("b.txt", "both");
  });
  expect(await mergeFork(changes, files, "refuse")).toMatchObject({
    merged: true,
    written: ["both", "link"],
    deleted: ["gone"],
  });
  expect([await files.readlink("link"), await files.readlink("both")]).toEqual(["a.txt", "b.txt"]);
  expect(await files.readlink("same")).toBe("a.txt");

  await files.delete("both");
  await files.symlink("c.txt", "both");
  const again = await mergeFork(changes, files, "refuse");
  expect(again.conflicts).toMatchObject([{ path: "both", reason: "both-changed" }]);
});

it("a merge is rolled back if a write fails half-way (AD-31)", async () => {
  const start = { "a.txt": "a".repeat(100), "b.txt": "b" };
  const files = new InMemoryFilesystem({ files: start, quotas: { maxTotalBytes: 150 } });
  const large = new InMemoryFilesystem({ files: start });
  const { changes } = await changesOf(large, async (fork) => {
    await fork.delete("b.txt");
    await fork.write("c.txt", "c");
    await fork.write("d.txt", "d".repeat(100));
  });
  await expect(mergeFork(changes, files, "refuse")).rejects.toMatchObject({ code: "EDQUOT" });
  expect(await treeOf(files)).toEqual(start);
});

it("a merge handles files larger than one read and one write (AD-31)", async () => {
  const limits = { maxReadBytes: 1_000, maxWriteBytes: 1_000 };
  const files = new InMemoryFilesystem({ limits });
  const big = bytes("0123456789".repeat(1_000));
  const { changes } = await changesOf(files, async (fork) => {
    const writer = await fork.openWrite("big.bin");
    for (let at = 0; at < big.length; at += 1_000) await writer.write(big.subarray(at, at + 1_000));
    await writer.close();
  });
  await mergeFork(changes, files, "refuse");
  expect((await files.stat("big.bin")).sizeBytes).toBe(10_000);
});
