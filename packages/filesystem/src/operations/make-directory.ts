import { parentPath, type VirtualPath } from "../path/virtual-path.js";
import type { MkdirOptions } from "../protocol/filesystem.js";
import { isPromise } from "../protocol/maybe-promise.js";
import { LINK_REASON, NOT_ABOVE } from "./find-node.js";
import { failure, type Target, type Workspace } from "./workspace.js";
import { requireChangeable, requireCreatable } from "./write-rules.js";

export async function makeDirectory(
  workspace: Workspace,
  target: Target,
  options: MkdirOptions,
): Promise<void> {
  const { parents = true, existOk = true } = options;
  requireChangeable(workspace, target);
  const stat = await workspace.driver.stat(target.path, options);
  if (stat?.kind === "symlink") throw failure(target, "EACCES", LINK_REASON);
  if (stat?.kind === "directory" && existOk) return;
  if (stat !== undefined) throw failure(target, "EEXIST");
  requireCreatable(workspace, target, target.path);
  const missing = await missingParents(workspace, target, parents);
  await workspace.usage.requireRoom(target, { bytes: 0, nodes: missing.length + 1 }, 0);
  await withParents(workspace, target, missing, async () =>
    workspace.driver.mkdir(target.path, { signal: options.signal }),
  );
  workspace.usage.grew({ bytes: 0, nodes: missing.length + 1 });
}

/** The missing directories above the target, outermost first. */
export async function missingParents(
  workspace: Workspace,
  target: Target,
  mayCreate: boolean,
): Promise<readonly VirtualPath[]> {
  const missing: VirtualPath[] = [];
  for (let parent = parentPath(target.path); ; parent = parentPath(parent)) {
    const found = parent === "" ? undefined : workspace.driver.stat(parent, target.options);
    const stat = isPromise(found) ? await found : found;
    if (parent === "" || stat?.kind === "directory") break;
    if (stat?.kind === "symlink") throw failure(target, "EACCES", LINK_REASON);
    if (stat !== undefined) throw failure(target, "ENOTDIR", NOT_ABOVE);
    missing.unshift(parent);
  }
  if (missing.length > 0 && !mayCreate)
    throw failure(target, "ENOENT", "the parent directory does not exist");
  return missing;
}

/** Creates the `missing` directories, then runs `work`. Removes them again if `work` fails. */
export async function withParents<T>(
  { driver }: Workspace,
  { options: { signal } }: Target,
  missing: readonly VirtualPath[],
  work: () => T | Promise<T>,
): Promise<T> {
  const made: VirtualPath[] = [];
  try {
    for (const path of missing) {
      signal?.throwIfAborted();
      const making = driver.mkdir(path, { signal });
      if (isPromise(making)) await making;
      made.push(path);
    }
    signal?.throwIfAborted();
    const done = work();
    return isPromise(done) ? await done : done;
  } catch (error) {
    for (const path of made.reverse()) await removeQuietly(driver, path);
    throw error;
  }
}

/** Ignores errors, because the caller reports the original one. */
async function removeQuietly(driver: Workspace["driver"], path: VirtualPath): Promise<void> {
  try {
    await driver.remove(path, {});
  } catch {}
}
