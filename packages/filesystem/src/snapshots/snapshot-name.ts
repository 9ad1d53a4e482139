import { SnapshotError } from "./snapshot-error.js";

const NAME = /^[A-Za-z0-9_][A-Za-z0-9_.-]*$/;
const MAX_NAME_LENGTH = 200;

/** Refuses a name that could not be a git reference, or that a shell or a file system might misread. */
export function requireSnapshotName(name: string): void {
  const valid =
    NAME.test(name) &&
    name.length <= MAX_NAME_LENGTH &&
    !name.includes("..") &&
    !name.endsWith(".") &&
    !/\.lock$/i.test(name);
  if (!valid) throw new SnapshotError("INVALID_NAME");
}
