import { VfsToolsSection } from "@wink/tools";
import type { Workspace } from "@wink/workspace";
import { CliError } from "../terminal/cli-error.js";
import { EXIT_CODES } from "../terminal/exit-codes.js";
import type { Io } from "../terminal/io.js";
import { remark } from "../terminal/print.js";
import { count } from "../view/amounts.js";
import { showCopying } from "../view/show-copying.js";
import { openWorkspace } from "../workspace/open-workspace.js";
import type { OpenRunWorkspaceOptions, RunWorkspace } from "./run-workspace.js";

/** Opens the persistent workspace of a directory. Changes stay there until they are applied. */
export async function openHostRunWorkspace(
  io: Io,
  { directory, keepsChanges, isResumed = false, filter, signal }: OpenRunWorkspaceOptions,
): Promise<RunWorkspace> {
  const { env, status } = io;
  const shared = await openWorkspace(directory, { ...filter, env, create: true, status, signal });
  try {
    const run = await shared.startRun();
    try {
      const { workspace } = run;
      if (isResumed) requireAlone(run.line);
      else if (run.line === undefined) {
        if (!keepsChanges) await startFresh(io, workspace);
        status.show("looking for changes of the directory");
        await workspace.refresh({ signal, onProgress: showCopying(status) });
      } else remark(io, "Another run is active here, so this one works on its own copy.");
      // The earlier changes belong to a run that continues with them.
      const changes = () => (keepsChanges || isResumed ? workspace.changes() : run.changes());
      return {
        backend: "host",
        directory: workspace.directory,
        copied: { ...workspace.copied, leftOut: workspace.leftOut() },
        recording: {
          createDirectory: () => shared.runs.create(),
          // A line can be deleted with its store when its changes are merged.
          ...(run.line === undefined && { storeDirectory: workspace.storeDirectory }),
        },
        isKept: true,
        openFilesystem: async () => workspace.filesystem,
        createSection: (session) =>
          VfsToolsSection.create({ session, key: "workspace", workspace, signal }),
        changes,
        async apply(progress) {
          const { files } = await changes();
          return await workspace.apply({ ...progress, paths: files.map(({ path }) => path) });
        },
        keep: () => run.finish(),
        async [Symbol.asyncDispose]() {
          await run.close();
          await shared.close();
        },
      };
    } catch (error) {
      await run.close();
      throw error;
    }
  } catch (error) {
    await shared.close();
    throw error;
  }
}

function requireAlone(line: unknown): void {
  if (line === undefined) return;
  throw new CliError("Another run is active here.", {
    exitCode: EXIT_CODES.refused,
    hint: "Continue the run when the other one has ended.",
  });
}

/**
 * Resets the workspace to the state of the directory. Unapplied changes are saved as a snapshot
 * first.
 */
async function startFresh(io: Io, workspace: Workspace): Promise<void> {
  io.status.show("comparing the workspace with the directory");
  const name = `before-${new Date()
    .toISOString()
    .replace(/[^0-9]/g, "")
    .slice(0, 17)}`;
  const tag = "unapplied changes of an earlier run";
  const { files } = await workspace.discard({ keepAs: name, tag });
  if (files.length === 0) return;
  const what = count(files.length, "unapplied change");
  remark(io, `Saved ${what} as the snapshot ${name}.`);
  remark(io, "This run starts from the directory. To start from the changes, use --continue.");
}
