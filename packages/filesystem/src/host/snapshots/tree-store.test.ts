import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import type { TreeEntry } from "../../snapshots/tree-view.js";
import { removeHostTreeNow } from "../containment/remove-tree.js";
import { HostFilesystem } from "../open/host-filesystem.js";
import { type StateChange, TreeStore } from "./tree-store.js";

function scratch(): string {
  const directory = mkdtempSync(join(tmpdir(), "wink-tree-store-"));
  onTestFinished(() => removeHostTreeNow(directory));
  return directory;
}

function file(path: string, text: string, executable = false): StateChange {
  const content = Buffer.from(text);
  return {
    path,
    after: {
      ...{ kind: "file", executable, sizeBytes: content.length, read: () => content },
      // The paths of these tests are normal.
      path: path as TreeEntry["path"],
    },
  };
}

function folder(path: string): StateChange {
  const [nothing] = [new Uint8Array()];
  const after = {
    kind: "directory",
    executable: false,
    sizeBytes: 0,
    read: () => nothing,
  } as const;
  return { path, after: { ...after, path: path as TreeEntry["path"] } };
}

function shown(store: TreeStore, state: string): Record<string, string> {
  return Object.fromEntries(
    [...store.entries(state)].map((entry) => [
      entry.path,
      entry.kind === "directory" ? "/" : `${Buffer.from(entry.read() as Uint8Array)}`,
    ]),
  );
}

const gone = (path: string): StateChange => ({ path, after: undefined });

it("a state is the earlier one with the changed paths, and costs what was touched (RUN-9)", async () => {
  const directory = scratch();
  const store = TreeStore.open(directory);
  const first = Array.from({ length: 500 }, (_, at) => file(`d${at % 50}/e/f${at}`, `${at}`));
  const base = await store.add("one", undefined, [...first, folder("empty")], "base");
  const objects = () =>
    readdirSync(join(directory, "objects"), { recursive: true, withFileTypes: true }).filter(
      (each) => each.isFile(),
    ).length;
  const before = objects();
  const next = await store.add("one", base, [file("d7/e/f7", "changed"), gone("d8/e")], "call");
  // A blob, the three directories on the way to it, and a commit. An empty directory is stored already.
  expect(objects() - before).toBe(5);
  const expected = shown(store, base);
  for (const path of Object.keys(expected)) if (path.startsWith("d8/e")) delete expected[path];
  expect(shown(store, next)).toEqual({ ...expected, "d7/e/f7": "changed" });
  expect(shown(store, base)["empty"]).toBe("/");
  store.close();
});

it("changes apply in their order, and a directory stays when its last file is removed (RUN-9)", async () => {
  const store = TreeStore.open(scratch());
  const base = await store.add("one", undefined, [file("a/b", "1"), file("c", "2", true)], "base");
  const next = await store.add(
    "one",
    base,
    [gone("a/b"), gone("c"), folder("c"), file("c/d", "3")],
    "call",
  );
  expect(shown(store, next)).toEqual({ a: "/", c: "/", "c/d": "3" });
  expect((await store.diff(base, next)).files.map(({ type, path }) => `${type} ${path}`)).toEqual([
    "deleted a/b",
    "deleted c",
    "added c/d",
  ]);
  store.close();
});

it("garbage collection keeps every state of a run, and git can read them (RUN-10)", async () => {
  const [workspace, directory] = [scratch(), join(scratch(), "store")];
  await using filesystem = await HostFilesystem.open(workspace, { storeDirectory: directory });
  await filesystem.write("a.txt", "base");
  const snapshot = await filesystem.snapshot();
  const store = TreeStore.open(directory);
  const base = store.treeOf(snapshot.commitRef);
  expect(base).toBeDefined();
  const states = [await store.add("one", base, [], "base")];
  for (const text of ["1", "2", "3"])
    states.push(await store.add("one", states.at(-1), [file("a.txt", text)], `call ${text}`));
  store.close();
  await filesystem.deleteSnapshot(snapshot);

  const reader = TreeStore.read(directory);
  const texts = states.map((state) => shown(reader, state)["a.txt"]);
  expect(texts).toEqual(["base", "1", "2", "3"]);
  reader.close();
  const log = execFileSync("git", ["log", "--format=%s", "refs/wink/runs/one"], {
    cwd: directory,
    env: {
      ...process.env,
      GIT_CONFIG_COUNT: "1",
      GIT_CONFIG_KEY_0: "safe.directory",
      GIT_CONFIG_VALUE_0: "*",
    },
  });
  expect(`${log}`.trim().split("\n")).toEqual(["call 3", "call 2", "call 1", "base"]);
});

it("a store that is open for reading refuses to store, and creates nothing (RUN-10)", async () => {
  const directory = scratch();
  const store = TreeStore.read(join(directory, "none"));
  await expect(store.add("one", undefined, [], "base")).rejects.toMatchObject({
    code: "INVALID_STORE",
  });
  expect(readdirSync(directory)).toEqual([]);
});
