import { paths } from "@wink/filesystem";

/** `.gitmodules` in the spellings that git on any platform reads addresses and commands from. */
const MODULES = /^(?:\.gitmodules[ .:]*$|gi(?:tmod|7eba)~\d)/i;
const PREFIX = "_wink_";

/** Whether git rejects a segment of the path, or reads commands or addresses from it. */
export function isSpecialPath(path: string): boolean {
  return path.split("/").some(isSpecial);
}

function isSpecial(name: string): boolean {
  return paths.isGitName(name) || MODULES.test(name);
}

/** The path under which a snapshot stores a file. Special names get a prefix, so that git ignores them. */
export function storedPath(path: string): string {
  const isPrefixed = (name: string) => isSpecial(name) || name.startsWith(PREFIX);
  return mapNames(path, (name) => (isPrefixed(name) ? PREFIX + name : name));
}

/** The path of a file for its path in a snapshot. */
export function originalPath(path: string): string {
  return mapNames(path, (name) => (name.startsWith(PREFIX) ? name.slice(PREFIX.length) : name));
}

function mapNames(path: string, map: (name: string) => string): string {
  return path.split("/").map(map).join("/");
}
