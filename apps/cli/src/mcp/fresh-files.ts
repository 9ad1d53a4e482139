import { allow, type ToolPolicy } from "@wink/prompt";
import type { Workspace } from "../workspace/workspace.js";

/**
 * Before each call, copies the directory again if it changed and the workspace has no changes.
 * People continue editing while a server runs. It denies nothing.
 */
export function freshFiles(workspace: Workspace, onError: (error: unknown) => void): ToolPolicy {
  return Object.freeze({
    name: "fresh-files",
    async check() {
      // If the copy fails, the call sees the old files, and apply reports a conflict later.
      await workspace.refresh().catch(onError);
      return allow();
    },
  });
}
