import { spawnSync } from "node:child_process";
import { linkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { InMemoryFilesystem } from "../backend/in-memory-filesystem.js";
import { concatBytes } from "../content/bytes.js";
import { shownName } from "../path/host-name.js";
import {
  describeTree,
  readTree,
  scratchDirectory,
  type Tree,
  viewOf,
  writeTree,
} from "../snapshots/tree-fixture.test.support.js";
import { readTar, writeTar } from "./tar.js";
import { encodeHeader, type TarHeader } from "./tar-format.js";
import { encodePax } from "./tar-pax.js";

const LONG = `${"deep/".repeat(30)}${"n".repeat(200)}`;
const TREE: Tree = {
  "plain.txt": "text\n",
  "run.sh": { program: "#!/bin/sh\n" },
  empty: "",
  "exactly-one-block": "x".repeat(512),
  "big.bin": Uint8Array.from({ length: 200_000 }, (_, index) => index % 251),
  "a/link": { link: "../plain.txt" },
  "a/absolute": { link: "/nowhere/at/all" },
  "a/long-link": { link: "t/".repeat(90) },
  "empty-directory/inner": { directory: true },
  "née/ü b.txt": "letters",
  [LONG]: "deep",
  [shownName(Uint8Array.of(0x66, 0xff, 0x0a))]: "bytes",
  [`${shownName(Uint8Array.of(0xfe))}${"y".repeat(120)}`]: "long bytes",
};

const utf8 = (text: string) => new TextEncoder().encode(text);

async function archiveOf(tree: Tree): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  for await (const part of writeTar(viewOf(tree).entries())) parts.push(part);
  return concatBytes(parts);
}

/** The nodes of an archive in the form of `readTree` with directories. */
async function contentsOf(archive: Iterable<Uint8Array>): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for await (const entry of readTar(archive)) {
    const bytes = Buffer.from(await entry.read());
    if (entry.kind === "directory") found[entry.path] = "directory";
    else if (entry.kind === "symlink") found[entry.path] = `link ${bytes}`;
    else found[entry.path] = `${entry.executable ? "program" : "file"} ${bytes.toString("base64")}`;
  }
  return found;
}

/** `run` for a command that must succeed. */
function run(cwd: string, command: string, args: readonly string[]): void {
  const { status, stderr } = spawnSync(command, args, { cwd, encoding: "utf8" });
  if (status !== 0) throw new Error(`${command}: ${stderr}`);
}

function expectedWithDirectories(tree: Tree): Record<string, string> {
  const described = describeTree(tree);
  for (const { path, kind } of viewOf(tree).entries() as Iterable<{ path: string; kind: string }>)
    if (kind === "directory") described[path] = "directory";
  return described;
}

describe("an archive", () => {
  it("unpacks with tar to the same tree", async () => {
    const directory = scratchDirectory();
    const unpacked = scratchDirectory();
    writeFileSync(join(directory, "x.tar"), await archiveOf(TREE));
    run(unpacked, "tar", ["xf", join(directory, "x.tar")]);
    expect(readTree(unpacked, { directories: true })).toEqual(expectedWithDirectories(TREE));
  });

  it.each(["pax", "gnu", "ustar", "oldgnu", "v7"])(
    "is read correctly in tar's format %s",
    async (format) => {
      // The older formats cannot represent the longer names.
      const tree = ["pax", "gnu", "oldgnu"].includes(format)
        ? TREE
        : Object.fromEntries(
            Object.entries(TREE).filter(([path]) => path.length < 90 && path !== "a/long-link"),
          );
      const packed = scratchDirectory();
      const directory = scratchDirectory();
      writeTree(packed, tree);
      run(packed, "tar", ["cf", join(directory, "x.tar"), `--format=${format}`, "."]);
      const archive = spawnSync("cat", [join(directory, "x.tar")], { maxBuffer: 1e9 }).stdout;
      expect(await contentsOf([archive])).toEqual(expectedWithDirectories(tree));
    },
  );

  it("survives a round trip, in chunks of any size, and is the same each time", async () => {
    const archive = await archiveOf(TREE);
    expect(await archiveOf(TREE)).toEqual(archive);
    for (const size of [1_000_000, 511, 7]) {
      const pieces = [];
      for (let at = 0; at < archive.length; at += size)
        pieces.push(archive.subarray(at, at + size));
      expect(await contentsOf(pieces)).toEqual(expectedWithDirectories(TREE));
    }
  });

  it("may omit parent directories and may list one twice", async () => {
    const archive = tarOf([
      file("a/b/c", "x"),
      { name: utf8("a/"), type: "5" },
      { name: utf8("./"), type: "5" },
    ]);
    expect(await contentsOf([archive])).toEqual({
      a: "directory",
      "a/b": "directory",
      "a/b/c": `file ${btoa("x")}`,
    });
  });

  it("may contain the hard links that tar writes for a file with two names", async () => {
    const packed = scratchDirectory();
    writeTree(packed, { one: "same\n" });
    linkSync(join(packed, "one"), join(packed, "two"));
    const { stdout } = spawnSync("tar", ["c", "one", "two"], { cwd: packed });
    expect(await contentsOf([stdout])).toEqual(describeTree({ one: "same\n", two: "same\n" }));
  });
});

type Raw = Partial<TarHeader> & { readonly content?: Uint8Array };

function file(name: string, content: string): Raw {
  return { name: utf8(name), content: utf8(content) };
}

function tarOf(items: readonly Raw[]): Uint8Array {
  const parts = items.flatMap(({ content = new Uint8Array(), ...header }) => [
    encodeHeader({
      name: utf8("x"),
      mode: 0o644,
      modifiedAtSeconds: 0,
      sizeBytes: content.length,
      type: "0",
      linkName: new Uint8Array(),
      ...header,
    }),
    content,
    new Uint8Array((512 - (content.length % 512)) % 512),
  ]);
  return concatBytes([...parts, new Uint8Array(1024)]);
}

function pax(records: Record<string, string>): Raw {
  const content = encodePax(
    new Map(Object.entries(records).map(([key, value]) => [key, utf8(value)])),
  );
  return { name: utf8("PaxHeader"), type: "x", content };
}

const good = file("good.txt", "good");

describe("a hostile archive is refused, and nothing is changed", () => {
  it.each<{ what: string; archive: Uint8Array }>([
    { what: "a name that escapes the archive", archive: tarOf([good, file("../evil", "x")]) },
    {
      what: "a name that escapes it in the middle",
      archive: tarOf([good, file("a/../../evil", "x")]),
    },
    {
      what: "a name with .. that stays inside",
      archive: tarOf([good, file("a/../b", "x")]),
    },
    { what: "an absolute name", archive: tarOf([good, file("/etc/evil", "x")]) },
    {
      what: "an absolute name in a record",
      archive: tarOf([good, pax({ path: "/etc/evil" }), file("x", "")]),
    },
    {
      what: "a name in a record that escapes the archive",
      archive: tarOf([pax({ path: "../../x" }), file("x", "")]),
    },
    { what: "a NUL in a record", archive: tarOf([pax({ path: "a\0b" }), file("x", "")]) },
    {
      what: "a GNU long name that escapes the archive",
      archive: tarOf([{ name: utf8("L"), type: "L", content: utf8("../x\0") }, good]),
    },
    { what: "a path that occurs twice", archive: tarOf([good, file("./good.txt", "evil")]) },
    { what: "a file at the path of a directory", archive: tarOf([file("a/b", ""), file("a", "")]) },
    {
      what: "a path below a link",
      archive: tarOf([
        { name: utf8("l"), type: "2", linkName: utf8("/etc") },
        file("l/passwd", "x"),
      ]),
    },
    { what: "a path below a file", archive: tarOf([file("f", ""), file("f/g", "x")]) },
    {
      what: "a hard link to a file outside",
      archive: tarOf([{ name: utf8("l"), type: "1", linkName: utf8("/etc/passwd") }]),
    },
    {
      what: "a hard link to a missing file",
      archive: tarOf([{ name: utf8("l"), type: "1", linkName: utf8("missing") }]),
    },
    { what: "a link without a target", archive: tarOf([{ name: utf8("l"), type: "2" }]) },
    { what: "a character device", archive: tarOf([good, { name: utf8("d"), type: "3" }]) },
    { what: "a block device", archive: tarOf([{ name: utf8("d"), type: "4" }]) },
    { what: "a FIFO", archive: tarOf([{ name: utf8("d"), type: "6" }]) },
    { what: "a sparse file", archive: tarOf([{ name: utf8("s"), type: "S" }]) },
    {
      what: "a sparse file in pax format",
      archive: tarOf([pax({ "GNU.sparse.major": "1" }), good]),
    },
    {
      what: "a size larger than the archive",
      archive: tarOf([{ name: utf8("x"), sizeBytes: 0o77777777777 }]),
    },
    {
      what: "a size that is too large for a number",
      archive: tarOf([pax({ size: "9".repeat(30) }), good]),
    },
    { what: "a negative size", archive: tarOf([pax({ size: "-1" }), good]) },
    {
      what: "a record with a wrong length",
      archive: tarOf([{ name: utf8("p"), type: "x", content: utf8("99 path=x\n") }, good]),
    },
    {
      what: "an invalid record",
      archive: tarOf([{ name: utf8("p"), type: "x", content: utf8("nonsense") }, good]),
    },
    {
      what: "a record that is too long",
      archive: tarOf([{ name: utf8("p"), type: "x", sizeBytes: 1e9 }]),
    },
    { what: "a bad checksum", archive: damaged(tarOf([good]), 3) },
    { what: "a size that is not a number", archive: damaged(tarOf([good]), 124) },
    { what: "an early end inside a header", archive: tarOf([good]).subarray(0, 300) },
    { what: "an early end inside a file", archive: tarOf([good]).subarray(0, 514) },
    { what: "an early end between files", archive: tarOf([good]).subarray(0, 1024) },
    { what: "empty input", archive: new Uint8Array() },
    { what: "input that is not an archive", archive: utf8("hello ".repeat(200)) },
  ])("$what", async ({ archive }) => {
    const filesystem = new InMemoryFilesystem({ files: { "kept.txt": "kept" } });
    await expect(filesystem.importSnapshot([archive])).rejects.toMatchObject({
      name: "SnapshotError",
      code: "INVALID_ARCHIVE",
    });
    expect(await filesystem.snapshots()).toEqual([]);
    expect([...(await filesystem.list())].map(({ name }) => name)).toEqual(["kept.txt"]);
  });

  it("is refused, or read correctly, if it is cut off or changed at any byte", async () => {
    const archive = tarOf([
      good,
      pax({ path: "née" }),
      file("x", "content"),
      { name: utf8("l"), type: "2", linkName: utf8("good.txt") },
    ]);
    for (let at = 0; at < archive.length; at += 3) {
      for (const broken of [archive.subarray(0, at), damaged(archive, at)]) {
        const outcome = await contentsOf([broken]).catch((error: { code?: string }) => error.code);
        expect(typeof outcome === "object" || outcome === "INVALID_ARCHIVE").toBe(true);
      }
    }
  });
});

function damaged(archive: Uint8Array, at: number): Uint8Array {
  const copy = archive.slice();
  copy[at] = (copy[at] ?? 0) ^ 0x55;
  return copy;
}

it("an archive moves a snapshot from one filesystem to another", async () => {
  const from = new InMemoryFilesystem({ files: { "a/b.txt": "text" } });
  await from.writeBytes("run", utf8("x"), { executable: true });
  await from.mkdir("empty");
  const archive: Uint8Array[] = [];
  for await (const piece of from.exportSnapshot(await from.snapshot())) archive.push(piece);
  const to = new InMemoryFilesystem({ files: { old: "gone" } });
  await to.restore(await to.importSnapshot(archive));
  expect([...(await to.list())].map(({ name }) => name)).toEqual(["a", "empty", "run"]);
  expect((await to.read("a/b.txt")).content).toBe("text");
  expect((await to.stat("run")).mode & 0o111).not.toBe(0);
});
