import { requireText } from "./require-text.js";

/** Code points that HFS+ ignores in file names: on macOS `.g\u200cit` is `.git`. */
const IGNORED_BY_HFS = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;

/** Whether git on any platform treats this name as `.git`. */
export function isGitName(name: string): boolean {
  requireText("isGitName", name);
  const first = name.charCodeAt(0);
  // `.`, `g`, `G` or a character outside ASCII. All other names are ruled out here.
  if (first !== 0x2e && first !== 0x67 && first !== 0x47 && first < 0x80) return false;
  const bare = name.replace(IGNORED_BY_HFS, "").toLowerCase();
  return /^(?:\.git|git~1)[. ]*(?:$|:)/.test(bare);
}

/** Whether git on any platform treats a segment of the path as `.git`. */
export function isInGit(path: string): boolean {
  requireText("isInGit", path);
  // Every spelling of `.git` has these letters or a character outside ASCII. Most paths have neither.
  return /git|[^ -~]/i.test(path) && path.split("/").some(isGitName);
}
