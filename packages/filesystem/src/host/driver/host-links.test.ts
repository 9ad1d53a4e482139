import {
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { plainPathContainment, procContainment } from "../containment/containment.js";
import { openHostDriver } from "../open/open-host-driver.test.support.js";
import {
  at,
  bytes,
  CALLS,
  hostFixture,
  SECRET,
  textOf,
  walked,
} from "./host-fixture.test.setup.js";

// Both containments pass the same tests. Only the race test distinguishes them.
const CONTAINMENTS = [procContainment, plainPathContainment];

describe.each(CONTAINMENTS)("links, refused by $name", (containment) => {
  async function setup() {
    const fixture = await hostFixture({ containment, weakContainment: "allow" });
    const { root, outside } = fixture;
    writeFileSync(join(root, "own.txt"), "own");
    mkdirSync(join(root, "real"));
    writeFileSync(join(root, "real/file.txt"), "real");
    symlinkSync(join(outside, "secret.txt"), join(root, "to-file"));
    symlinkSync(outside, join(root, "to-directory"));
    symlinkSync("real", join(root, "to-inside"));
    symlinkSync("loop", join(root, "loop"));
    symlinkSync(join(outside, "made-by-write"), join(root, "dangling"));
    for (let link = 0; link < 41; link++)
      symlinkSync(`chain${link + 1}`, join(root, `chain${link}`));
    symlinkSync("/proc/self/root", join(root, "proc-root"));
    symlinkSync("/proc/self/fd/0", join(root, "proc-fd"));
    symlinkSync("/dev/stdin", join(root, "stdin"));
    return fixture;
  }

  const THROUGH = [
    { path: "to-directory/secret.txt", cases: "A30" },
    { path: "to-directory/folder/inner.txt", cases: "A30" },
    { path: "to-inside/file.txt", cases: "A31" },
    { path: "loop/x", cases: "A32" },
    { path: "chain0/x", cases: "A32" },
    { path: "proc-root/etc/passwd", cases: "A45" },
  ];
  const rows = THROUGH.flatMap((row) => CALLS.map(([name, call]) => ({ ...row, name, call })));

  it.each(rows)("$name of $path is refused as a link ($cases)", async ({ path, call }) => {
    const { driver, root, expectOutsideUntouched } = await setup();
    await expect((async () => call(driver, at(path)))()).rejects.toMatchObject({
      code: "EACCES",
      message: expect.stringContaining("symbolic link"),
    });
    expect(driver.stat(at(path))).toBeUndefined();
    expect(readFileSync(join(root, "own.txt"), "utf8")).toBe("own");
    expectOutsideUntouched();
  });

  const AT = [
    "to-file",
    "to-directory",
    "to-inside",
    "loop",
    "dangling",
    "chain0",
    "proc-fd",
    "stdin",
  ];
  const LOOKING = ["list", "revision", "openRead", "walk"];
  const PUTTING = ["write", "append", "mkdir", "openWrite", "openWrite append"];
  const atRows = AT.flatMap((path) =>
    CALLS.filter(([name]) => [...LOOKING, ...PUTTING].includes(name)).map(([name, call]) => ({
      path,
      name,
      call,
    })),
  );

  it.each(atRows)("$name of the link $path is refused (A29, A31, A32, A33, A45)", async (row) => {
    const { driver, root, expectOutsideUntouched } = await setup();
    const target = readlinkSync(join(root, row.path));
    await expect((async () => row.call(driver, at(row.path)))()).rejects.toMatchObject({
      code: "EACCES",
      message: expect.stringContaining("symbolic link"),
    });
    expect(readlinkSync(join(root, row.path))).toBe(target);
    expectOutsideUntouched();
  });

  it.each(AT)(
    "stat of %s describes the link itself, and load finds no file (A29)",
    async (path) => {
      const { driver } = await setup();
      expect(driver.stat(at(path))).toMatchObject({ kind: "symlink" });
      expect(driver.accelerate.load(at(path), 1_000)).toBeUndefined();
    },
  );

  it.each(["dangling", "to-file"])(
    "create on the link %s fails because it exists (A34)",
    async (path) => {
      const { driver, expectOutsideUntouched } = await setup();
      expect(() => driver.write(at(path), bytes("x"), "create")).toThrow(/EEXIST/);
      await expect(driver.accelerate.openWrite(at(path), "create")).rejects.toThrow(/EEXIST/);
      expectOutsideUntouched();
    },
  );

  it("a removal removes the link and not its target (A35, TM-2)", async () => {
    const { driver, root, expectOutsideUntouched } = await setup();
    await driver.remove(at("to-file"));
    await driver.accelerate.removeTree(at("to-directory"));
    expect(() => lstatSync(join(root, "to-directory"))).toThrow(/ENOENT/);
    expectOutsideUntouched();
  });

  it("a removal of a directory removes the links in it and not their targets (A35)", async () => {
    const { driver, root, outside, expectOutsideUntouched } = await setup();
    symlinkSync(outside, join(root, "real/away"));
    symlinkSync("../own.txt", join(root, "real/inner"));
    await driver.accelerate.removeTree(at("real"));
    expect(driver.stat(at("real"))).toBeUndefined();
    expect(readFileSync(join(root, "own.txt"), "utf8")).toBe("own");
    expectOutsideUntouched();
  });

  it("a move moves the link itself (A35)", async () => {
    const { driver, root, outside, expectOutsideUntouched } = await setup();
    driver.accelerate.rename(at("to-directory"), at("moved"));
    expect(readlinkSync(join(root, "moved"))).toBe(outside);
    expectOutsideUntouched();
  });

  it("a walk lists links and does not follow them (A39, C87)", async () => {
    const { driver } = await setup();
    const paths = walked(driver).filter((path) => !path.startsWith("chain"));
    expect(paths).toEqual([
      ...["dangling@", "loop@", "own.txt", "proc-fd@", "proc-root@"],
      ...["real/", "real/file.txt", "stdin@", "to-directory@", "to-file@", "to-inside@"],
    ]);
    for (const entry of driver.accelerate.walk(at(""), () => true)) {
      if (entry.kind !== "symlink") continue;
      expect([entry.load(1_000), entry.peek(1_000), entry.revision()]).toEqual([
        undefined,
        undefined,
        undefined,
      ]);
    }
  });

  it.each(AT)(
    "reading %s returns its target, and a copy is the same link (A29, FS-104)",
    async (path) => {
      const { driver, root, expectOutsideUntouched } = await setup();
      const target = readlinkSync(join(root, path));
      expect(Buffer.from(driver.read(at(path), 0, 4_096)).toString()).toBe(target);
      await driver.accelerate.clone(at(path), at("copy"));
      expect(readlinkSync(join(root, "copy"))).toBe(target);
      await driver.accelerate.clone(at("own.txt"), at(path));
      expect(readFileSync(join(root, path), "utf8")).toBe("own");
      expectOutsideUntouched();
    },
  );

  it("a copy of a directory contains its links as links (A39, FS-34)", async () => {
    const { driver, root, outside, expectOutsideUntouched } = await setup();
    symlinkSync(outside, join(root, "real/away"));
    await driver.accelerate.clone(at("real"), at("copy"));
    expect(walked(driver, "copy")).toEqual(["copy/away@", "copy/file.txt"]);
    expect(readlinkSync(join(root, "copy/away"))).toBe(outside);
    expectOutsideUntouched();
  });
});

it("the driver keeps using the directory it opened when that is renamed and replaced by a link (A40)", async () => {
  const { driver, root, outside, expectOutsideUntouched } = await hostFixture();
  writeFileSync(join(root, "file.txt"), "mine");
  renameSync(root, `${root}-moved`);
  symlinkSync(outside, root);
  expect(textOf(driver.accelerate.load(at("file.txt"), 100))).toBe("mine");
  driver.write(at("new.txt"), bytes("new"), "create");
  await driver.accelerate.removeTree(at("file.txt"));
  expect(walked(driver)).toEqual(["new.txt"]);
  expect(readFileSync(join(`${root}-moved`, "new.txt"), "utf8")).toBe("new");
  expectOutsideUntouched();
});

it("a root that is reached through links is resolved once, when it is opened (A41)", async () => {
  const { root } = await hostFixture();
  writeFileSync(join(root, "file.txt"), "mine");
  symlinkSync(root, `${root}-link`);
  const driver = await openHostDriver(`${root}-link`);
  expect(driver.root).toBe(root);
  expect(textOf(driver.accelerate.load(at("file.txt"), 100))).toBe("mine");
  driver.close();
});

it("a sibling whose name starts with the root's name cannot be reached (A27)", async () => {
  const { driver, root } = await hostFixture();
  mkdirSync(`${root}-evil`);
  writeFileSync(`${root}-evil/x`, SECRET);
  expect(driver.stat(at("-evil/x"))).toBeUndefined();
  expect(driver.accelerate.load(at("-evil/x"), 100)).toBeUndefined();
});
