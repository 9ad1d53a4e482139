import { ESCAPE_HIGH_SURROGATE, isShownName } from "../path/host-name.js";
import { TEMPORARY_PREFIX } from "../path/temporary-prefix.js";
import type { VirtualPath } from "../path/virtual-path.js";
import { failure, type Target } from "./target.js";
import type { Workspace } from "./workspace.js";

/** What must hold before anything at `target` may be changed. */
export function requireChangeable(workspace: Workspace, target: Target): void {
  if (workspace.readOnly) throw failure(target, "EROFS");
  requireNoGit(workspace, target, target.path);
}

export function requireNoGit(workspace: Workspace, target: Target, path: VirtualPath): void {
  // Every spelling of it holds these letters, or something from beyond ASCII; most paths do not.
  if (workspace.allowGit || !/git|[^ -~]/i.test(path)) return;
  if (path.split("/").some(isGitName))
    throw failure(target, "EACCES", "what is in a .git directory may be read but not changed");
}

/** What must hold before something new may be made at `path`. */
export function requireCreatable(workspace: Workspace, target: Target, path: VirtualPath): void {
  const { maxPathDepth, maxSegmentCharacters, maxSegmentBytes } = workspace.limits;
  const segments = path.split("/");
  if (segments.length > maxPathDepth)
    throw failure(target, "EINVAL", `path is deeper than ${maxPathDepth} segments`);
  for (const segment of segments) {
    if (segment.startsWith(TEMPORARY_PREFIX))
      throw failure(target, "EACCES", `names that start with ${TEMPORARY_PREFIX} are reserved`);
    // On a host such characters stand for bytes; what no bytes are shown as cannot be made there.
    if (segment.includes(ESCAPE_HIGH_SURROGATE) && !isShownName(segment))
      throw failure(target, "EINVAL", "a name holds a character that is reserved");
    // A character is at most three bytes for each of its UTF-16 units.
    if (segment.length <= maxSegmentCharacters && segment.length * 3 <= maxSegmentBytes) continue;
    if (isLonger(segment, maxSegmentCharacters))
      throw failure(target, "EINVAL", `a name is longer than ${maxSegmentCharacters} characters`);
    if (new TextEncoder().encode(segment).length > maxSegmentBytes)
      throw failure(target, "EINVAL", `a name is longer than ${maxSegmentBytes} bytes`);
  }
}

function isLonger(text: string, maxCharacters: number): boolean {
  // A character takes at most two UTF-16 units, so that a hopeless text need not be taken apart.
  return text.length > maxCharacters * 2 || [...text].length > maxCharacters;
}

/** Code points that HFS+ ignores in a file name, so that `.g\u200cit` is `.git` to a Mac's git. */
const IGNORED_BY_HFS = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;

/** Whether some git on some platform takes this name for `.git`. */
export function isGitName(name: string): boolean {
  const first = name.charCodeAt(0);
  // `.`, `g`, `G` or something from beyond ASCII: all other names are told apart at once.
  if (first !== 0x2e && first !== 0x67 && first !== 0x47 && first < 0x80) return false;
  const bare = name.replace(IGNORED_BY_HFS, "").toLowerCase();
  return /^(?:\.git|git~1)[. ]*(?:$|:)/.test(bare);
}
