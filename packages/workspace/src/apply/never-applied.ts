import { paths } from "@wink/filesystem";

/** Where the loop stores long results of tools for the model. */
const RESULTS = ".wink/results";

/**
 * Whether a path of the workspace never reaches the host. Git would run the commands in the config and the hooks of a
 * `.git`, and the stored results of tools are only for the model.
 */
export function isNeverApplied(path: string): boolean {
  return paths.isInGit(path) || path === RESULTS || path.startsWith(`${RESULTS}/`);
}
