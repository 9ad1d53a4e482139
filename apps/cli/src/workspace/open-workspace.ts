import type { FilesystemTransaction } from "@wink/filesystem";
import { HostFilesystem, type MountProgress } from "@wink/filesystem/host";
import { CliError } from "../cli-error.js";
import type { Io } from "../io.js";
import { mountWorkspace } from "./mount-workspace.js";
import { readRecord, WorkspaceTurn } from "./record-log.js";
import { Workspace } from "./workspace.js";
import { findPlace, makePlace, type WorkspacePlace } from "./workspace-place.js";
import { WorkspaceRecord } from "./workspace-record.js";

/** Where the files are for a model, whatever the directory is called here. */
export const MOUNT_POINT = "/workspace";

export interface OpenWorkspaceOptions {
  /** For where the state is kept. */
  readonly env: Io["env"];
  /** Whether a workspace is made where there is none. Without it that is an error. @default false */
  readonly create?: boolean | undefined;
  /**
   * Whether the directory is copied again when somebody has changed it, unless the workspace has changes of its own.
   *
   * @default false
   */
  readonly refresh?: boolean | undefined;
  /** Hears how far the copying has come. @default nobody does */
  readonly onProgress?: ((progress: MountProgress) => void) | undefined;
  /** Gives up the copying; the workspace is then made again at the next opening. @default it cannot be given up */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Opens the workspace of a directory. There is one for each directory, by its real path, and several processes may have it open.
 *
 * What a killed process had begun is finished or taken back first. Close what it resolves to.
 */
export async function openWorkspace(
  directory: string,
  options: OpenWorkspaceOptions,
): Promise<Workspace> {
  const { env, create = false, refresh = false, onProgress, signal } = options;
  const place = await findPlace(directory, env);
  if (!create && (await readRecord(place.record)) === undefined)
    throw new CliError(`There is no workspace for ${place.directory} yet.`, {
      hint: "wink run and wink mcp make one when they are used on a directory.",
    });
  await makePlace(place);
  const turn = new WorkspaceTurn(place.record);
  const filesystem = await openFiles(place, turn);
  const workspace = new Workspace(place, filesystem, turn);
  try {
    if (!(await isSettled(place)))
      await turn.run(async (record) => {
        await workspace.settle(record);
        if (record.state(WorkspaceRecord).phase === "ready") return;
        await mountWorkspace(place, { filesystem, record, onProgress, signal });
      });
    if (refresh) await workspace.refresh({ onProgress });
    return workspace;
  } catch (error) {
    await workspace.close();
    throw error;
  }
}

async function isSettled({ record }: WorkspacePlace): Promise<boolean> {
  const { phase, applying, undoing } = (await readRecord(record)) ?? WorkspaceRecord.initial;
  return phase === "ready" && applying === null && undoing === null;
}

/** The copy, with transactions that are in turn among processes: nobody applies half of a call. */
async function openFiles(place: WorkspacePlace, turn: WorkspaceTurn): Promise<HostFilesystem> {
  const filesystem = await HostFilesystem.open(place.files, {
    storeDirectory: place.store,
    mountPoint: MOUNT_POINT,
  });
  const begin = filesystem.begin.bind(filesystem);
  filesystem.begin = async (options) => {
    const release = await turn.take();
    try {
      return inTurn(await begin(options), release);
    } catch (error) {
      await release();
      throw error;
    }
  };
  return filesystem;
}

/** Gives the turn back when the transaction has ended. One that cannot be ended keeps it. */
function inTurn(
  transaction: FilesystemTransaction,
  release: () => Promise<void>,
): FilesystemTransaction {
  const end = async (ending: Promise<void>) => {
    await ending;
    await release();
  };
  return {
    commit: () => end(transaction.commit()),
    rollback: () => end(transaction.rollback()),
    [Symbol.asyncDispose]: () => end(Promise.resolve(transaction[Symbol.asyncDispose]())),
  };
}
