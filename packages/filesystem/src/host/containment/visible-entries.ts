import type { DriverEntry } from "../../driver/driver.js";
import { TEMPORARY_PREFIX } from "../../path/temporary-prefix.js";
import type { HostRoot } from "./host-root.js";
import type { PinnedDirectory } from "./pinned-directory.js";
import { isOwnRegistryFile, isOwnTemporary, placeOf } from "./temporary-claims.js";
import { keyOf, readRegistry } from "./temporary-registry.js";

/**
 * The entries of an open directory, without the temporary files that a living process is writing.
 *
 * Any program can create a file with such a name. So a file is hidden only if a living process of this user has
 * registered it.
 */
export function visibleEntries(
  root: HostRoot,
  directory: PinnedDirectory,
  entries: readonly DriverEntry[] = directory.entries(),
): readonly DriverEntry[] {
  if (!entries.some(({ name }) => name.startsWith(TEMPORARY_PREFIX))) return entries;
  const place = placeOf(directory);
  // Read the registry after the directory, because a file is registered before it is created.
  const others = new Set<string>();
  for (const { path, isAlive, inUse } of readRegistry(root.path))
    if (isAlive && !isOwnRegistryFile(path)) for (const key of inUse) others.add(key);
  return entries.filter(({ name }) => {
    if (!name.startsWith(TEMPORARY_PREFIX)) return true;
    if (others.has(keyOf(place, name)) || isOwnTemporary(directory, place, name)) return false;
    // Its process may have finished and removed it after the directory was read.
    return directory.stat(name) !== undefined;
  });
}
