import { DriverFilesystem, type FilesystemSnapshot } from "@wink/filesystem";
import type { HostFilesystem } from "@wink/filesystem/host";
import {
  collect,
  contentsOf,
  type Operation,
  onWorkspace,
  openWorkspace,
} from "./operations.test.support.js";
import type { Place } from "./place.test.support.js";

/** Makes one change of each kind. */
export async function change(fs: HostFilesystem): Promise<void> {
  await fs.write("dir/file.txt", "changed\n");
  await fs.write("new.txt", "new\n");
  await fs.delete("leaf.txt");
  await fs.move("dir/sub", "new");
  await fs.copy("other", "dir/sub");
  await fs.delete("gone", { recursive: true });
  await fs.mkdir("empty");
}

/** An operation that starts from a snapshot, after changes of every kind were made. */
function afterSnapshot(
  name: string,
  run: (fs: HostFilesystem, snapshot: FilesystemSnapshot) => Promise<unknown>,
): Operation {
  return {
    name,
    on: "workspace",
    leaves: "old or new tree",
    async prepare(place) {
      const fs = await openWorkspace(place);
      const snapshot = await fs.snapshot({ name: "first" });
      await change(fs);
      // Swaps need these files.
      await fs.write("gone/a.txt", "again\n");
      await fs.write("leaf.txt", "again\n");
      return { run: () => run(fs, snapshot), close: () => fs.close() };
    },
  };
}

type Ending = "commit" | "rollback";

function transaction(name: string, ending: Ending, full: boolean): Operation {
  return onWorkspace(name, (fs) => inTransaction(fs, ending, full, change));
}

async function inTransaction(
  fs: HostFilesystem,
  ending: Ending,
  full: boolean,
  work: (fs: HostFilesystem) => Promise<unknown>,
): Promise<void> {
  const begun = await fs.begin({ full });
  try {
    await work(fs);
    await begun[ending]();
  } catch (error) {
    await begun.rollback();
    throw error;
  }
}

/** Opens the workspace, which recovers the work of a killed process. */
function opening(name: string, leave: (place: Place) => void): Operation {
  return {
    name,
    on: "workspace",
    leaves: "old or new tree",
    opensTree: true,
    async prepare(place) {
      leave(place);
      let opened: HostFilesystem | undefined;
      return {
        async run() {
          opened = await openWorkspace(place);
        },
        close: async () => await opened?.close(),
      };
    },
  };
}

/** @param leaveDead creates the files that a process leaves if it is killed in a transaction */
export function storeOperations(leaveDead: (place: Place) => void): readonly Operation[] {
  return [
    onWorkspace("snapshot", async (fs) => {
      const snapshot = await fs.snapshot({ name: "first" });
      return [snapshot.name, snapshot.leftOut];
    }),
    afterSnapshot("snapshot again", async (fs) => (await fs.snapshot({ tag: "second" })).tag),
    afterSnapshot("restore", (fs, snapshot) => fs.restore(snapshot)),
    afterSnapshot("diff", async (fs, snapshot) => (await fs.diff(snapshot)).files),
    afterSnapshot("toPatch", async (fs, snapshot) => (await fs.diff(snapshot)).toPatch()),
    afterSnapshot("snapshots", async (fs) => (await fs.snapshots()).map(({ name }) => name)),
    afterSnapshot("deleteSnapshot", (fs, snapshot) => fs.deleteSnapshot(snapshot)),
    afterSnapshot("prune", async (fs) => {
      return (await fs.prune({ maxCount: 0, keepNamed: false })).deleted.length;
    }),
    afterSnapshot("verify", async (fs) => {
      const { snapshotCount, damaged } = await fs.verify();
      return { snapshotCount, damaged: damaged.length };
    }),
    afterSnapshot("exportSnapshot", async (fs, snapshot) => {
      const archive = await collect(fs.exportSnapshot(snapshot));
      return Buffer.concat(archive).length;
    }),
    afterSnapshot("importSnapshot and restore", async (fs, snapshot) => {
      const archive = await collect(fs.exportSnapshot(snapshot));
      await fs.restore(await fs.importSnapshot(archive));
    }),
    onWorkspace("fork", async (fs) => {
      const fork = await fs.fork();
      try {
        const contents = await contentsOf(fork);
        await fork.delete("dir", { recursive: true });
        return contents;
      } finally {
        if (fork instanceof DriverFilesystem) await fork.close();
      }
    }),
    transaction("begin and commit", "commit", false),
    transaction("begin and roll back", "rollback", false),
    transaction("begin with full and commit", "commit", true),
    transaction("begin with full and roll back", "rollback", true),
    onWorkspace("delete a directory and commit", (fs) =>
      inTransaction(fs, "commit", false, () => fs.delete("dir", { recursive: true })),
    ),
    onWorkspace("nested transactions", (fs) =>
      inTransaction(fs, "commit", false, async () => {
        await fs.write("leaf.txt", "outer\n");
        await inTransaction(fs, "rollback", false, () => fs.delete("dir", { recursive: true }));
        await inTransaction(fs, "commit", false, () => fs.copy("dir", "new"));
      }),
    ),
    onWorkspace("close with an open transaction", (fs) => fs.close(), {
      before: async (fs) => {
        await fs.begin();
        await change(fs);
      },
    }),
    opening("open", () => {}),
    opening("open after a process was killed in a transaction", leaveDead),
  ];
}
