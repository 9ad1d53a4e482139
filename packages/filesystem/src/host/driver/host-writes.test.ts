import { execFileSync } from "node:child_process";
import { chmodSync, lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { openHostDriver } from "../open/open-host-driver.test.support.js";
import {
  at,
  bytes,
  hostFixture,
  openDescriptors,
  skipWithReason,
  textOf,
  walked,
} from "./host-fixture.test.setup.js";

const modeOf = (path: string) => (lstatSync(path).mode & 0o7777).toString(8);

describe("writing", () => {
  it.each([{ fsync: true }, { fsync: false }])("stores the content with %o", async ({ fsync }) => {
    const { driver } = await hostFixture({ fsync });
    expect(driver.write(at("f"), bytes("one"), "create")).toBe(driver.accelerate.revision(at("f")));
    expect(() => driver.write(at("f"), bytes("two"), "create")).toThrow(/EEXIST/);
    expect(textOf(driver.accelerate.load(at("f"), 100))).toBe("one");
    driver.write(at("f"), bytes("two"), "append");
    expect(textOf(driver.accelerate.load(at("f"), 100))).toBe("onetwo");
    expect(driver.write(at("f"), bytes("drei"), "overwrite")).toBe(
      driver.accelerate.revision(at("f")),
    );
    driver.mkdir(at("d"));
    driver.accelerate.rename(at("f"), at("d/f"));
    await driver.accelerate.clone(at("d"), at("e"));
    expect(walked(driver)).toEqual(["d/", "d/f", "e/", "e/f"]);
    expect(await driver.accelerate.usage()).toEqual({
      totalBytes: 8,
      fileCount: 2,
      directoryCount: 2,
      nodeCount: 4,
    });
  });

  it("refuses to replace a directory with a file, or a file with a directory", async () => {
    const { driver } = await hostFixture();
    driver.mkdir(at("d"));
    driver.mkdir(at("d"));
    driver.write(at("f"), bytes(""), "create");
    expect(() => driver.write(at("d"), bytes(""), "overwrite")).toThrow(/EISDIR/);
    expect(() => driver.mkdir(at("f"))).toThrow(/EEXIST/);
    expect(() => driver.write(at("f/x"), bytes(""), "overwrite")).toThrow(/ENOTDIR/);
    expect(() => driver.write(at("no/x"), bytes(""), "overwrite")).toThrow(/ENOENT/);
  });

  it("a stream is visible only after its commit, and leaves no trace when aborted", async () => {
    const { driver, root } = await hostFixture();
    const before = openDescriptors();
    const kept = await driver.accelerate.openWrite(at("kept"), "create");
    const dropped = await driver.accelerate.openWrite(at("dropped"), "overwrite");
    for (const writer of [kept, dropped]) writer.write(bytes("text"));
    expect(walked(driver)).toEqual([]);
    await kept.commit();
    dropped.abort();
    dropped.abort();
    expect(readdirSync(root)).toEqual(["kept"]);
    expect(openDescriptors()).toBe(before);
  });

  it.each(["write", "openWrite"])(
    "a failed %s leaves no file and no open descriptor",
    async (call) => {
      const { driver, root } = await hostFixture();
      driver.mkdir(at("d"));
      const before = openDescriptors();
      const failing = async () => {
        if (call === "write") return driver.write(at("d"), bytes("x"), "append");
        return await driver.accelerate.openWrite(at("d"), "append");
      };
      await expect(failing()).rejects.toThrow(/EISDIR/);
      expect(readdirSync(root)).toEqual(["d"]);
      expect(openDescriptors()).toBe(before);
    },
  );

  it.each([
    { umask: 0o000, executable: undefined, file: "644" },
    { umask: 0o777, executable: undefined, file: "644" },
    { umask: 0o077, executable: true, file: "755" },
  ])("modes are independent of the umask $umask (K256)", async ({ umask, executable, file }) => {
    const { driver, root } = await hostFixture();
    const before = process.umask(umask);
    onTestFinished(() => void process.umask(before));
    driver.write(at("f"), bytes("x"), "create", { executable });
    driver.mkdir(at("d"));
    await driver.accelerate.clone(at("f"), at("copy"));
    process.umask(before);
    expect([modeOf(join(root, "f")), modeOf(join(root, "d"))]).toEqual([file, "755"]);
    expect(modeOf(join(root, "copy"))).toBe(file);
  });

  it.each([
    { mode: 0o600, executable: undefined, after: "600" },
    { mode: 0o640, executable: true, after: "750" },
    { mode: 0o755, executable: false, after: "644" },
    { mode: 0o4755, executable: undefined, after: "755" },
  ])("an overwritten file of mode $mode keeps it (K256)", async ({ mode, executable, after }) => {
    const { driver, root } = await hostFixture();
    writeFileSync(join(root, "f"), "x");
    chmodSync(join(root, "f"), mode);
    driver.write(at("f"), bytes("y"), "overwrite", { executable });
    expect(modeOf(join(root, "f"))).toBe(after);
  });

  it("a new directory inherits the set-group-ID bit of its parent (K256)", async () => {
    const { driver, root } = await hostFixture();
    mkdirSync(join(root, "shared"));
    chmodSync(join(root, "shared"), 0o2775);
    driver.mkdir(at("shared/new"));
    expect(modeOf(join(root, "shared/new"))).toBe("2755");
  });
});

it("a full disk is reported as EDQUOT, and the file does not change (K251)", async ({ skip }) => {
  const { root } = await hostFixture();
  mkdirSync(join(root, "small"));
  try {
    const options = ["-t", "tmpfs", "-o", "size=64k", "tmpfs", join(root, "small")];
    execFileSync("mount", options, { stdio: "ignore" });
  } catch {
    skipWithReason(skip, "mounting takes privileges that this process does not have");
  }
  onTestFinished(() => void execFileSync("umount", ["-l", join(root, "small")]));
  const driver = await openHostDriver(join(root, "small"));
  onTestFinished(() => driver.close());
  driver.write(at("f"), bytes("old"), "create");
  expect(() => driver.write(at("f"), new Uint8Array(200_000), "overwrite")).toThrow(
    /EDQUOT: .* no space is left on the disk of the workspace/,
  );
  expect(readFileSync(join(root, "small/f"), "utf8")).toBe("old");
  expect(readdirSync(join(root, "small"))).toEqual(["f"]);
});
