import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { InMemoryFilesystem } from "../../backend/in-memory-filesystem.js";
import { HostFilesystem } from "../open/host-filesystem.js";
import { temporaryName } from "../process/temporary-name.js";
import { putFile, scratch } from "./store-fixture.test.support.js";

/** A workspace with one file. `plant` adds a directory and a file that are named like temporary files. */
async function setUp() {
  const workspace = join(scratch(), "workspace");
  putFile(join(workspace, "own.txt"), "own");
  const fs = await HostFilesystem.open(workspace, { fsync: false });
  const plant = (directory = ".wink-tmp-evil", file = temporaryName()) => {
    putFile(join(workspace, directory, "run.sh"), "payload\n");
    putFile(join(workspace, file), "payload\n");
    symlinkSync("run.sh", join(workspace, directory, temporaryName()));
  };
  return { workspace, fs, plant };
}

describe("a name like that of a temporary file", () => {
  it("is removed by a restore and by a full rollback (SN-2, SN-27, TM-17)", async () => {
    const { workspace, fs, plant } = await setUp();
    await using _ = fs;
    const before = await fs.snapshot();
    plant();
    await fs.restore(before);
    expect(readdirSync(workspace)).toEqual(["own.txt"]);
    const transaction = await fs.begin({ full: true });
    plant();
    await transaction.rollback();
    expect(readdirSync(workspace)).toEqual(["own.txt"]);
  });

  it("is listed, searched, counted and compared like any other name (SN-27, K254)", async () => {
    const { fs, plant } = await setUp();
    await using _ = fs;
    const before = await fs.snapshot();
    const file = temporaryName();
    plant(".wink-tmp-evil", file);
    const names = (await fs.list(".")).map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining([".wink-tmp-evil", file]));
    expect((await fs.glob("**/run.sh")).map(({ path }) => path)).toEqual([".wink-tmp-evil/run.sh"]);
    const matches = await fs.grep("payload");
    expect(matches.map(({ path }) => path)).toEqual(
      expect.arrayContaining([".wink-tmp-evil/run.sh", file]),
    );
    expect((await fs.usage()).totalBytes).toBe(19);
    const changed = (await fs.diff(before)).files.map(({ path }) => path);
    expect(changed).toEqual(expect.arrayContaining([".wink-tmp-evil/run.sh", file]));
    expect((await fs.read(file)).content).toBe("payload\n");
    await fs.delete(".wink-tmp-evil", { recursive: true });
    await fs.move(file, "moved");
    expect((await fs.list(".")).map(({ name }) => name)).toEqual(["moved", "own.txt"]);
  });

  it("is captured, and a restore restores it (SN-2, SN-27)", async () => {
    const { workspace, fs, plant } = await setUp();
    await using _ = fs;
    plant();
    const names = readdirSync(workspace).sort();
    const snapshot = await fs.snapshot();
    for (const name of names) await fs.delete(name, { recursive: true });
    expect(readdirSync(workspace)).toEqual([]);
    await fs.restore(snapshot);
    expect(readdirSync(workspace).sort()).toEqual(names);
    expect(readFileSync(join(workspace, ".wink-tmp-evil/run.sh"), "utf8")).toBe("payload\n");
  });

  it("is restored by the rollback of a transaction that deleted or moved it (SN-12, SN-27)", async () => {
    const { workspace, fs, plant } = await setUp();
    await using _ = fs;
    plant();
    const names = readdirSync(workspace).sort();
    const transaction = await fs.begin();
    await fs.delete(".wink-tmp-evil", { recursive: true });
    const file = names.find((name) => !["own.txt", ".wink-tmp-evil"].includes(name)) ?? "";
    await fs.move(file, "moved");
    await transaction.rollback();
    expect(readdirSync(workspace).sort()).toEqual(names);
  });

  it("cannot hide a file next to one that is being written (SN-27, K254)", async () => {
    const { workspace, fs } = await setUp();
    await using _ = fs;
    mkdirSync(join(workspace, "d"));
    const before = await fs.snapshot();
    const writer = await fs.openWrite("d/f", { mode: "create" });
    await writer.write(new Uint8Array(200_000));
    const [name = ""] = readdirSync(join(workspace, "d"));
    // The temporary file's name in another directory, and another file under the temporary file's own name.
    writeFileSync(join(workspace, name), "payload");
    expect((await fs.list(".")).map((entry) => entry.name)).toContain(name);
    renameSync(join(workspace, "d", name), join(workspace, "d/aside"));
    writeFileSync(join(workspace, "d", name), "payload");
    expect((await fs.list("d")).map((entry) => entry.name)).toEqual([name, "aside"]);
    await fs.restore(before);
    expect(readdirSync(workspace)).toEqual(["d", "own.txt"]);
    expect(readdirSync(join(workspace, "d"))).toEqual([]);
    await writer.abort();
  });

  it("appears in the next snapshot after its process abandons the file (SN-27)", async () => {
    const { workspace, fs } = await setUp();
    await using _ = fs;
    const writer = await fs.openWrite("f", { mode: "create" });
    await writer.write(new Uint8Array(200_000));
    const [name = ""] = readdirSync(workspace).filter((each) => each !== "own.txt");
    const hiding = await fs.snapshot();
    expect((await fs.diff(hiding)).files).toEqual([]);
    await writer.abort();
    writeFileSync(join(workspace, name), "payload");
    expect((await fs.diff(hiding)).files).toMatchObject([{ path: name }]);
  });

  it("in an archive is imported, and its restore completes (SN-7, SN-27)", async () => {
    const source = new InMemoryFilesystem();
    // WINK cannot write this name itself, so a plain name is exported and then changed in the archive.
    await source.write("d/xwink-tmp-archived", "from an archive");
    const archive: Buffer[] = [];
    for await (const piece of source.exportSnapshot(await source.snapshot()))
      archive.push(Buffer.from(piece));
    const { workspace, fs } = await setUp();
    await using _ = fs;
    const imported = await fs.importSnapshot([renamed(Buffer.concat(archive))]);
    await fs.restore(imported);
    expect(readdirSync(join(workspace, "d"))).toEqual([".wink-tmp-archived"]);
    expect((await fs.diff(imported)).files).toEqual([]);
  });
});

/** Replaces the name in the headers of an archive and corrects the checksums. */
function renamed(archive: Buffer): Buffer {
  for (let at = 0; at + 512 <= archive.length; at += 512) {
    const header = archive.subarray(at, at + 512);
    const found = header.subarray(0, 100).indexOf("xwink-tmp-");
    if (found < 0) continue;
    header.write(".", found);
    header.fill(" ", 148, 156);
    const sum = header.reduce((total, byte) => total + byte, 0);
    header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148, "latin1");
  }
  return archive;
}
