import { type Filesystem, FilesystemError, isFilesystemError, paths } from "@wink/filesystem";
import { errorCode, fromNodeError, HostFilesystem, type StagedFiles } from "@wink/filesystem/host";
import { ApplyBack } from "../apply/apply-back.js";
import { HostTarget } from "../apply/host-target.js";
import { recoverIn } from "../apply/recover-apply.js";
import type { RecoveredApply } from "../apply/run-steps.js";
import type { ChangesOptions } from "../apply/workspace-changes.js";
import { WorkspaceStates } from "../changes/workspace-state.js";
import { isWorkspaceError } from "../error/workspace-error.js";
import { AllowedRoots } from "../mount/allowed-roots.js";
import { checkMounts } from "../mount/check-mounts.js";
import { filesystemSink } from "../mount/filesystem-sink.js";
import type { HostMount, MountHostOptions } from "../mount/host-mount.js";
import { MountCopy } from "../mount/mount-copy.js";
import { mountError } from "../mount/mount-error.js";
import { type MountPlan, planMounts } from "../mount/plan-mounts.js";
import { walkMount } from "../mount/walk-mount.js";
import type { MountedWorkspace, MountReport } from "./mounted-workspace.js";

/**
 * Copies files of this machine into a workspace.
 *
 * All or nothing: if it fails, the workspace stays unchanged. Files are read through open directory descriptors and no
 * symbolic link is followed unless `followSymlinks` is set, so another process cannot redirect the copy. The report
 * lists everything that was left out and why. Rejects with `EACCES` for a path that is not allowed, `ENOENT` for a
 * missing path, `EINVAL` for mounts that overlap, `EFBIG` over `maxBytes` or `maxFiles`, `EDQUOT` over a quota of the
 * workspace and `EEXIST` if a path already exists in the workspace.
 */
export async function mountHost(
  filesystem: Filesystem,
  mounts: readonly HostMount[],
  options: MountHostOptions,
): Promise<MountedWorkspace> {
  checkMounts(mounts, options);
  const { signal } = options;
  signal?.throwIfAborted();
  if (filesystem.readOnly) throw new FilesystemError("EROFS", { operation: "mount", path: "." });
  const roots = AllowedRoots.open(options.allowedHostRoots, options);
  try {
    const plans = planMounts(mounts, roots, filesystem);
    const recovered = await recoverIn(options.stateDirectory, roots.roots);
    const copies = await copyAll(filesystem, plans, roots, options);
    const isTracked = options.trackChanges ?? true;
    const states = new WorkspaceStates(filesystem);
    const base = isTracked ? states.capture({ signal }) : undefined;
    // On a host directory the snapshot takes about as long as the copy. It is next in the filesystem's queue, so every
    // later change through the filesystem waits for it, and `mountHost` need not wait.
    if (!(filesystem instanceof HostFilesystem)) await base;
    // `changes` and `ready` report a failure. This handler only avoids an unhandled rejection when neither is called.
    base?.catch(() => {});
    const report = reportOf(copies, recovered);
    const places = plans.map(({ place: { root, path }, mountPath, isDirectory }, index) => ({
      root: { canonical: root.canonical, identity: root.identity },
      path,
      mountPath,
      isDirectory,
      commitId: copies[index]?.commitId,
    }));
    const back = base && new ApplyBack(filesystem, states, new HostTarget(places, options), base);
    return Object.freeze({
      report,
      ready: async () => void (await base),
      changes(given?: ChangesOptions) {
        if (back !== undefined) return back.changes(given);
        throw mountError("EINVAL", ".", "changes are not tracked; set trackChanges");
      },
    });
  } finally {
    roots.close();
  }
}

async function copyAll(
  filesystem: Filesystem,
  plans: readonly MountPlan[],
  roots: AllowedRoots,
  options: MountHostOptions,
): Promise<readonly MountCopy[]> {
  const sink = openSink(filesystem);
  const target = { sink, limits: filesystem.limits, roots, options, total: { files: 0, bytes: 0 } };
  try {
    const copies: MountCopy[] = [];
    for (const { mount, mountPath, place } of plans) {
      const copy = new MountCopy(mount, mountPath, target);
      copies.push(copy);
      await withMountErrors(mount, async () => {
        if (mount.git === undefined) return await walkMount(copy, place);
        const { mountRevision } = await import("../git/mount-revision.js");
        copy.commitId = await mountRevision(copy, place, mount.git.rev, options.signal);
      });
      await copy.pause();
    }
    await withMountErrors(undefined, () => sink.commit(options.signal));
    return copies;
  } catch (error) {
    await sink.discard();
    throw error;
  }
}

/** A host directory without quotas gets files directly. Other filesystems are written through their own methods. */
function openSink(filesystem: Filesystem): StagedFiles {
  const staged = filesystem instanceof HostFilesystem ? filesystem.stageFiles() : undefined;
  return staged ?? filesystemSink(filesystem);
}

async function withMountErrors(
  mount: HostMount | undefined,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (isFilesystemError(error) || isWorkspaceError(error) || errorCode(error) === undefined)
      throw error;
    throw fromNodeError(error, "mount", mount?.hostPath ?? ".");
  }
}

function reportOf(copies: readonly MountCopy[], recovered: readonly RecoveredApply[]): MountReport {
  const sum = (of: (copy: MountCopy) => number) =>
    copies.reduce((total, copy) => total + of(copy), 0);
  return Object.freeze({
    fileCount: sum(({ fileCount }) => fileCount),
    directoryCount: sum(({ directoryCount }) => directoryCount),
    totalBytes: sum(({ totalBytes }) => totalBytes),
    mounts: Object.freeze(
      copies.map(({ mount, mountPath, fileCount, totalBytes }) =>
        Object.freeze({
          hostPath: mount.hostPath,
          mountPath: `/${mountPath}`,
          fileCount,
          totalBytes,
        }),
      ),
    ),
    leftOut: Object.freeze(
      copies.flatMap(({ leftOut }) => leftOut).sort((a, b) => paths.compareBytes(a.path, b.path)),
    ),
    recovered,
  });
}
