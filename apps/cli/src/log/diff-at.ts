import { InMemoryFilesystem } from "@wink/filesystem";
import { mountHost } from "@wink/filesystem/host";
import type { Session } from "@wink/session";
import { MountFiles, replayFiles } from "@wink/tools";
import { CliError } from "../terminal/cli-error.js";
import { EXIT_CODES } from "../terminal/exit-codes.js";

/**
 * What a run had changed after the last event of `session`, as a patch: its changes made again on a copy in memory of the
 * directory it began with. What commands in a container changed is in no event, so it is not in the patch.
 *
 * Throws when the directory is no longer what the run began with.
 */
export async function diffAt(session: Session, directory: string): Promise<string> {
  const filesystem = new InMemoryFilesystem();
  const mounts = [{ hostPath: ".", gitignore: true }];
  const mounted = await mountHost(filesystem, mounts, { allowedHostRoots: [directory] });
  await requireFirstState(session, filesystem, directory);
  try {
    await replayFiles(session.events, filesystem);
  } catch (cause) {
    throw changedSince(directory, cause);
  }
  return await mounted.changes().toPatch();
}

/** By path and size, which is what the log has of it. */
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
  return new CliError(`${directory} is not as it was when the run began.`, {
    exitCode: EXIT_CODES.refused,
    hint: "--diff makes the run's changes again on what it began with; wink undo takes applied ones back.",
    cause,
  });
}
