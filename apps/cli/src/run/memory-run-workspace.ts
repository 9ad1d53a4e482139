import { InMemoryFilesystem } from "@wink/filesystem";
import { VfsToolsSection } from "@wink/tools";
import { mountHost } from "@wink/workspace";
import type { Io } from "../terminal/io.js";
import { showCopying } from "../view/show-copying.js";
import { realDirectory } from "../workspace/workspace-place.js";
import type { OpenRunWorkspaceOptions, RunWorkspace } from "./run-workspace.js";

/**
 * Opens a copy in memory. It is fast, but its changes are lost when the process ends, unless they
 * are applied or written as a patch.
 */
export async function openMemoryRunWorkspace(
  io: Io,
  { directory, rev, signal }: OpenRunWorkspaceOptions,
): Promise<RunWorkspace> {
  const root = await realDirectory(directory);
  const filesystem = new InMemoryFilesystem();
  const mounts = [
    rev === undefined ? { hostPath: ".", gitignore: true } : { hostPath: ".", git: { rev } },
  ];
  const options = { allowedHostRoots: [root], onProgress: showCopying(io.status), signal };
  const mounted = await mountHost(filesystem, mounts, options);
  return {
    backend: "memory",
    directory: root,
    mounted: mounted.report,
    logFile: undefined,
    isKept: false,
    createSection: (session) =>
      VfsToolsSection.create({
        session,
        key: "workspace",
        filesystem,
        trackChanges: false,
        signal,
      }),
    async changes() {
      const changes = mounted.changes();
      return { files: await changes.files(), patch: await changes.toPatch() };
    },
    apply: () => mounted.changes().apply(),
    async [Symbol.asyncDispose]() {},
  };
}
