import { findProcess } from "@wink/filesystem/host";
import { isToolsError } from "../error/tools-error.js";
import type { ContainerEngine } from "./container-engine.js";
import { removeAbandonedWorkspaces } from "./overlay.js";
import { OWNER_LABEL } from "./sandbox-container.js";

export interface RemovedAbandoned {
  /** Ids of the containers that were removed. */
  readonly containers: readonly string[];
  /** Names of the workspaces that were removed. */
  readonly workspaces: readonly string[];
}

/**
 * Removes the containers and workspaces of processes that were killed before they could clean up.
 *
 * Several processes may do this concurrently. It is not critical: the next section tries again to remove what remains.
 */
export async function removeAbandoned(
  engine: ContainerEngine,
  overlayRoot?: string | undefined,
): Promise<RemovedAbandoned> {
  try {
    const listed = await engine.list(OWNER_LABEL);
    const containers = listed
      .filter(({ labels }) => findProcess(labels[OWNER_LABEL] ?? "")?.state === "dead")
      .map(({ id }) => id);
    // Containers first, so that nothing writes to a workspace during its removal.
    await engine.remove(containers);
    return { containers, workspaces: await removeAbandonedWorkspaces(overlayRoot) };
  } catch (error) {
    if (isToolsError(error, "ENGINE_UNUSABLE")) return { containers: [], workspaces: [] };
    throw error;
  }
}
