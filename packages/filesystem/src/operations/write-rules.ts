import { isInGit } from "../path/git-name.js";
import { ESCAPE_HIGH_SURROGATE, isShownName } from "../path/host-name.js";
import { TEMPORARY_PREFIX } from "../path/temporary-prefix.js";
import type { VirtualPath } from "../path/virtual-path.js";
import { failure, type Target, type Workspace } from "./workspace.js";

/** Fails if nothing at `target` may be changed. */
export function requireChangeable(workspace: Workspace, target: Target): void {
  if (workspace.readOnly) throw failure(target, "EROFS");
  requireNoGit(workspace, target, target.path);
}

export function requireNoGit(workspace: Workspace, target: Target, path: VirtualPath): void {
  if (!workspace.allowGit && isInGit(path))
    throw failure(target, "EACCES", "files in a .git directory may be read but not changed");
}

/** Fails if nothing new may be created at `path`. */
export function requireCreatable(workspace: Workspace, target: Target, path: VirtualPath): void {
  const { maxPathDepth, maxSegmentCharacters, maxSegmentBytes } = workspace.limits;
  const segments = path.split("/");
  if (segments.length > maxPathDepth)
    throw failure(target, "EINVAL", `the path is deeper than ${maxPathDepth} segments`);
  for (const segment of segments) {
    if (segment.startsWith(TEMPORARY_PREFIX))
      throw failure(target, "EACCES", `names that start with ${TEMPORARY_PREFIX} are reserved`);
    // On a host these characters encode bytes. Some combinations encode no name and cannot be created.
    if (segment.includes(ESCAPE_HIGH_SURROGATE) && !isShownName(segment))
      throw failure(target, "EINVAL", "a name contains a reserved character");
    // Each UTF-16 unit takes at most three bytes in UTF-8.
    if (segment.length <= maxSegmentCharacters && segment.length * 3 <= maxSegmentBytes) continue;
    if (isLonger(segment, maxSegmentCharacters))
      throw failure(target, "EINVAL", `a name is longer than ${maxSegmentCharacters} characters`);
    if (new TextEncoder().encode(segment).length > maxSegmentBytes)
      throw failure(target, "EINVAL", `a name is longer than ${maxSegmentBytes} bytes`);
  }
}

function isLonger(text: string, maxCharacters: number): boolean {
  // A character has at most two UTF-16 units, so a much longer text need not be split.
  return text.length > maxCharacters * 2 || [...text].length > maxCharacters;
}
