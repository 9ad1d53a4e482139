import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { createFilesystem } from "../../backend/create-filesystem.js";
import type { VirtualPath } from "../../path/virtual-path.js";
import { openHostRoot } from "../containment/open-host-root.js";
import { hostDriver } from "../driver/host-driver.js";
import { withSnapshots } from "../open/with-snapshots.js";
import { manifest, putFile, scratch } from "../snapshots/store-fixture.test.support.js";

async function setup(place = scratch()) {
  const workspace = join(place, "workspace");
  mkdirSync(workspace, { recursive: true });
  for (const path of ["a", "folder/b", "folder/deep/c", "link-target"])
    putFile(join(workspace, path), path);
  const root = openHostRoot(workspace);
  const driver = await withSnapshots(hostDriver(root, { fsync: false }), root, { fsync: false });
  const fs = createFilesystem(driver, { root: workspace });
  return { workspace, fs, driver, state: () => manifest(workspace) };
}

type Filesystem = Awaited<ReturnType<typeof setup>>["fs"];

const changes: readonly {
  readonly what: string;
  readonly change: (fs: Filesystem) => Promise<unknown>;
}[] = [
  { what: "an overwrite", change: (fs) => fs.write("a", "new", { mode: "overwrite" }) },
  { what: "an append", change: (fs) => fs.write("a", "new", { mode: "append" }) },
  { what: "a new file in new directories", change: (fs) => fs.write("x/y/z", "new") },
  { what: "a new directory", change: (fs) => fs.mkdir("x/y") },
  { what: "the removal of a file", change: (fs) => fs.delete("a") },
  { what: "the removal of a tree", change: (fs) => fs.delete("folder", { recursive: true }) },
  { what: "a move", change: (fs) => fs.move("folder", "moved") },
  { what: "a move onto a file", change: (fs) => fs.move("folder/b", "a", { overwrite: true }) },
  { what: "a copy of a tree", change: (fs) => fs.copy("folder", "copied") },
  {
    what: "a stream",
    async change(fs) {
      const writer = await fs.openWrite("a", { mode: "overwrite" });
      await writer.write(Buffer.from("streamed"));
      await writer.close();
    },
  },
  {
    what: "a name that is reused several times",
    async change(fs) {
      await fs.delete("folder", { recursive: true });
      await fs.write("folder", "a file now");
      await fs.delete("folder");
      await fs.write("folder/b/c", "deeper");
      await fs.move("folder", "a-folder");
      await fs.write("folder", "again");
    },
  },
];

describe("a transaction whose process seems to be alive", () => {
  const openBeside = async (workspace: string, takesOver?: string) => {
    const root = openHostRoot(workspace);
    const storeDirectory = join(workspace, "..", "store");
    const options = { fsync: false, storeDirectory, takesOver };
    return await withSnapshots(hostDriver(root, { fsync: false }), root, options);
  };

  it.each([false, true])(
    "is ended only by the process that has its commit file (SN-23, full: %s)",
    async (full) => {
      const { workspace, state } = await setup();
      const before = state();
      const file = join(workspace, "..", "decision");
      for (const line of ["first", "second"]) {
        const driver = await openBeside(workspace);
        await driver.snapshots.begin({ full, committedBy: { file, line } });
        driver.write("a" as VirtualPath, Buffer.from("new"), "overwrite");
        const changed = state();
        await (await openBeside(workspace)).close();
        expect(state()).toEqual(changed);
        if (line === "second") writeFileSync(file, "second\n");
        await (await openBeside(workspace, file)).close();
        expect(state()).toEqual(line === "second" ? changed : before);
        // This driver plays a dead process, and its log is gone.
        await driver.close().catch(() => {});
        expect(state()).toEqual(line === "second" ? changed : before);
      }
    },
  );
});

describe("a transaction", () => {
  it.each(changes)("rolls back $what, or commits it", async ({ change }) => {
    const { fs, state } = await setup();
    const before = state();
    const undone = await fs.begin();
    await change(fs);
    expect(state()).not.toEqual(before);
    await undone.rollback();
    expect(state()).toEqual(before);

    const kept = await fs.begin();
    await change(fs);
    const after = state();
    await kept.commit();
    expect(state()).toEqual(after);
    await fs.close();
  });

  it("works inside another transaction, whichever way each of them ends", async () => {
    const { fs, state } = await setup();
    const before = state();
    const outer = await fs.begin();
    await fs.write("a", "outer", { mode: "overwrite" });
    const between = state();
    const lost = await fs.begin();
    await fs.write("a", "lost", { mode: "overwrite" });
    await fs.delete("folder", { recursive: true });
    await lost.rollback();
    expect(state()).toEqual(between);
    const kept = await fs.begin();
    await fs.move("folder", "elsewhere");
    await kept.commit();
    expect(await fs.exists("elsewhere/b")).toBe(true);
    await outer.rollback();
    expect(state()).toEqual(before);
    await fs.close();
  });

  it("with full rolls back changes that other programs made, also inside another transaction", async () => {
    const { fs, state, workspace } = await setup();
    const before = state();
    const outer = await fs.begin();
    await fs.write("a", "outer", { mode: "overwrite" });
    const between = state();
    const full = await fs.begin({ full: true });
    writeFileSync(join(workspace, "folder/b"), "in place, by a shell");
    rmSync(join(workspace, "folder/deep"), { recursive: true });
    await fs.write("new", "by us");
    await full.rollback();
    expect(state()).toEqual(between);
    await outer.rollback();
    expect(state()).toEqual(before);
    expect(await fs.snapshots()).toEqual([]);
    await fs.close();
  });

  it("leaves no files next to the workspace", async () => {
    const { fs, workspace } = await setup();
    const transaction = await fs.begin();
    await fs.delete("folder", { recursive: true });
    await transaction.commit();
    await fs.close();
    expect(readdirSync(dirname(workspace))).toEqual(["workspace"]);
  });

  it("that was neither committed nor rolled back is rolled back when the workspace is closed", async () => {
    const { fs, state } = await setup();
    const before = state();
    await fs.begin();
    await fs.write("a", "undecided", { mode: "overwrite" });
    await fs.begin({ full: true });
    await fs.write("b", "undecided");
    await fs.close();
    expect(state()).toEqual(before);
  });

  it("costs the same number of system calls in a small and in a large workspace", async () => {
    const { driver } = await setup();
    const count = async (body: () => void) => {
      const { interceptCalls } = await import("../snapshots/intercepted-calls.test.support.js");
      let calls = 0;
      const undo = interceptCalls((number, _name, args, proceed) => {
        calls = number;
        return proceed(...args);
      });
      body();
      undo();
      return calls;
    };
    const once = () => {
      const transaction = driver.snapshots.begin({ full: false });
      if (transaction instanceof Promise) throw new Error("the transaction has no undo log");
      driver.write("a" as never, Buffer.from("x"), "overwrite");
      void transaction.rollback();
    };
    once();
    const small = await count(once);
    for (let index = 0; index < 500; index++)
      driver.write(`f${index}` as never, Buffer.from("x"), "create");
    expect(await count(once)).toBe(small);
    await driver.close();
  });

  it("saves the whole state if the undo log cannot be created next to the workspace", async (context) => {
    const place = scratch();
    const workspace = join(place, "workspace");
    mkdirSync(workspace);
    try {
      execFileSync("mount", ["-t", "tmpfs", "tmpfs", workspace], { stdio: "ignore" });
    } catch {
      return context.skip("nothing can be mounted here");
    }
    try {
      const { fs, state } = await setup(place);
      const before = state();
      const transaction = await fs.begin();
      await fs.delete("folder", { recursive: true });
      await fs.write("a", "changed", { mode: "overwrite" });
      await transaction.rollback();
      expect(state()).toEqual(before);
      await fs.close();
    } finally {
      execFileSync("umount", ["-l", workspace]);
    }
  });
});

describe("a fork", () => {
  it("starts from the current files and is independent from then on", async () => {
    const { fs, workspace, state } = await setup();
    writeFileSync(join(workspace, "run"), "#!/bin/sh\n", { mode: 0o755 });
    const fork = await fs.fork();
    expect(await fork.glob("**")).toEqual(await fs.glob("**"));
    const before = state();
    await fork.write("a", "in the fork", { mode: "overwrite" });
    await fork.delete("folder", { recursive: true });
    expect(state()).toEqual(before);
    await fs.write("a", "in the original", { mode: "overwrite" });
    expect((await fork.read("a")).content).toBe("in the fork");
    const snapshot = await fork.snapshot();
    await expect(fs.restore(snapshot)).rejects.toMatchObject({
      code: expect.stringMatching(/UNKNOWN|FOREIGN/),
    });
    // A fork has the same class as the filesystem it was made from.
    await (fork as typeof fs).close();
    await fs.close();
  });

  it("is removed when it is closed", async () => {
    const { driver } = await setup();
    const fork = await driver.snapshots.fork();
    // The fork of a host directory is a host directory, so it has a root.
    const { root } = fork as { readonly root?: string };
    expect(readFileSync(join(root ?? "", "a"), "utf8")).toBe("a");
    await fork.close?.();
    expect(existsSync(root ?? "")).toBe(false);
    await driver.close();
  });
});
