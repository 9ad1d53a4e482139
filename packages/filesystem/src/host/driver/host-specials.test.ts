import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  at,
  bytes,
  hostFixture,
  openDescriptors,
  skipWithReason,
  textOf,
  walked,
} from "./host-fixture.test.setup.js";

describe("special files", () => {
  /** Returns why the node could not be created, or `undefined`. */
  type Make = (path: string) => Promise<string | undefined> | string | undefined;
  const KINDS: readonly { what: string; make: Make }[] = [
    { what: "FIFO", make: (path) => void execFileSync("mkfifo", [path]) },
    { what: "socket", make: listenOn },
    { what: "character device", make: (path) => makeNode(path, "c", "1", "5") },
    { what: "block device", make: (path) => makeNode(path, "b", "7", "0") },
  ];

  it.for(KINDS)(
    "a $what is never opened, but can be listed and removed (A44)",
    async ({ make }, { skip }) => {
      const { driver, root } = await hostFixture();
      const unmade = await make(join(root, "special"));
      if (unmade !== undefined) skipWithReason(skip, unmade);
      const refusal = /EACCES: .* it is not a regular file/;
      expect(driver.stat(at("special"))).toMatchObject({ kind: "special" });
      expect(driver.accelerate.load(at("special"), 1_000)).toBeUndefined();
      expect(() => driver.read(at("special"), 0, 10)).toThrow(refusal);
      expect(() => driver.accelerate.revision(at("special"))).toThrow(refusal);
      expect(() => driver.accelerate.openRead(at("special"))).toThrow(refusal);
      expect(() => driver.write(at("special"), bytes("x"), "overwrite")).toThrow(refusal);
      expect(() => driver.write(at("special"), bytes("x"), "append")).toThrow(refusal);
      await expect(driver.accelerate.openWrite(at("special"), "append")).rejects.toThrow(refusal);
      await expect(driver.accelerate.clone(at("special"), at("copy"))).rejects.toThrow(refusal);
      expect(driver.list(at(""))).toEqual([{ name: "special", kind: "special" }]);
      const [entry] = driver.accelerate.walk(at(""), () => true);
      expect([entry?.load(10), entry?.peek(10)]).toEqual([undefined, undefined]);
      await driver.remove(at("special"));
      expect(walked(driver)).toEqual([]);
    },
  );

  it("a file that becomes a FIFO between list and load does not block (A44, TM-4)", async () => {
    const { driver, root } = await hostFixture();
    writeFileSync(join(root, "file"), "x");
    const walk = driver.accelerate.walk(at(""), () => true);
    const { value: entry } = walk.next();
    rmSync(join(root, "file"));
    execFileSync("mkfifo", [join(root, "file")]);
    expect([entry?.load(10), entry?.peek(10)]).toEqual([undefined, undefined]);
  });

  function listenOn(path: string): Promise<undefined> {
    const server = createServer();
    onTestFinished(() => void server.close());
    return new Promise((resolve, reject) => {
      server.once("error", reject);
      server.listen(path, () => resolve(undefined));
    });
  }

  function makeNode(path: string, ...node: string[]): string | undefined {
    try {
      execFileSync("mknod", [path, ...node], { stdio: "ignore" });
      return undefined;
    } catch {
      return "making a device node takes privileges that this process does not have";
    }
  }
});

describe("hard links", () => {
  async function setup() {
    const fixture = await hostFixture();
    writeFileSync(join(fixture.root, "a.txt"), "shared");
    linkSync(join(fixture.root, "a.txt"), join(fixture.root, "b.txt"));
    linkSync(join(fixture.outside, "secret.txt"), join(fixture.root, "hard.txt"));
    return fixture;
  }

  it.each(["overwrite", "append"] as const)(
    "%s through one name does not change the other (A42, A43)",
    async (mode) => {
      const { driver, root, expectOutsideUntouched } = await setup();
      driver.write(at("a.txt"), bytes("changed"), mode);
      driver.write(at("hard.txt"), bytes("changed"), mode);
      expect(readFileSync(join(root, "b.txt"), "utf8")).toBe("shared");
      expectOutsideUntouched();
    },
  );

  it("a stream into one name does not change the other (A42, A43)", async () => {
    const { driver, root, expectOutsideUntouched } = await setup();
    for (const path of ["a.txt", "hard.txt"]) {
      const writer = await driver.accelerate.openWrite(at(path), "append");
      writer.write(bytes("changed"));
      await writer.commit();
    }
    expect(readFileSync(join(root, "b.txt"), "utf8")).toBe("shared");
    expectOutsideUntouched();
  });
});

it("a stream appends to the content that the file has when it is committed (A37)", async () => {
  const { driver } = await hostFixture();
  driver.write(at("f"), bytes("1"), "create");
  const writer = await driver.accelerate.openWrite(at("f"), "append");
  writer.write(bytes("3"));
  driver.write(at("f"), bytes("2"), "append");
  await writer.commit();
  expect(textOf(driver.accelerate.load(at("f"), 100))).toBe("123");
  expect(walked(driver)).toEqual(["f"]);
});

describe("files that are large or change", () => {
  it("a sparse file of 3 GiB is refused by its size, before memory is allocated (B61)", async () => {
    const { driver, root } = await hostFixture();
    writeFileSync(join(root, "sparse"), "");
    truncateSync(join(root, "sparse"), 3 * 1024 ** 3);
    const before = process.memoryUsage().arrayBuffers;
    expect(driver.accelerate.load(at("sparse"), 256 * 1024 ** 2)).toBeUndefined();
    const [entry] = driver.accelerate.walk(at(""), () => true);
    expect([entry?.load(1_000_000), entry?.peek(1_000_000)]).toEqual([undefined, undefined]);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(16 * 1024 ** 2);
    expect(driver.read(at("sparse"), 3 * 1024 ** 3 - 2, 100)).toEqual(new Uint8Array(2));
    expect(driver.accelerate.revision(at("sparse"))).toMatch(/^[0-9a-z-]+$/);
    expect(driver.stat(at("sparse"))).toMatchObject({ sizeBytes: 3 * 1024 ** 3 });
  });

  it("a file over 32 MiB gets another revision when it is written to (B61)", async () => {
    const { driver, root } = await hostFixture();
    writeFileSync(join(root, "large"), "");
    truncateSync(join(root, "large"), 33 * 1024 ** 2);
    const before = driver.accelerate.revision(at("large"));
    expect(driver.accelerate.revision(at("large"))).toBe(before);
    expect((await driver.accelerate.load(at("large"), 1e9))?.revision).toBe(before);
    appendFileSync(join(root, "large"), "x");
    expect(driver.accelerate.revision(at("large"))).not.toBe(before);
  });

  it("a reader of a file that is truncated or written to fails with ESTALE and never returns a mixture (B63)", async () => {
    const { driver, root } = await hostFixture();
    writeFileSync(join(root, "file"), "0123456789");
    const cut = driver.accelerate.openRead(at("file"));
    truncateSync(join(root, "file"), 5);
    expect(() => cut.read(0, 10)).toThrow(/ESTALE/);
    const grown = driver.accelerate.openRead(at("file"));
    appendFileSync(join(root, "file"), "more");
    expect(() => grown.read(0, 10)).toThrow(/ESTALE/);
    cut.close();
    grown.close();
  });

  it("a reader still reads the old content after the file is replaced or removed (B64)", async () => {
    const { driver, root } = await hostFixture();
    writeFileSync(join(root, "file"), "old");
    const reader = driver.accelerate.openRead(at("file"));
    driver.write(at("file"), bytes("new"), "overwrite");
    expect(Buffer.from(reader.read(0, 100)).toString()).toBe("old");
    await driver.remove(at("file"));
    expect(Buffer.from(reader.read(1, 100)).toString()).toBe("ld");
    reader.close();
    expect(() => reader.read(0, 1)).toThrow(/EBADF/);
  });

  it("content read while another process rewrites it in place is never longer than it was (B63)", async () => {
    const { driver, root } = await hostFixture();
    writeFileSync(join(root, "file"), "a".repeat(100));
    const content = driver.accelerate.load(at("file"), 1_000);
    writeFileSync(join(root, "file"), "b".repeat(500));
    expect(textOf(content)).toBe("a".repeat(100));
    expect(driver.accelerate.load(at("file"), 499)).toBeUndefined();
  });
});

it("a directory that is mounted from another place is neither walked nor removed (A46)", async ({
  skip,
}) => {
  const { driver, root, outside, expectOutsideUntouched } = await hostFixture();
  mkdirSync(join(root, "tree/mounted"), { recursive: true });
  try {
    execFileSync("mount", ["--bind", outside, join(root, "tree/mounted")], { stdio: "ignore" });
  } catch {
    skipWithReason(skip, "mounting takes privileges that this process does not have");
  }
  onTestFinished(() => void execFileSync("umount", [join(root, "tree/mounted")]));
  expect(walked(driver)).toEqual(["tree/", "tree/mounted/"]);
  expect(await driver.accelerate.usage()).toMatchObject({ totalBytes: 0, nodeCount: 2 });
  await expect(driver.accelerate.removeTree(at("tree"))).rejects.toThrow(
    /EACCES: .* another filesystem/,
  );
  expectOutsideUntouched();
});

it("closing aborts open streams, and later calls fail", async () => {
  const before = openDescriptors();
  const { driver, root } = await hostFixture();
  writeFileSync(join(root, "file"), "x");
  const reader = driver.accelerate.openRead(at("file"));
  const writer = await driver.accelerate.openWrite(at("new"), "create");
  writer.write(bytes("x"));
  driver.close();
  expect(openDescriptors()).toBe(before);
  expect(() => reader.read(0, 1)).toThrow(/EBADF/);
  await expect(writer.commit()).rejects.toThrow(/EBADF/);
  expect(() => driver.stat(at("file"))).toThrow(/EBADF/);
  expect(() => driver.write(at("file"), bytes("x"), "overwrite")).toThrow(/EBADF/);
  await expect(driver.accelerate.removeTree(at("file"))).rejects.toThrow(/EBADF/);
  expect(execFileSync("ls", ["-A", root], { encoding: "utf8" })).toBe("file\n");
});

it("a stream whose directory was moved is committed at its path and not in the moved directory (A37)", async () => {
  const { driver, root } = await hostFixture();
  mkdirSync(join(root, "place"));
  const writer = await driver.accelerate.openWrite(at("place/file"), "create");
  writer.write(bytes("x"));
  renameSync(join(root, "place"), join(root, "moved"));
  mkdirSync(join(root, "place"));
  await writer.commit();
  expect(walked(driver)).toEqual(["moved/", "place/", "place/file"]);
  expect(execFileSync("ls", ["-A", join(root, "moved")], { encoding: "utf8" })).toBe("");
});
