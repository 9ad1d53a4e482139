import { execFileSync } from "node:child_process";
import {
  chmodSync,
  closeSync,
  constants,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { createFilesystem } from "../../backend/create-filesystem.js";
import {
  at,
  bytes,
  hostFixture,
  openDescriptors,
  QUICK_PLACE,
  textOf,
  walked,
} from "./host-fixture.test.setup.js";

/** Makes a tree deeper than the maximum path length. Each level is created through the open directory above it. */
function makeDeep(root: string, levels: number, inEach: (prefix: string) => void = () => {}): void {
  let fd = openSync(root, constants.O_RDONLY);
  for (let level = 0; level < levels; level++) {
    const prefix = `/proc/self/fd/${fd}/`;
    inEach(prefix);
    mkdirSync(`${prefix}level`);
    const next = openSync(`${prefix}level`, constants.O_RDONLY);
    closeSync(fd);
    fd = next;
  }
  writeFileSync(`/proc/self/fd/${fd}/bottom.txt`, "found");
  closeSync(fd);
}

describe("walking", () => {
  it("returns files in the byte order of their paths, and each directory before its content (C92)", async () => {
    const { driver, root } = await hostFixture();
    const files = [
      "a.txt",
      "a/b.txt",
      "a/c/d.txt",
      "a-z",
      "B",
      "ä/ö",
      "\u{1f600}",
      "\uff5e",
      "a/b/e",
    ];
    for (const file of files) {
      mkdirSync(join(root, file, ".."), { recursive: true });
      writeFileSync(join(root, file), "");
    }
    const met = walked(driver);
    const byBytes = [...files].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    expect(met.filter((path) => !path.endsWith("/"))).toEqual(byBytes);
    for (const path of met.filter((one) => one.endsWith("/")))
      for (const below of met.filter((one) => one !== path && one.startsWith(path)))
        expect(met.indexOf(below)).toBeGreaterThan(met.indexOf(path));
  });

  it("does not enter a directory that `enter` rejects", async () => {
    const { driver, root } = await hostFixture();
    for (const path of ["in/x", "out/x"]) mkdirSync(join(root, path), { recursive: true });
    const paths = [...driver.accelerate.walk(at(""), (path) => path !== "out")].map(
      ({ path }) => path,
    );
    expect(paths).toEqual(["in", "in/x", "out"]);
  });

  it("returns entries that can be read during the walk and after it", async () => {
    const { driver } = await hostFixture();
    driver.mkdir(at("d"));
    for (const name of ["d/one", "two"]) driver.write(at(name), bytes(name), "create");
    const during: unknown[] = [];
    const entries = [];
    for (const entry of driver.accelerate.walk(at(""), () => true)) {
      during.push([entry.path, textOf(entry.load(100)), entry.stat()?.kind, entry.revision()]);
      entries.push(entry);
    }
    const after = entries.map((entry) => [
      ...[entry.path, textOf(entry.load(100)), entry.stat()?.kind, entry.revision()],
    ]);
    expect(after).toEqual(during);
    expect(during).toEqual([
      ["d", undefined, "directory", undefined],
      ["d/one", "d/one", "file", driver.accelerate.revision(at("d/one"))],
      ["two", "two", "file", driver.accelerate.revision(at("two"))],
    ]);
    expect(Buffer.from(entries[1]?.peek(100) ?? []).toString()).toBe("d/one");
    expect([entries[1]?.peek(4), entries[1]?.load(4)]).toEqual([undefined, undefined]);
  });

  it("peeks at a file larger than any before it", async () => {
    const { driver } = await hostFixture();
    driver.write(at("a"), bytes("small"), "create");
    driver.write(at("b"), new Uint8Array(300_000).fill(7), "create");
    const sizes = [...driver.accelerate.walk(at(""), () => true)].map(
      (entry) => entry.peek(1e6)?.length,
    );
    expect(sizes).toEqual([5, 300_000]);
  });

  it("closes its descriptors when the loop ends early", async () => {
    const { driver, root } = await hostFixture();
    mkdirSync(join(root, "a/b/c/d"), { recursive: true });
    const before = openDescriptors();
    for (const { path } of driver.accelerate.walk(at(""), () => true))
      if (path === "a/b/c/d") break;
    expect(openDescriptors()).toBe(before);
  });

  it("fails for a path that is not a directory", async () => {
    const { driver } = await hostFixture();
    driver.write(at("f"), bytes(""), "create");
    expect(() => walked(driver, "f")).toThrow(/ENOTDIR/);
    expect(() => walked(driver, "none")).toThrow(/ENOENT/);
  });

  it("continues when an entry was deleted, moved or became a link (C89)", async () => {
    const { driver, root, outside, expectOutsideUntouched } = await hostFixture();
    for (const path of ["a/x", "b/x", "c/x", "d/x"])
      mkdirSync(join(root, path), { recursive: true });
    const met: string[] = [];
    for (const { path } of driver.accelerate.walk(at(""), () => true)) {
      met.push(path);
      if (path === "a") rmSync(join(root, "a"), { recursive: true });
      if (path === "b") {
        rmSync(join(root, "b"), { recursive: true });
        symlinkSync(outside, join(root, "b"));
      }
      if (path === "c/x") renameSync(join(root, "c"), join(root, "z"));
      if (path === "d") {
        rmSync(join(root, "d"), { recursive: true });
        writeFileSync(join(root, "d"), "a file now");
      }
    }
    expect(met).toEqual(["a", "b", "c", "c/x", "d"]);
    expectOutsideUntouched();
  });

  it("passes on an error of its caller, and closes its descriptors", async () => {
    const { driver } = await hostFixture();
    driver.mkdir(at("d"));
    const before = openDescriptors();
    const reason = new Error("enough");
    const refuse = () => {
      throw reason;
    };
    expect(() => [...driver.accelerate.walk(at(""), refuse)]).toThrow(reason);
    expect(openDescriptors()).toBe(before);
  });

  it("lists and walks 100,000 entries of one directory (B71, C88)", async () => {
    const { driver, root } = await hostFixture({}, QUICK_PLACE);
    for (let index = 0; index < 100_000; index++) closeSync(openSync(join(root, `f${index}`), "w"));
    expect(driver.list(at(""))).toHaveLength(100_000);
    let count = 0;
    for (const { kind } of driver.accelerate.walk(at(""), () => true)) if (kind === "file") count++;
    expect(count).toBe(100_000);
    driver.mkdir(at("sub"));
    await driver.accelerate.removeTree(at("sub"));
    expect(await driver.accelerate.usage()).toMatchObject({
      fileCount: 100_000,
      directoryCount: 0,
    });
  });
});

describe("a tree of 1,500 levels", () => {
  it("is walked, measured and removed with few descriptors open (C88, K255, H212)", async () => {
    const { driver, root } = await hostFixture({}, QUICK_PLACE);
    // A sibling at every level makes the walk reopen all directories it had to close.
    makeDeep(root, 1_500, (prefix) => mkdirSync(`${prefix}sibling`));
    const before = openDescriptors();
    let most = 0;
    let levels = 0;
    let found: string | undefined;
    for (const entry of driver.accelerate.walk(at(""), () => true)) {
      if (entry.path.endsWith("/level")) levels++;
      if (entry.path.endsWith("/bottom.txt")) found = textOf(entry.load(100));
      if (levels % 100 === 0) most = Math.max(most, openDescriptors() - before);
    }
    expect([levels, found]).toEqual([1_499, "found"]);
    expect(most).toBeLessThanOrEqual(70);
    expect(await driver.accelerate.usage()).toMatchObject({ fileCount: 1, directoryCount: 3_000 });
    await driver.accelerate.removeTree(at("level"));
    await driver.remove(at("sibling"));
    expect(readdirSync(root)).toEqual([]);
    expect(openDescriptors()).toBe(before);
  });

  it("contains a file that can be read and written by its path (C88)", async () => {
    const { driver, root } = await hostFixture({}, QUICK_PLACE);
    makeDeep(root, 1_500);
    const path = at(`${"level/".repeat(1_500)}bottom.txt`);
    expect(path.length).toBeGreaterThan(4_096);
    driver.write(path, bytes(" again"), "append");
    expect(textOf(driver.accelerate.load(path, 100))).toBe("found again");
  });
});

describe("permissions", () => {
  /** Continues as the user "nobody", because root may do everything. */
  function asNobody(): void {
    if (process.geteuid?.() !== 0) return;
    process.seteuid?.(65_534);
    onTestFinished(() => void process.seteuid?.(0));
  }

  async function setup() {
    const fixture = await hostFixture();
    mkdirSync(join(fixture.root, "tree/locked/inner"), { recursive: true });
    writeFileSync(join(fixture.root, "tree/locked/file"), "x");
    writeFileSync(join(fixture.root, "tree/file"), "x");
    execFileSync("chown", ["-R", "65534", fixture.root]);
    return fixture;
  }

  it.each([0o555, 0o000, 0o311])(
    "a tree with a directory of mode %o that this user owns is removed (A38, H212)",
    async (mode) => {
      const { driver, root } = await setup();
      chmodSync(join(root, "tree/locked"), mode);
      asNobody();
      await driver.accelerate.removeTree(at("tree"));
      expect(driver.list(at(""))).toEqual([]);
    },
  );

  it("an unreadable directory is reported, and the walk continues (C90)", async () => {
    const { driver, root } = await setup();
    chmodSync(join(root, "tree/locked"), 0o000);
    asNobody();
    const unreadable: string[] = [];
    const walk = driver.accelerate.walk(at(""), () => true, {
      onClosed: (path) => unreadable.push(path),
    });
    expect([...walk].map(({ path }) => path)).toEqual(["tree", "tree/file", "tree/locked"]);
    expect(unreadable).toEqual(["tree/locked"]);
  });

  it("a search reports the directory that it could not read (C90, FS-48)", async () => {
    const { driver, root } = await setup();
    chmodSync(join(root, "tree/locked"), 0o000);
    asNobody();
    const found = await createFilesystem(driver).grep("x");
    expect(found.map(({ path }) => path)).toEqual(["tree/file"]);
    expect(found.skipped).toEqual([{ path: "tree/locked", reason: "unreadable" }]);
    expect(found.skippedCount).toBe(1);
  });

  it("an unreadable file is refused without details of the host (C90)", async () => {
    const { driver, root } = await setup();
    chmodSync(join(root, "tree/file"), 0o000);
    asNobody();
    expect(() => driver.accelerate.load(at("tree/file"), 100)).toThrow(
      "EACCES: read 'tree/file': the operating system denied access. Check the owner and the permissions of the file and of its directory.",
    );
    const entries = [...driver.accelerate.walk(at("tree"), () => true)];
    const file = entries.find(({ path }) => path === "tree/file");
    expect([file?.load(100), file?.peek(100)]).toEqual([undefined, undefined]);
  });
});
