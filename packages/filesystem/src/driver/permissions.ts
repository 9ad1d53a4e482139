import type { DriverWriteOptions } from "./driver.js";

/** The permission bits of a file that is written. `before` is the permission bits of the replaced file. */
export function permissionsAfter(
  before: number | undefined,
  { permissions, executable }: Pick<DriverWriteOptions, "permissions" | "executable">,
): number {
  if (permissions !== undefined) return permissions;
  const mode = before === undefined ? 0o644 : before & 0o777;
  if (executable === undefined) return mode;
  // Every class of users that may read the file may execute it.
  return executable ? mode | ((mode & 0o444) >> 2) : mode & ~0o111;
}
