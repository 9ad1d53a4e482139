import { type HostMount, Workspace, type WorkspaceFilter } from "@wink/workspace";
import type { Io } from "../terminal/io.js";
import { withErrors } from "../workspace/open-workspace.js";
import { stateDirectory } from "../workspace/state-directory.js";

/** The mount of a whole directory, for a temporary copy. */
export function mountOf({
  include,
  exclude,
  includeSecrets,
  includeIgnored = false,
}: WorkspaceFilter): HostMount {
  return {
    hostPath: ".",
    includeGlob: include,
    excludeGlob: exclude,
    includeSecrets,
    gitignore: !includeIgnored,
  };
}

/** The real path of a directory that the user named. */
export async function realDirectory({ env }: Io, given: string): Promise<string> {
  return await withErrors(
    given,
    env,
    async () => Workspace.find(given, { stateDirectory: stateDirectory(env) }).directory,
  );
}
