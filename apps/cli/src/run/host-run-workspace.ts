import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { VfsToolsSection } from "@wink/tools";
import type { Io } from "../io.js";
import { MountProgressLine } from "../view/mount-progress.js";
import { openWorkspace } from "../workspace/open-workspace.js";
import type { RunWorkspace } from "./run-workspace.js";

/** The workspace that is kept on disk for a directory: changes stay there until they are applied. */
export async function openHostRunWorkspace(
  io: Io,
  directory: string,
  signal: AbortSignal,
): Promise<RunWorkspace> {
  const progress = new MountProgressLine(io);
  const { onProgress } = progress;
  const options = { env: io.env, create: true, refresh: true, onProgress, signal };
  const workspace = await openWorkspace(directory, options).finally(() => progress.end());
  const { mounted } = await workspace.record();
  return {
    backend: "host",
    directory: workspace.directory,
    mounted: mounted ?? { fileCount: 0, totalBytes: 0 },
    logFile: join(workspace.place.sessions, `${runName()}.jsonl`),
    isKept: true,
    createSection: (session) =>
      VfsToolsSection.create({
        session,
        key: "workspace",
        filesystem: workspace.filesystem,
        trackChanges: false,
        signal,
      }),
    async changes() {
      const changes = await workspace.changes();
      return { files: changes.files, patch: await changes.toPatch() };
    },
    apply: () => workspace.apply(),
    [Symbol.asyncDispose]: () => workspace.close(),
  };
}

/** In order of time, and different for two runs that start at once. */
function runName(): string {
  const time = new Date().toISOString().replace(/[:.]/g, "-");
  return `${time}-${randomUUID().slice(0, 8)}`;
}
