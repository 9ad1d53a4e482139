import { type Filesystem, InMemoryFilesystem } from "@wink/filesystem";
import { type MountedWorkspace, mountHost, recoverApply } from "../index.js";
import {
  contentsOf,
  type Operation,
  openWorkspace,
  type Prepared,
  reportedAsPartial,
} from "./operations.test.support.js";
import type { Place } from "./place.test.support.js";

const optionsFor = ({ host, state }: Place) => ({
  allowedHostRoots: [host],
  stateDirectory: state,
});

export function recoverMounted(place: Place): Promise<unknown> {
  return recoverApply(optionsFor(place));
}

function onHost(
  name: string,
  prepare: (place: Place) => Promise<Prepared["run"]>,
  leaves: Operation["leaves"] = "old or new tree",
): Operation {
  return {
    name,
    on: "host",
    leaves,
    prepare: async (place) => ({ run: await prepare(place), close: async () => {} }),
  };
}

const opening = (...given: Parameters<typeof onHost>): Operation => ({
  ...onHost(...given),
  opensTree: true,
});

async function mounted(
  place: Place,
): Promise<{ filesystem: Filesystem; workspace: MountedWorkspace }> {
  const filesystem = new InMemoryFilesystem();
  const workspace = await mountHost(filesystem, [{ hostPath: "." }], optionsFor(place));
  requireWhole(workspace);
  return { filesystem, workspace };
}

/** Throws if the mount is partial. Links are always left out. */
function requireWhole({ report }: MountedWorkspace): void {
  if (report.leftOut.some(({ reason }) => reason !== "symlink")) throw reportedAsPartial("mount");
}

/** Mounts the host and makes changes of every kind to the copy. */
export async function edited(place: Place): Promise<MountedWorkspace> {
  const { filesystem, workspace } = await mounted(place);
  await filesystem.write("dir/file.txt", "changed\n");
  await filesystem.write("new/deep/name.txt", "new\n");
  await filesystem.write("new.txt", "new\n", { executable: true });
  await filesystem.delete("gone/a.txt");
  await filesystem.delete("gone", { recursive: true });
  await filesystem.delete("dir/sub", { recursive: true });
  await filesystem.delete("leaf.txt");
  await filesystem.write("leaf.txt/inner.txt", "a directory now\n");
  return workspace;
}

function mountingIntoDirectory(name: string, on: Operation["on"]): Operation {
  return {
    name,
    on,
    leaves: "old or new files",
    opensTree: on === "host",
    async prepare(place) {
      const workspace = await openWorkspace(place);
      const mounts = [
        { hostPath: "dir", mountPath: "new" },
        { hostPath: "gone/a.txt", mountPath: "dir/new.txt" },
      ];
      return {
        async run() {
          const mounted = await mountHost(workspace, mounts, optionsFor(place));
          await mounted.ready();
          requireWhole(mounted);
          return mounted.report.fileCount;
        },
        close: () => workspace.close(),
      };
    },
  };
}

/** @param leaveDead creates the files that a process leaves if it is killed while it applies changes */
export function mountOperations(leaveDead: (place: Place) => void): readonly Operation[] {
  return [
    opening("mount into memory", async (place) => async () => {
      return await contentsOf((await mounted(place)).filesystem);
    }),
    mountingIntoDirectory("mount into a directory", "host"),
    mountingIntoDirectory("mount into a directory that is attacked", "workspace"),
    onHost("changes", async (place) => {
      const workspace = await edited(place);
      return async () => [
        await workspace.changes().files(),
        await workspace.changes().toPatch(),
        (await workspace.changes().apply({ dryRun: true })).written,
      ];
    }),
    onHost("apply", async (place) => {
      const workspace = await edited(place);
      return async () => {
        const { written, deleted } = await workspace.changes().apply();
        return { written, deleted };
      };
    }),
    onHost("apply and merge", async (place) => {
      const workspace = await edited(place);
      return async () => (await workspace.changes().apply({ onConflict: "merge" })).merged;
    }),
    onHost("undo", async (place) => {
      const changes = (await edited(place)).changes();
      const { undoToken = "" } = await changes.apply();
      return () => changes.undo(undoToken);
    }),
    onHost(
      "apply and undo",
      async (place) => {
        const changes = (await edited(place)).changes();
        return async () => {
          const { undoToken = "" } = await changes.apply();
          await changes.undo(undoToken);
        };
      },
      "steps",
    ),
    opening("recover after a process was killed in apply", async (place) => {
      leaveDead(place);
      return async () => (await recoverApply(optionsFor(place))).length;
    }),
  ];
}
