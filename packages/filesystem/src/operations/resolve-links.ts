import type { DriverStat } from "../driver/driver.js";
import { shownName } from "../path/host-name.js";
import { joinPath, parentPath, ROOT, type VirtualPath } from "../path/virtual-path.js";
import { failure, type Target, type Workspace } from "./workspace.js";

/** As on Linux. More links than that are a loop. */
const MAX_LINKS = 40;
/** The longest target of a link on Linux. */
export const MAX_LINK_BYTES = 4_096;

/** Says that a path has too many links, which other systems report with the code `ELOOP`. */
export const TOO_MANY_LINKS = `the path has more than ${MAX_LINKS} symbolic links`;

const OUTSIDE = "a symbolic link points outside the workspace";

/**
 * Follows every link of a path, one segment at a time, with one `stat` of the driver for each. A driver never follows a
 * link itself, so a link that another process creates during the walk is refused.
 */
export async function resolveLinks(
  workspace: Workspace,
  target: Target,
): Promise<{ readonly path: VirtualPath; readonly stat: DriverStat }> {
  const { driver } = workspace;
  let path = ROOT;
  let stat: DriverStat | undefined = await driver.stat(ROOT, target.options);
  let links = 0;
  // The next segment is the last of the array.
  const rest = target.path.split("/").reverse();
  for (let segment = rest.pop(); segment !== undefined; segment = rest.pop()) {
    if (segment === "" || segment === ".") continue;
    if (segment === "..") {
      // Where the workspace is the whole root, the parent of the root is the root.
      if (path === ROOT && workspace.mountPoint !== "/") throw failure(target, "EACCES", OUTSIDE);
      path = parentPath(path);
      stat = await driver.stat(path, target.options);
      continue;
    }
    if (stat?.kind !== "directory") throw failure(target, "ENOTDIR");
    const child = joinPath(path, segment);
    const found = await driver.stat(child, target.options);
    if (found === undefined) throw failure(target, "ENOENT", "a symbolic link leads to nothing");
    if (found.kind !== "symlink") {
      path = child;
      stat = found;
      continue;
    }
    if (++links > MAX_LINKS) throw failure(target, "EACCES", TOO_MANY_LINKS);
    const { segments, isAbsolute } = await targetOfLink(workspace, target, child);
    rest.push(...[...segments].reverse());
    if (!isAbsolute) continue;
    path = ROOT;
    stat = await driver.stat(ROOT, target.options);
  }
  if (stat === undefined) throw failure(target, "ENOENT");
  return { path, stat };
}

async function targetOfLink(workspace: Workspace, target: Target, path: VirtualPath) {
  const text = await readTarget(workspace, target, path);
  const segments = text.split("/");
  if (!text.startsWith("/")) return { segments, isAbsolute: false };
  // Without a mount point an absolute target is a path of the host.
  const prefix = workspace.mountPoint?.split("/").filter((segment) => segment !== "");
  const inside = segments.filter((segment) => segment !== "" && segment !== ".");
  if (prefix === undefined || !prefix.every((segment, index) => inside[index] === segment))
    throw failure(target, "EACCES", OUTSIDE);
  return { segments: inside.slice(prefix.length), isAbsolute: true };
}

/** The target of the link at `path`. Control characters and invalid UTF-8 are escaped as in file names. */
export async function readTarget(
  { driver }: Workspace,
  target: Target,
  path: VirtualPath,
): Promise<string> {
  const bytes = await driver.read(path, 0, MAX_LINK_BYTES, target.options);
  const text = new TextDecoder().decode(bytes);
  return ESCAPED.test(text) ? shownName(bytes) : text;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are shown as escapes.
const ESCAPED = /[\u0000-\u001f\u007f-\u009f\\\ufffd\udbff]/;
