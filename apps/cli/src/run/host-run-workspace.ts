import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { VfsToolsSection } from "@wink/tools";
import type { Io } from "../terminal/io.js";
import { remark } from "../terminal/print.js";
import { count } from "../view/amounts.js";
import { openWorkspace } from "../workspace/open-workspace.js";
import type { Workspace } from "../workspace/workspace.js";
import type { OpenRunWorkspaceOptions, RunWorkspace } from "./run-workspace.js";

/** Opens the persistent workspace of a directory. Changes stay there until they are applied. */
export async function openHostRunWorkspace(
  io: Io,
  { directory, goesOn, signal }: OpenRunWorkspaceOptions,
): Promise<RunWorkspace> {
  const { env, status } = io;
  const options = { env, create: true, status, signal };
  const workspace = await openWorkspace(directory, options);
  try {
    if (!goesOn) await startFresh(io, workspace);
    await workspace.refresh({ status });
  } catch (error) {
    await workspace.close();
    throw error;
  }
  const { mounted } = await workspace.record();
  return {
    backend: "host",
    directory: workspace.directory,
    mounted: mounted ?? undefined,
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

/**
 * Resets the workspace to the state of the directory. Unapplied changes are saved as a snapshot
 * first.
 */
async function startFresh(io: Io, workspace: Workspace): Promise<void> {
  io.status.show("comparing the workspace with the directory");
  const { base } = await workspace.record();
  const { files, isEmpty } = await workspace.changes();
  if (isEmpty || base === null) return;
  const name = `before-${new Date()
    .toISOString()
    .replace(/[^0-9]/g, "")
    .slice(0, 17)}`;
  await workspace.restore(base, { keepAs: name, tag: "unapplied changes of an earlier run" });
  const what = count(files.length, "unapplied change");
  remark(io, `The workspace had ${what}, now in the snapshot ${name}.`);
  remark(io, "This run starts from the directory. To start from the changes, use --continue.");
}

/** Sorts by time, and is unique for two runs that start at the same time. */
function runName(): string {
  const time = new Date().toISOString().replace(/[:.]/g, "-");
  return `${time}-${randomUUID().slice(0, 8)}`;
}
