import { execFileSync } from "node:child_process";
import { chmodSync, lstatSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createFilesystem } from "../../backend/create-filesystem.js";
import { at, bytes, hostFixture } from "./host-fixture.test.setup.js";

const UNPRIVILEGED = 65_534;

/** A tree with many different permissions. A directory comes after its content and ends in a slash. */
const TREE: Readonly<Record<string, number>> = {
  "source/secret": 0o600,
  "source/group": 0o640,
  "source/run": 0o750,
  "source/mine": 0o700,
  "source/fixed": 0o400,
  "source/closed/inner/file": 0o644,
  "source/closed/inner/": 0o500,
  "source/closed/": 0o500,
  "source/private/file": 0o644,
  "source/private/": 0o700,
  "source/shared/": 0o775,
  "source/": 0o550,
};

/** The owner of a directory always keeps all permissions on it. */
const COPIED = Object.fromEntries(
  Object.entries(TREE).map(([path, mode]) => [path, path.endsWith("/") ? mode | 0o700 : mode]),
);

async function setup(options: { readonly fsync?: boolean } = {}) {
  const fixture = await hostFixture(options);
  for (const [path, mode] of Object.entries(TREE)) {
    const place = join(fixture.root, path);
    mkdirSync(path.endsWith("/") ? place : join(place, ".."), { recursive: true });
    if (!path.endsWith("/")) writeFileSync(place, path);
    chmodSync(place, mode);
  }
  handOver(fixture.root);
  return fixture;
}

function handOver(path: string): void {
  if (process.geteuid?.() === 0) execFileSync("chown", ["-R", `${UNPRIVILEGED}`, path]);
}

/** Runs `body` as the user "nobody", because root may do everything. */
async function asNobody<T>(body: () => Promise<T>): Promise<T> {
  const user = process.geteuid?.();
  if (user === 0) process.seteuid?.(UNPRIVILEGED);
  try {
    return await body();
  } finally {
    if (user === 0) process.seteuid?.(0);
  }
}

function withUmask(umask: number): void {
  const before = process.umask(umask);
  onTestFinished(() => void process.umask(before));
}

const modeOf = (...path: string[]) => lstatSync(join(...path)).mode & 0o7777;

/** The modes of all paths of `TREE` at the copy. */
function modesBelow(root: string, copy: string): Readonly<Record<string, number>> {
  const found = Object.keys(TREE).map((path) => {
    const place = path.replace("source", copy);
    return [path, modeOf(root, place)] as const;
  });
  return Object.fromEntries(found);
}

describe("a copy", () => {
  it.each([
    { umask: 0o000, fsync: false },
    { umask: 0o777, fsync: false },
    { umask: 0o022, fsync: true },
  ])(
    "has the permissions of each file and directory, with umask $umask and fsync $fsync (FS-30, K256)",
    async ({ umask, fsync }) => {
      const { driver, root } = await setup({ fsync });
      withUmask(umask);
      await asNobody(() => driver.accelerate.clone(at("source"), at("copy")));
      expect(modesBelow(root, "copy")).toEqual(COPIED);
      expect(readdirSync(root).sort()).toEqual(["copy", "source"]);
    },
  );

  it.each(["source/secret", "source/run", "source/fixed"])(
    "of %s has its permissions, whatever it replaces (FS-30, FS-35)",
    async (path) => {
      const { driver, root } = await setup();
      writeFileSync(join(root, "open"), "x");
      chmodSync(join(root, "open"), 0o666);
      const fs = createFilesystem(driver);
      await fs.copy(path, "new/place");
      await fs.copy(path, "open", { overwrite: true });
      expect(modeOf(root, "new/place")).toBe(TREE[path]);
      expect(modeOf(root, "open")).toBe(TREE[path]);
    },
  );

  it("has no set-ID bits and inherits the group of its new parent (FS-30, K256)", async () => {
    const { driver, root } = await hostFixture();
    mkdirSync(join(root, "tree"));
    mkdirSync(join(root, "shared"));
    writeFileSync(join(root, "tree/file"), "x");
    chmodSync(join(root, "tree/file"), 0o6755);
    chmodSync(join(root, "tree"), 0o1700);
    chmodSync(join(root, "shared"), 0o2775);
    await driver.accelerate.clone(at("tree"), at("shared/tree"));
    expect(modeOf(root, "shared/tree")).toBe(0o2700);
    expect(modeOf(root, "shared/tree/file")).toBe(0o755);
  });

  it("is private while it is being made (FS-30)", async () => {
    const { driver, root } = await setup();
    let nowMs = 0;
    // The work pauses after every file.
    const clock = vi.spyOn(performance, "now").mockImplementation(() => (nowMs += 100));
    onTestFinished(() => clock.mockRestore());
    withUmask(0);
    const pending = driver.accelerate.clone(at("source"), at("copy"));
    const [stage = ""] = readdirSync(root).filter((name) => name.startsWith(".wink-tmp-"));
    expect(modeOf(root, stage)).toBe(0o700);
    await pending;
    expect(readdirSync(root).sort()).toEqual(["copy", "source"]);
  });

  it("that cannot be put in place leaves no files, not even in read-only directories (FS-30, FS-34)", async () => {
    const { driver, root } = await setup();
    driver.mkdir(at("taken"));
    driver.write(at("taken/file"), bytes("x"), "create");
    handOver(join(root, "taken"));
    const cloning = asNobody(() => driver.accelerate.clone(at("source"), at("taken")));
    await expect(cloning).rejects.toThrow(/EEXIST/);
    expect(readdirSync(root).sort()).toEqual(["source", "taken"]);
    expect(driver.list(at("taken"))).toHaveLength(1);
  });
});
