import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { InMemoryFilesystem } from "../../backend/in-memory-filesystem.js";
import type { Filesystem, WriteMode } from "../../protocol/filesystem.js";
import { isFilesystemError } from "../../protocol/filesystem-error.js";
import { HostFilesystem } from "../open/host-filesystem.js";
import {
  at,
  bytes,
  hostFixture,
  makePlaces,
  manifest,
  openDescriptors,
  walked,
} from "./host-fixture.test.setup.js";

const MODES: readonly WriteMode[] = ["overwrite", "create", "append"];
const SMALL = "new";
const LARGE = "0123456789".repeat(500_000);
const PATH = "a/place/file";

type Change = (fs: Filesystem) => Promise<unknown>;
const remove: Change = (fs) => fs.delete("a/place", { recursive: true });
const moveAway: Change = (fs) => fs.move("a/place", "elsewhere");

/** What may happen to the parent of a file while a writer is open. */
const FATES: Readonly<Record<string, readonly Change[]>> = {
  "is left alone": [],
  "is deleted": [remove],
  "is deleted with its own parent": [(fs) => fs.delete("a", { recursive: true })],
  "is moved elsewhere": [moveAway],
  "is moved with its own parent": [(fs) => fs.move("a", "deep/elsewhere")],
  "is moved away and back": [moveAway, (fs) => fs.move("elsewhere", "a/place")],
  "is deleted and recreated": [remove, (fs) => fs.mkdir("a/place")],
  "is moved and recreated": [moveAway, (fs) => fs.mkdir("a/place")],
  "is recreated with a file in it": [remove, (fs) => fs.write(PATH, "between ")],
  "becomes a file": [remove, (fs) => fs.write("a/place", "in the way")],
};

const CASES = Object.keys(FATES).flatMap((fate) =>
  MODES.flatMap((mode) => [SMALL, LARGE].map((text) => ({ fate, mode, text }))),
);

async function openHost(options: { readonly fsync?: boolean } = {}) {
  const { root, outside } = makePlaces();
  const fs = await HostFilesystem.open(root, { fsync: false, ...options });
  onTestFinished(() => fs.close());
  return { fs, root, outside };
}

/** Opens a writer, changes the parent as `fate` says, and ends the writer. Returns the error code, if any. */
async function play(
  fs: Filesystem,
  { fate, mode, text }: (typeof CASES)[number],
  end: "close" | "abort" = "close",
): Promise<string | undefined> {
  await fs.mkdir("a/place");
  if (mode !== "create") await fs.write(PATH, "old ");
  const writer = await fs.openWrite(PATH, { mode });
  await writer.write(text);
  for (const change of FATES[fate] ?? []) await change(fs);
  return await codeOf(writer[end]());
}

async function codeOf(pending: Promise<unknown>): Promise<string | undefined> {
  try {
    await pending;
    return undefined;
  } catch (error) {
    if (isFilesystemError(error)) return error.code;
    throw error;
  }
}

/** Every path with its content. */
async function contentsOf(fs: Filesystem): Promise<Readonly<Record<string, string>>> {
  const contents: Record<string, string> = {};
  for (const { path } of await fs.glob("**", { directories: true })) contents[path] = "/";
  for (const { path } of await fs.glob("**")) contents[path] = (await fs.read(path)).content;
  return contents;
}

/** All names on disk below a directory, temporary files included. */
function everythingIn(root: string): string[] {
  return readdirSync(root, { recursive: true, encoding: "utf8" }).sort();
}

/** Makes a long copy pause after every piece. */
function pauseAtEveryStep(): void {
  let nowMs = 0;
  const clock = vi.spyOn(performance, "now").mockImplementation(() => (nowMs += 100));
  onTestFinished(() => clock.mockRestore());
}

describe("a writer whose parent", () => {
  it.each(CASES)(
    "$fate is closed in mode $mode with the same result as in memory, with $text.length bytes (FS-53, FS-57, FS-76)",
    async (given) => {
      const { fs, root } = await openHost();
      const memory = new InMemoryFilesystem();
      const before = openDescriptors();
      const outcome = await play(fs, given);
      expect(outcome).toBe(await play(memory, given));
      const expected = await contentsOf(memory);
      expect(await contentsOf(fs)).toEqual(expected);
      expect(await fs.usage()).toEqual(await memory.usage());
      expect(everythingIn(root)).toEqual(Object.keys(expected).sort());
      expect(openDescriptors()).toBe(before);
    },
  );

  it.each(CASES)(
    "$fate leaves no trace when it is aborted in mode $mode, with $text.length bytes (FS-53)",
    async (given) => {
      const { fs, root } = await openHost();
      const memory = new InMemoryFilesystem();
      const before = openDescriptors();
      expect(await play(fs, given, "abort")).toBeUndefined();
      await play(memory, given, "abort");
      expect(everythingIn(root)).toEqual(Object.keys(await contentsOf(memory)).sort());
      expect(openDescriptors()).toBe(before);
    },
  );

  it.each(MODES)("becomes a link is refused in mode %s (FS-53, FS-80, A37)", async (mode) => {
    const { fs, root, outside } = await openHost();
    const untouched = manifest(outside);
    const before = openDescriptors();
    await fs.mkdir("a/place");
    const writer = await fs.openWrite(PATH, { mode });
    await writer.write(LARGE);
    renameSync(join(root, "a/place"), join(root, "elsewhere"));
    symlinkSync(outside, join(root, "a/place"));
    expect(await codeOf(writer.close())).toBe("EACCES");
    expect(everythingIn(root).filter((path) => !path.startsWith("a/place/"))).toEqual([
      ...["a", "a/place", "elsewhere"],
    ]);
    expect(manifest(outside)).toEqual(untouched);
    expect(openDescriptors()).toBe(before);
  });

  it("is moved out of the workspace leaves nothing there (FS-53, A37)", async () => {
    const { fs, root, outside } = await openHost({ fsync: true });
    const untouched = manifest(outside);
    await fs.mkdir("a/place");
    const writer = await fs.openWrite(PATH);
    await writer.write("text");
    renameSync(join(root, "a/place"), join(outside, "taken"));
    await writer.close();
    expect(readFileSync(join(root, PATH), "utf8")).toBe("text");
    expect(readdirSync(join(outside, "taken"))).toEqual([]);
    renameSync(join(outside, "taken"), join(root, "back"));
    expect(manifest(outside)).toEqual(untouched);
  });

  it("is emptied by another program is still committed (FS-53)", async () => {
    const { driver, root } = await hostFixture();
    const writer = await driver.accelerate.openWrite(at("file"), "create");
    writer.write(bytes("text"));
    for (const name of readdirSync(root)) rmSync(join(root, name));
    await writer.commit();
    expect(manifest(root)).toEqual(["file 100644 text"]);
  });

  it("is deleted in a transaction is complete again after a rollback (FS-53, SN-12)", async () => {
    const { fs, root } = await openHost();
    await fs.write(PATH, "old");
    const before = manifest(root);
    const transaction = await fs.begin();
    const writer = await fs.openWrite(PATH);
    await writer.write("new");
    await remove(fs);
    await writer.close();
    expect(readFileSync(join(root, PATH), "utf8")).toBe("new");
    await transaction.rollback();
    expect(manifest(root)).toEqual(before);
  });

  it("is recreated keeps the mode of the file it replaces, and is executable if requested (FS-30)", async () => {
    const { driver, root } = await hostFixture();
    driver.mkdir(at("place"));
    const kept = await driver.accelerate.openWrite(at("place/kept"), "overwrite");
    const run = await driver.accelerate.openWrite(at("place/run"), "create", { executable: true });
    await driver.accelerate.removeTree(at("place"));
    driver.mkdir(at("place"));
    driver.write(at("place/kept"), bytes("x"), "create", { executable: true });
    for (const writer of [kept, run]) await writer.commit();
    for (const name of ["kept", "run"])
      expect(statSync(join(root, "place", name)).mode & 0o777).toBe(0o755);
  });
});

describe("a commit that takes long", () => {
  async function started(mode: WriteMode, path = "place/file") {
    const before = openDescriptors();
    const fixture = await hostFixture();
    const { driver, root } = fixture;
    driver.mkdir(at("place"));
    const writer = await driver.accelerate.openWrite(at(path), mode);
    writer.write(bytes(LARGE));
    if (mode !== "append") {
      renameSync(join(root, "place"), join(root, "old"));
      mkdirSync(join(root, "place"));
    }
    pauseAtEveryStep();
    return { ...fixture, writer, before, pending: codeOf(writer.commit()) };
  }

  it.each(MODES)("lets the event loop run in mode %s (FS-53)", async (mode) => {
    const { driver, pending } = await started(mode);
    let hadTurn = false;
    setImmediate(() => {
      hadTurn = driver.stat(at("place/file")) === undefined;
    });
    expect(await pending).toBeUndefined();
    expect(driver.stat(at("place/file"))?.sizeBytes).toBe(LARGE.length);
    expect(hadTurn).toBe(true);
  });

  it.each(MODES)(
    "does not write to a directory that is moved during the commit, in mode %s (A37)",
    async (mode) => {
      const { driver, root, outside, writer, pending, expectOutsideUntouched } =
        await started(mode);
      renameSync(join(root, "place"), join(outside, "taken"));
      mkdirSync(join(root, "place"));
      expect(await pending).toBe("ESTALE");
      writer.abort();
      renameSync(join(outside, "taken"), join(root, "taken"));
      expectOutsideUntouched();
      const old = mode === "append" ? [] : ["old/"];
      expect(walked(driver)).toEqual([...old, "place/", "taken/"]);
      expect(everythingIn(root)).toEqual([...old.map(() => "old"), "place", "taken"]);
    },
  );

  it.each([
    { mode: "append", path: "file" },
    { mode: "append", path: "place/file" },
    { mode: "create", path: "place/file" },
  ] as const)("is cancelled by closing, in mode $mode at $path (FS-53, FS-54)", async (given) => {
    const { driver, root, before, pending } = await started(given.mode, given.path);
    driver.close();
    expect(await pending).toBe("EBADF");
    expect(openDescriptors()).toBe(before);
    expect(everythingIn(root).filter((path) => path.includes(".wink-tmp-"))).toEqual([]);
    expect(everythingIn(root)).not.toContain(given.path);
  });
});
