import { allow, type ToolPolicy } from "@wink/prompt";
import type { Workspace } from "../workspace/workspace.js";

/**
 * Lets every call see the directory as it is now, as long as the workspace has no changes of its own: people go on editing while a
 * server stands by. It denies nothing.
 */
export function freshFiles(workspace: Workspace, onError: (error: unknown) => void): ToolPolicy {
  return Object.freeze({
    name: "fresh-files",
    async check() {
      // What cannot be copied now is seen as it was, and shows as a conflict when it is applied.
      await workspace.refresh().catch(onError);
      return allow();
    },
  });
}
