import { describeKind } from "@wink/filesystem/internal";
import { WorkspaceError } from "./workspace-error.js";

/** JavaScript callers may pass anything as a path. */
export function requirePath(subject: string, path: unknown): void {
  if (typeof path === "string" && path !== "" && !path.includes("\0")) return;
  const given = typeof path === "string" ? "a string that is not one" : describeKind(path);
  throw new WorkspaceError("INVALID_OPTION", {
    subject,
    reason: `it must be a path of this machine, got ${given}.`,
  });
}
