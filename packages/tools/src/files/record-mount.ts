import type { CallOptions, Filesystem } from "@wink/filesystem";
import type { Session } from "@wink/session";
import { MountFiles } from "../events/file-events.js";
import { VirtualFileSystem } from "./virtual-file-system.js";

export interface RecordMountOptions extends CallOptions {
  readonly session: Session;
}

/** Records the workspace's files in the session as version 0. */
export async function recordMount(
  workspace: string,
  filesystem: Filesystem,
  { session, signal }: RecordMountOptions,
): Promise<void> {
  session.install(VirtualFileSystem);
  const files: { path: string; sizeBytes: number }[] = [];
  for (const { path } of await filesystem.glob("**", { signal })) {
    const { sizeBytes } = await filesystem.stat(path, { signal });
    files.push({ path, sizeBytes });
  }
  session.dispatch(MountFiles({ workspace, files }));
}
