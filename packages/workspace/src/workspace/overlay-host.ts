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
import type { HostMount, MountHostOptions } from "../mount/host-mount.js";
import { rulesAround } from "../mount/ignore-chain.js";
import { mountError } from "../mount/mount-error.js";
import { planMounts } from "../mount/plan-mounts.js";

/** A directory to show in an overlay, and what to leave out of it, as in a mount. */
export type OverlayMount = Pick<
  HostMount,
  "hostPath" | "includeGlob" | "excludeGlob" | "gitignore" | "maxFileBytes" | "includeSecrets"
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
  let base: HostFilesystem | undefined;
  try {
    const [plan] = planMounts([{ ...mount, mountPath: "/" }], roots, { mountPoint: undefined });
    if (plan === undefined || !plan.isDirectory)
      throw mountError("ENOTDIR", mount.hostPath, "an overlay needs a directory");
    const { root, path } = plan.place;
    await recoverIn(options.stateDirectory, roots.roots);
    const around = mount.gitignore ? rulesAround(root.root, path, true) : undefined;
    if (around === "ignored") throw mountError("EACCES", mount.hostPath, "it is ignored by git");
    const hostPath = path === "" ? root.canonical : `${root.canonical}/${path}`;
    const { weakContainment, networkFilesystem } = options;
    base = await HostFilesystem.open(hostPath, {
      ...{ readOnly: true, weakContainment, networkFilesystem },
    });
    const view = filteredView(base, { mount, hostPath, placePath: path, outerRules: around });
    const filesystem = overlay(view, { mountPoint: undefined });
    const states = new WorkspaceStates(filesystem);
    const place = { root: { canonical: root.canonical, identity: root.identity }, path };
    const target = new HostTarget(
      [{ ...place, mountPath: plan.mountPath, isDirectory: true, commitId: undefined }],
      options,
    );
    const back = new ApplyBack(filesystem, states, target, await states.capture({}));
    const opened = base;
    const close = () => opened.close();
    return Object.freeze({
      filesystem,
      changes: (given?: ChangesOptions) => back.changes(given),
      close,
      [Symbol.asyncDispose]: close,
    });
  } catch (error) {
    await base?.close();
    throw error;
  } finally {
    roots.close();
  }
}
