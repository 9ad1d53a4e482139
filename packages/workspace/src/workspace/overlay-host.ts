import { type OverlayFilesystem, overlay } from "@wink/filesystem";
import { HostFilesystem } from "@wink/filesystem/host";
import { ApplyBack } from "../apply/apply-back.js";
import { HostTarget } from "../apply/host-target.js";
import { recoverIn } from "../apply/recover-apply.js";
import type { ChangesOptions, WorkspaceChanges } from "../apply/workspace-changes.js";
import { WorkspaceStates } from "../changes/workspace-state.js";
import { AllowedRoots } from "../mount/allowed-roots.js";
import { checkMounts } from "../mount/check-mounts.js";
import { filteredView } from "../mount/filtered-view.js";
import type { HostMount, MountHostOptions, MountLeftOut } from "../mount/host-mount.js";
import { rulesAround } from "../mount/ignore-chain.js";
import { mountError } from "../mount/mount-error.js";
import { planMounts } from "../mount/plan-mounts.js";

/** A directory to show in an overlay, and what to leave out of it, as in a mount. */
export type OverlayMount = Pick<
  HostMount,
  | "hostPath"
  | "includeGlob"
  | "excludeGlob"
  | "gitignore"
  | "git"
  | "maxFileBytes"
  | "includeSecrets"
>;

export type OverlayHostOptions = Pick<
  MountHostOptions,
  "allowedHostRoots" | "stateDirectory" | "weakContainment" | "networkFilesystem" | "signal"
>;

/** A copy-on-write view of a host directory. */
export interface OverlaidHost extends AsyncDisposable {
  readonly filesystem: OverlayFilesystem;
  /** The changes in the overlay, to read or to write to the directory. */
  changes(options?: ChangesOptions): WorkspaceChanges;
  /**
   * The files that were left out so far, and why. A directory is checked when it is listed, and a content when it is
   * read, so the list grows.
   */
  leftOut(): readonly MountLeftOut[];
  /** Closes the directory. The overlay cannot be used afterwards. */
  close(): Promise<void>;
}

/**
 * Shows a directory of this machine through an overlay, without copying it: it is usable immediately, whatever its size.
 *
 * The same files are left out as in a mount, and the directory changes only by `changes().apply()`. A file that changes
 * on the host after it was first seen is `ESTALE`, also for `apply`.
 */
export async function overlayHost(
  mount: OverlayMount,
  options: OverlayHostOptions,
): Promise<OverlaidHost> {
  checkMounts([mount], options);
  options.signal?.throwIfAborted();
  const roots = AllowedRoots.open(options.allowedHostRoots, options);
  let opened: HostFilesystem | undefined;
  try {
    const [plan] = planMounts([{ ...mount, mountPath: "/" }], roots, { mountPoint: undefined });
    if (plan === undefined || !plan.isDirectory)
      throw mountError("ENOTDIR", mount.hostPath, "an overlay needs a directory");
    const { root, path } = plan.place;
    await recoverIn(options.stateDirectory, roots.roots);
    // Files of a commit are tracked, so no rule ignores them.
    const isIgnoring = mount.gitignore && mount.git === undefined;
    const around = isIgnoring ? rulesAround(root.root, path, true) : undefined;
    if (around === "ignored") throw mountError("EACCES", mount.hostPath, "it is ignored by git");
    const hostPath = path === "" ? root.canonical : `${root.canonical}/${path}`;
    const { weakContainment, networkFilesystem } = options;
    const revision =
      mount.git &&
      (await (
        await import("../git/revision-filesystem.js")
      ).openRevision(hostPath, mount.git.rev, options));
    if (revision === undefined)
      opened = await HostFilesystem.open(hostPath, {
        ...{ readOnly: true, weakContainment, networkFilesystem },
      });
    const base = revision?.filesystem ?? opened;
    if (base === undefined) throw new Error("There is a revision or a directory.");
    const view = filteredView(base, {
      mount: { ...mount, gitignore: isIgnoring },
      hostPath,
      placePath: path,
      outerRules: around,
    });
    const filesystem = overlay(view.filesystem, { mountPoint: undefined });
    const states = new WorkspaceStates(filesystem);
    const place = { root: { canonical: root.canonical, identity: root.identity }, path };
    const target = new HostTarget(
      [{ ...place, mountPath: plan.mountPath, isDirectory: true, commitId: revision?.commitId }],
      options,
    );
    const back = new ApplyBack(filesystem, states, target, await states.capture({}));
    const directory = opened;
    const close = async () => void (await directory?.close());
    return Object.freeze({
      filesystem,
      changes: (given?: ChangesOptions) => back.changes(given),
      leftOut: () => view.leftOut(),
      close,
      [Symbol.asyncDispose]: close,
    });
  } catch (error) {
    await opened?.close();
    throw error;
  } finally {
    roots.close();
  }
}
