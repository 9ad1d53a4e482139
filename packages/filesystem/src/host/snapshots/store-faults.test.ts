import { execFileSync, spawn } from "node:child_process";
import {
  chmodSync,
  chownSync,
  closeSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { openHostRoot } from "../containment/open-host-root.js";
import { open, placeIn } from "./crash-scenarios.test.support.js";
import { isSettled } from "./scanned-tree.js";
import { SnapshotStore } from "./snapshot-store.js";
import {
  afterwards,
  bench,
  manifest,
  putFile,
  runGit,
  SYSTEM_PATH,
  scratch,
} from "./store-fixture.test.support.js";

const UNPRIVILEGED = 65_534;

describe("a full disk", () => {
  it("while capturing is reported, and the store still works afterwards (D127, SN-16)", async (context) => {
    const place = smallDisk("store");
    if (place === undefined) return context.skip("nothing can be mounted here");
    const { store, put, workspace } = bench({ storeDirectory: join(place, "store/inner") }, place);
    put("a", "1");
    const first = await store.create({});
    for (let index = 0; index < 400; index++) put(`large/${index}`, randomBytes(20_000, index));
    await expect(store.create({})).rejects.toMatchObject({ code: "NO_SPACE" });
    put("one-large", randomBytes(9_000_000, 1));
    await expect(store.create({})).rejects.toMatchObject({ code: "NO_SPACE" });
    expect(store.verify()).toMatchObject({ snapshotCount: 1, damaged: [] });
    await store.restore(first);
    expect(readdirSync(workspace)).toEqual(["a"]);
    put("a", "2");
    await store.create({});
    expect(store.list()).toHaveLength(2);
  });

  it("while restoring is reported, and restoring again completes (D128)", async (context) => {
    const place = smallDisk("workspace");
    if (place === undefined) return context.skip("nothing can be mounted here");
    const { store, put, workspace } = bench({}, place);
    for (let index = 0; index < 20; index++) put(`wanted/${index}`, randomBytes(100_000, index));
    const wanted = manifest(workspace);
    const snapshot = await store.create({});
    rmSync(join(workspace, "wanted"), { recursive: true });
    // Does not fit next to the wanted files. It is held open, so that removing it frees no space.
    put("hog", randomBytes(2_500_000, 99));
    const hog = openSync(join(workspace, "hog"), "r");
    await expect(store.restore(snapshot)).rejects.toMatchObject({ code: "NO_SPACE" });
    for (const line of manifest(workspace))
      if (line.startsWith("f ") && !line.includes(".wink-tmp-")) expect(wanted).toContain(line);
    await expect(store.create({})).rejects.toMatchObject({
      code: expect.stringMatching(/NO_SPACE|INCOMPLETE/),
    });
    closeSync(hog);
    await store.restore(snapshot);
    expect(manifest(workspace)).toEqual(wanted);
  });
});

describe("two processes on one store", () => {
  it.each(["one workspace", "two workspaces"])("both succeed, with %s (D124)", async (how) => {
    const place = scratch();
    const other = how === "one workspace" ? place : scratch();
    for (const directory of new Set([place, other])) {
      mkdirSync(join(directory, "workspace"));
      for (let index = 0; index < 50; index++)
        putFile(join(directory, "workspace", `f${index}`), `${index}`);
    }
    mkdirSync(join(place, "store"));
    if (other !== place) execFileSync("ln", ["-s", join(place, "store"), join(other, "store")]);
    const outputs = await Promise.all([runBusy(place, "left"), runBusy(other, "right")]);
    expect(outputs).toEqual(["done\n", "done\n"]);
    const stores = await Promise.all(
      [...new Set([place, other])].map((each) => open(placeIn(each))),
    );
    let count = 0;
    for (const driver of stores) {
      const verdict = await driver.snapshots.verify();
      expect(verdict.damaged).toEqual([]);
      count += verdict.snapshotCount;
      const oldest = (await driver.snapshots.list()).at(-1);
      if (oldest !== undefined) await driver.snapshots.restore(oldest);
      await driver.close();
    }
    expect(count).toBe(2 * ROUNDS * 0.75);
    runGit(join(place, "store"), "fsck", "--strict", "--no-dangling");
  });

  it("interleaved in one process also both succeed (D124)", async () => {
    const { store, reopen, put } = bench();
    for (let index = 0; index < 300; index++) put(`f${index}`, `${index}`);
    const second = reopen();
    await Promise.all([store.create({}), second.create({}), store.create({}), second.create({})]);
    expect(new Set(store.list().map(({ snapshotId }) => snapshotId)).size).toBe(4);
    expect(store.list()).toEqual(second.list());
    expect(store.verify().damaged).toEqual([]);
  });
});

describe("an unreadable file", () => {
  it.runIf(process.geteuid?.() === 0)(
    "fails the snapshot and is reported, never left out silently (D110)",
    async () => {
      const { store, put, workspace } = asNobody();
      put("open", "1");
      put("closed-file", "2");
      put("closed/inner", "3");
      chmodSync(join(workspace, "closed-file"), 0);
      chmodSync(join(workspace, "closed"), 0);
      const error = await store.create({}).catch((reason: unknown) => reason);
      expect(error).toMatchObject({
        code: "UNREADABLE",
        paths: expect.arrayContaining(["closed", "closed-file"]),
      });
      expect(String(error)).not.toContain(workspace);
      expect(store.list()).toEqual([]);
      chmodSync(join(workspace, "closed-file"), 0o600);
      chmodSync(join(workspace, "closed"), 0o700);
      expect((await store.create({})).leftOut).toBeUndefined();
    },
  );

  it.runIf(process.geteuid?.() === 0)(
    "is made readable by its owner when it is restored (D110, D118)",
    async () => {
      const { store, put, workspace } = asNobody();
      put("closed/inner", "1");
      put("file", "1");
      const before = manifest(workspace);
      const snapshot = await store.create({});
      put("closed/new", "2");
      put("file", "2");
      chmodSync(join(workspace, "file"), 0);
      chmodSync(join(workspace, "closed"), 0);
      await store.restore(snapshot);
      expect(manifest(workspace)).toEqual(before);
    },
  );

  it.runIf(process.geteuid?.() === 0)(
    "keeps its owner when another user restores (D109)",
    async () => {
      const { store, put, workspace } = bench();
      put("file", "1");
      chownSync(join(workspace, "file"), UNPRIVILEGED, UNPRIVILEGED);
      const snapshot = await store.create({});
      put("file", "2");
      chownSync(join(workspace, "file"), UNPRIVILEGED, UNPRIVILEGED);
      await store.restore(snapshot);
      const { uid } = lstatSync(join(workspace, "file"));
      expect(uid).toBe(UNPRIVILEGED);
    },
  );
});

describe("the cached stat", () => {
  it.each([
    { ctimeMs: 1_000, lookedAtMs: 2_000, settled: true },
    { ctimeMs: 1_000, lookedAtMs: 1_050, settled: false },
    { ctimeMs: 1_000, lookedAtMs: 1_000, settled: false },
    { ctimeMs: 2_000, lookedAtMs: 1_000, settled: false },
  ])(
    "of a change at $ctimeMs read at $lookedAtMs is trusted: $settled (D119, D120)",
    ({ ctimeMs, lookedAtMs, settled }) => {
      expect(isSettled(ctimeMs, lookedAtMs)).toBe(settled);
    },
  );

  it("detects each of 200 changes of the same size made right after a snapshot (D119)", async () => {
    const { store, workspace } = bench();
    const path = join(workspace, "file");
    for (let round = 0; round < 200; round++) {
      const text = `${round % 10}`;
      writeFileSync(path, text);
      const snapshot = await store.create({});
      writeFileSync(path, "x");
      await store.restore(snapshot);
      expect(readFileSync(path, "utf8")).toBe(text);
    }
  });
});

const ROUNDS = 12;

function runBusy(place: string, name: string): Promise<string> {
  const script = fileURLToPath(
    new URL("../../../dist/host/snapshots/busy-child.test.support.js", import.meta.url),
  );
  const child = spawn(process.execPath, [script, place, name, `${ROUNDS}`], {
    cwd: fileURLToPath(new URL("../../../..", import.meta.url)),
    env: { ...process.env, PATH: SYSTEM_PATH },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  child.stdout.on("data", (chunk) => {
    output += chunk;
  });
  return new Promise((resolve) => child.once("close", () => resolve(output)));
}

/** A workspace or store on a disk of four megabytes, or `undefined` if mounting is not possible. */
function smallDisk(name: string): string | undefined {
  const place = scratch();
  mkdirSync(join(place, name));
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=4m", "tmpfs", join(place, name)], {
      stdio: "ignore",
    });
  } catch {
    return undefined;
  }
  afterwards(() => execFileSync("umount", ["-l", join(place, name)]));
  return place;
}

/** Continues as an unprivileged user until the end of the test. */
function asNobody() {
  const place = scratch();
  for (const name of ["workspace", "store"]) mkdirSync(join(place, name));
  for (const path of [place, join(place, "workspace"), join(place, "store")])
    chownSync(path, UNPRIVILEGED, UNPRIVILEGED);
  process.seteuid?.(UNPRIVILEGED);
  afterwards(() => process.seteuid?.(0));
  const workspace = join(place, "workspace");
  const root = openHostRoot(workspace);
  const store = new SnapshotStore(root, { fsync: false, storeDirectory: join(place, "store") });
  afterwards(() => {
    store.close();
    root.close();
  });
  return {
    store,
    workspace,
    put: (path: string, content: string) => putFile(join(workspace, path), content),
  };
}

/** Returns the same bytes for the same seed. They cannot be compressed. */
function randomBytes(length: number, seed: number): Buffer {
  const bytes = Buffer.alloc(length);
  let state = seed + 1;
  for (let index = 0; index < length; index++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    bytes[index] = state >>> 24;
  }
  return bytes;
}
