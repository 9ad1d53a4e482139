import type { CallOptions, FilesystemLimits } from "@wink/filesystem";
import type { StagedFiles } from "@wink/filesystem/host";
import { AllowedRoots } from "./allowed-roots.js";
import type { HostMount, MountHostOptions, MountLeftOut } from "./host-mount.js";
import { type CopyObserver, MountCopy } from "./mount-copy.js";
import { planMounts } from "./plan-mounts.js";
import { walkMount } from "./walk-mount.js";

export interface CopyDirectoryOptions
  extends CallOptions,
    Pick<MountHostOptions, "onProgress">,
    CopyObserver {
  readonly limits: FilesystemLimits;
  /** Receives the files. The caller commits or discards it. */
  readonly sink: StagedFiles;
  /** Which files are copied. */
  readonly filter: Omit<HostMount, "hostPath" | "mountPath" | "git">;
}

export interface CopiedDirectory {
  readonly fileCount: number;
  readonly totalBytes: number;
  readonly leftOut: readonly MountLeftOut[];
}

/** Walks one host directory with the rules of mounts and copies its files to a sink. */
export async function copyDirectory(
  directory: string,
  { limits, sink, filter, signal, onProgress, ...observer }: CopyDirectoryOptions,
): Promise<CopiedDirectory> {
  const mount: HostMount = { ...filter, hostPath: "." };
  const options = { allowedHostRoots: [directory], signal, onProgress };
  const roots = AllowedRoots.open(options.allowedHostRoots, {});
  try {
    for (const { mountPath, place } of planMounts([mount], roots, { mountPoint: undefined })) {
      const total = { files: 0, bytes: 0 };
      const copy = new MountCopy(mount, mountPath, {
        sink,
        limits,
        roots,
        options,
        total,
        observer,
      });
      await walkMount(copy, place);
      await copy.pause();
      const { fileCount, totalBytes, leftOut } = copy;
      return { fileCount, totalBytes, leftOut };
    }
    return { fileCount: 0, totalBytes: 0, leftOut: [] };
  } finally {
    roots.close();
  }
}
