import { chmodSync, cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { FilesystemSnapshot } from "../../snapshots/filesystem-snapshot.js";
import { QUICK_PLACE } from "../driver/host-fixture.test.setup.js";
import { HostFilesystem } from "../open/host-filesystem.js";
import { interceptCalls } from "./intercepted-calls.test.support.js";
import type { SnapshotStore } from "./snapshot-store.js";
import { type Bench, bench, scratch } from "./store-fixture.test.support.js";

/** How many bytes of each file are flipped. WINK_FLIPS=40 takes a minute. */
const FLIPS_PER_FILE = Number(
  process.env["WINK_FLIPS"] ?? (process.env["WINK_MORE_ROUNDS"] ? 4 : 1),
);

/** Creates three snapshots, one of them with a name and one in a pack. */
async function withSnapshots(place = scratch(QUICK_PLACE)): Promise<Bench> {
  const made = bench({}, place);
  made.put("a", "first");
  await made.store.create({ name: "named" });
  for (let index = 0; index < 300; index++) made.put(`many/${index}`, `content ${index}`);
  await made.store.create({});
  rmSync(join(made.workspace, "many"), { recursive: true });
  made.put("b/c", "third");
  await made.store.create({ tag: "third" });
  return made;
}

function filesBelow(directory: string): string[] {
  const found = readdirSync(directory, { recursive: true, withFileTypes: true });
  return found
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
}

function flip(path: string, position: number): void {
  const bytes = readFileSync(path);
  bytes[position] = (bytes[position] ?? 0) ^ 0x41;
  chmodSync(path, 0o644);
  writeFileSync(path, bytes);
}

async function unrestorable(
  { store, workspace }: Pick<Bench, "store" | "workspace">,
  made: readonly FilesystemSnapshot[],
) {
  const failed: string[] = [];
  for (const snapshot of made) {
    // Empty the workspace, because a restore does not read the objects of files that already exist.
    for (const name of readdirSync(workspace)) rmSync(join(workspace, name), { recursive: true });
    await store.restore(snapshot).catch((error: unknown) => {
      expect(error).toMatchObject({ name: "SnapshotError" });
      failed.push(snapshot.snapshotId);
    });
  }
  return failed;
}

describe("one flipped byte in a store", { timeout: 60_000 + FLIPS_PER_FILE * 20_000 }, () => {
  it("removes no snapshot from the list, and verify reports each one that cannot be restored (SN-8, SN-25)", async () => {
    const { storeDirectory, workspace, store, reopen } = await withSnapshots();
    const made = store.list();
    const copy = `${storeDirectory}-copy`;
    cpSync(storeDirectory, copy, { recursive: true });
    const files = ["objects", "refs"].flatMap((part) => filesBelow(join(storeDirectory, part)));
    let broken = 0;
    for (const path of files) {
      const size = readFileSync(path).length;
      for (let at = 0; at < FLIPS_PER_FILE; at++) {
        const position = Math.floor(((at + 0.5) * size) / FLIPS_PER_FILE);
        flip(path, position);
        const again = reopen();
        const where = `${path.slice(storeDirectory.length)} at ${position}`;
        const listed = again.list();
        expect(listed.map(({ snapshotId }) => snapshotId).sort(), where).toEqual(
          made.map(({ snapshotId }) => snapshotId).sort(),
        );
        const named = again.verify().damaged.map(({ snapshotId }) => snapshotId);
        const failed = await unrestorable({ store: again, workspace }, made);
        for (const id of failed) expect(named, where).toContain(id);
        for (const { snapshotId, damaged } of listed)
          if (damaged !== undefined) expect(named, where).toContain(snapshotId);
        broken += named.length;
        again.close();
        rmSync(storeDirectory, { recursive: true });
        cpSync(copy, storeDirectory, { recursive: true });
      }
    }
    expect(broken).toBeGreaterThan(10);
  });
});

describe("a snapshot with a damaged commit", () => {
  it("is listed as damaged, is refused with a SnapshotError, and can be deleted (SN-25)", async () => {
    const { storeDirectory, workspace, store } = await withSnapshots();
    const [, , oldest] = store.list();
    const id = oldest?.commitRef ?? "";
    flip(join(storeDirectory, "objects", id.slice(0, 2), id.slice(2)), 20);
    await using fs = await HostFilesystem.open(workspace, { storeDirectory, fsync: false });
    const listed = await fs.snapshots();
    expect(listed.map(({ damaged }) => damaged)).toEqual([
      undefined,
      undefined,
      `the snapshot's commit ${id} is missing or damaged`,
    ]);
    const last = listed[2] as FilesystemSnapshot;
    expect(last).toMatchObject({ snapshotId: oldest?.snapshotId, name: "named", commitRef: id });
    await expect(fs.restore(last)).rejects.toMatchObject({ code: "CORRUPT" });
    await expect(fs.diff(last)).rejects.toMatchObject({ code: "CORRUPT" });
    expect((await fs.verify()).damaged).toMatchObject([{ snapshotId: oldest?.snapshotId }]);
    await fs.prune({ maxCount: 1, keepNamed: false });
    expect(await fs.snapshots()).toHaveLength(2);
    await fs.deleteSnapshot(last);
    expect(await fs.snapshots()).toHaveLength(1);
    expect((await fs.verify()).damaged).toEqual([]);
  });

  it("is found by verify in the process that created it (SN-8, SN-25)", async () => {
    const { storeDirectory, store } = await withSnapshots();
    const id = store.list()[0]?.commitRef ?? "";
    flip(join(storeDirectory, "objects", id.slice(0, 2), id.slice(2)), 20);
    expect(store.verify().damaged).toHaveLength(1);
  });

  it("keeps its objects until it is deleted (SN-25)", async () => {
    const { storeDirectory, store } = await withSnapshots();
    const [newest, , oldest] = store.list();
    const reference = join(storeDirectory, "refs/wink/snapshots", newest?.snapshotId ?? "");
    const content = readFileSync(reference);
    writeFileSync(reference, "");
    if (oldest !== undefined) await store.delete([oldest]);
    writeFileSync(reference, content);
    expect(store.verify()).toMatchObject({ snapshotCount: 2, damaged: [] });
  });
});

describe("a snapshot with a name", () => {
  const STEPS: readonly {
    readonly what: string;
    readonly act: (store: SnapshotStore) => Promise<unknown>;
    readonly allowed: readonly (readonly (string | undefined)[])[];
  }[] = [
    {
      what: "made",
      act: (store) => store.create({ name: "new" }),
      allowed: [["old"], ["new", "old"]],
    },
    {
      what: "deleted",
      act: (store) => store.delete(store.list()),
      allowed: [["old"], []],
    },
    {
      what: "replaced by another with the same name",
      act: (store) => store.create({ name: "old" }),
      allowed: [["old"], ["old", undefined]],
    },
  ];

  it.each(STEPS)(
    "never exists without its name, at whichever call the process dies while it is $what (SN-16, SN-26)",
    async ({ act, allowed }) => {
      const seen = new Set<string>();
      let finished = false;
      for (let deadAt = 1; !finished; deadAt++) {
        const { store, put, reopen } = bench({}, scratch(QUICK_PLACE));
        put("a", "1");
        await store.create({ name: "old" });
        let reached = 0;
        const undo = interceptCalls((number, _name, args, proceed) => {
          reached = number;
          if (number >= deadAt) throw Object.assign(new Error("dead"), { code: "EIO" });
          return proceed(...args);
        });
        finished = await act(store)
          .then(
            () => true,
            () => false,
          )
          .finally(undo);
        expect(reached).toBeGreaterThan(0);
        const again = reopen();
        const names = again.list().map(({ name }) => name);
        expect(allowed).toContainEqual(names);
        expect(again.verify().damaged).toEqual([]);
        for (const snapshot of again.list()) await again.restore(snapshot);
        seen.add(JSON.stringify(names));
      }
      expect(seen.size).toBe(2);
    },
  );
});
