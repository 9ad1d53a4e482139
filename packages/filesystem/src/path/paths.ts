/** What a package above the filesystem needs to work with workspace paths and names on disk. */
export { compareBytes } from "./byte-order.js";
export { isGitName, isInGit } from "./git-name.js";
export { pathBytes, shownName } from "./host-name.js";
export { normalizePath } from "./normalize-path.js";
export { TEMPORARY_PREFIX } from "./temporary-prefix.js";
export { baseName, isWithin, joinPath, parentPath, ROOT } from "./virtual-path.js";
