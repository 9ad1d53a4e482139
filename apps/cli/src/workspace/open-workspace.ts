import { existsSync } from "node:fs";
import { HostFilesystem } from "@wink/filesystem/host";
import { isSessionError } from "@wink/session";
import { CliError } from "../terminal/cli-error.js";
import { EXIT_CODES } from "../terminal/exit-codes.js";
import type { Io } from "../terminal/io.js";
import type { StatusLine } from "../terminal/status-line.js";
import { count } from "../view/amounts.js";
import { InPlace } from "./in-place.js";
import { mountWorkspace } from "./mount-workspace.js";
import { readRecord, WorkspaceTurn } from "./record-log.js";
import { Workspace } from "./workspace.js";
import { findPlace, makePlace, type WorkspacePlace } from "./workspace-place.js";
import { WorkspaceRecord } from "./workspace-record.js";

/** The path of the files for a model, independent of the real directory. */
export const MOUNT_POINT = "/workspace";

export interface OpenWorkspaceOptions {
  /** Used to find the state directory. */
  readonly env: Io["env"];
  /** Whether to create a missing workspace. Otherwise that is an error. @default false */
  readonly create?: boolean | undefined;
  /**
   * Whether to copy the directory again if it has changed and the workspace has no changes.
   *
   * @default false
   */
  readonly refresh?: boolean | undefined;
  /**
   * Whether to apply every transaction to the directory when it commits. Refused while the
   * workspace has unapplied changes.
   *
   * @default false
   */
  readonly inPlace?: boolean | undefined;
  /** Shows the progress. @default nothing is shown */
  readonly status?: StatusLine | undefined;
  /** Cancels the copying. The next opening then repeats it. @default it cannot be cancelled */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Opens the workspace of a directory. Each directory, by its real path, has one workspace, and
 * several processes may open it.
 *
 * It first finishes or rolls back what a killed process had started. Close the result.
 */
export async function openWorkspace(
  directory: string,
  options: OpenWorkspaceOptions,
): Promise<Workspace> {
  const { env, create = false, refresh = false, inPlace = false, status, signal } = options;
  const place = await findPlace(directory, env);
  const known = await readWhole(place);
  if (!create && known === undefined)
    throw new CliError(`${place.directory} has no workspace yet.`, {
      hint: "`wink run` and `wink mcp` create one.",
    });
  await makePlace(place);
  status?.show("opening the workspace");
  const turn = new WorkspaceTurn(place.record);
  const filesystem = await HostFilesystem.open(place.files, {
    storeDirectory: place.store,
    mountPoint: MOUNT_POINT,
  });
  const workspace = new Workspace(
    place,
    filesystem,
    turn,
    inPlace ? (own) => new InPlace(own, turn) : undefined,
  );
  try {
    if (!(await isSettled(place)))
      await turn.run(async (record) => {
        await workspace.settle(record);
        const now = record.state(WorkspaceRecord);
        if (now.phase === "ready" && !now.inPlace) return;
        await mountWorkspace(place, { filesystem, record, status, signal });
      });
    if (refresh) await workspace.refresh({ status, signal });
    if (inPlace) await requireNoChanges(workspace);
    return workspace;
  } catch (error) {
    await workspace.close();
    throw error;
  }
}

/**
 * Reads the workspace record. Throws if a part of the workspace is missing: without its copy, every
 * file would count as deleted, and an apply would delete them.
 */
async function readWhole(place: WorkspacePlace): Promise<WorkspaceRecord | undefined> {
  const known = await readRecord(place.record).catch((error: unknown) => {
    throw isSessionError(error) ? damaged(place, error) : error;
  });
  const isWhole = existsSync(place.files) && existsSync(place.store);
  if (known?.phase === "ready" && !isWhole) throw damaged(place);
  return known;
}

function damaged({ directory, home }: WorkspacePlace, cause?: unknown): CliError {
  return new CliError(`The workspace of ${directory} is damaged, or of another version.`, {
    hint: `The directory itself is unchanged. To start again without the unapplied changes, delete ${home}.`,
    cause,
  });
}

async function isSettled({ record }: WorkspacePlace): Promise<boolean> {
  const known = (await readRecord(record)) ?? WorkspaceRecord.initial;
  const { phase, applying, undoing, inPlace } = known;
  return phase === "ready" && applying === null && undoing === null && !inPlace;
}

async function requireNoChanges(workspace: Workspace): Promise<void> {
  const { files } = await workspace.changes();
  if (files.length === 0) return;
  const what = count(files.length, "change");
  throw new CliError(`The workspace of ${workspace.directory} has ${what} that are not applied.`, {
    exitCode: EXIT_CODES.refused,
    hint: "Write them to the directory with `wink apply`, or discard them with `wink changes --discard`.",
    directory: workspace.directory,
  });
}
