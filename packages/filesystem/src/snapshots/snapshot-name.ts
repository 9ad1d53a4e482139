import { SnapshotError } from "./snapshot-error.js";

const NAME = /^[A-Za-z0-9_][A-Za-z0-9_.-]*$/;
const MAX_NAME_LENGTH = 200;

/** Rejects names that are not valid git references or that a shell or file system could misread. */
export function requireSnapshotName(name: string): void {
  const valid =
    typeof name === "string" &&
    NAME.test(name) &&
    name.length <= MAX_NAME_LENGTH &&
    !name.includes("..") &&
    !name.endsWith(".") &&
    !/\.lock$/i.test(name);
  if (!valid) throw new SnapshotError("INVALID_NAME", { subject: `snapshot name '${name}'` });
}
