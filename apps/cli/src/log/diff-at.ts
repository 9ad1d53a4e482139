import { InMemoryFilesystem } from "@wink/filesystem";
import type { Session } from "@wink/session";
import { isToolsError, MountFiles, replayFiles } from "@wink/tools";
import { mountHost } from "@wink/workspace";
import { CliError } from "../terminal/cli-error.js";
import { EXIT_CODES } from "../terminal/exit-codes.js";

/**
 * Returns the run's changes up to the last event of `session`, as a patch. It repeats the changes
 * on an in-memory copy of the original directory.
 *
 * Throws if the directory has changed since the start of the run, and if the log alone does not
 * have all changes: then the patch would be wrong.
 */
export async function diffAt(session: Session, directory: string): Promise<string> {
  const filesystem = new InMemoryFilesystem();
  const mounts = [{ hostPath: ".", gitignore: true }];
  const mounted = await mountHost(filesystem, mounts, { allowedHostRoots: [directory] });
  await requireFirstState(session, filesystem, directory);
  try {
    await replayFiles(session.events, filesystem);
  } catch (cause) {
    if (!isToolsError(cause)) throw changedSince(directory, cause);
    throw new CliError(`The log does not have all changes of the run: ${cause.message}`, {
      exitCode: EXIT_CODES.refused,
      hint: "`wink diff` shows the changes that are in the workspace now.",
      cause,
    });
  }
  return await mounted.changes().toPatch();
}

/** Compares path and size, because the log records only these. */
async function requireFirstState(
  session: Session,
  filesystem: InMemoryFilesystem,
  directory: string,
): Promise<void> {
  const first = session.events.of(MountFiles).flatMap(({ payload }) => payload.files);
  for (const { path, sizeBytes } of first) {
    const isSame =
      (await filesystem.exists(path)) && (await filesystem.stat(path)).sizeBytes === sizeBytes;
    if (!isSame) throw changedSince(directory);
  }
}

function changedSince(directory: string, cause?: unknown): CliError {
  return new CliError(`${directory} has changed since the start of the run.`, {
    exitCode: EXIT_CODES.refused,
    hint: "--diff repeats the changes on the original directory; `wink undo` undoes an apply.",
    cause,
  });
}
