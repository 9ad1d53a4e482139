import { fstatSync, realpathSync } from "node:fs";
import { isAbsolute, resolve } from "node:path";
import { paths, type VirtualPath } from "@wink/filesystem";
import {
  errorCode,
  fromNodeError,
  type HostRoot,
  type OpenHostRootOptions,
  openHostRoot,
} from "@wink/filesystem/host";
import { asMountError, mountError } from "./mount-error.js";

/** A path below an open allowed root. No component of it is a symbolic link. */
export interface HostPlace {
  readonly root: AllowedRoot;
  readonly path: VirtualPath;
}

export interface AllowedRoot {
  readonly root: HostRoot;
  /** The path from `allowedHostRoots`, made absolute. */
  readonly given: string;
  readonly canonical: string;
  /** Device and inode, to notice when another directory later has the same path. */
  readonly identity: string;
}

/** The open allowed roots. The caller must close them. */
export class AllowedRoots {
  readonly roots: readonly AllowedRoot[];

  private constructor(roots: readonly AllowedRoot[]) {
    this.roots = roots;
  }

  static open(given: readonly string[], options: OpenHostRootOptions): AllowedRoots {
    const roots: AllowedRoot[] = [];
    try {
      for (const [index, path] of given.entries()) roots.push(openRoot(path, index, options));
    } catch (error) {
      for (const { root } of roots) root.close();
      throw error;
    }
    return new AllowedRoots(roots);
  }

  close(): void {
    for (const { root } of this.roots) root.close();
  }

  /**
   * Finds the host path of a mount. A relative path is resolved below each root in order, not against the working
   * directory.
   */
  locate(hostPath: string, followSymlinks: boolean): HostPlace {
    if (this.roots.length === 0)
      throw mountError(
        "EACCES",
        hostPath,
        "allowedHostRoots is empty, so nothing may be mounted; add the directory to it",
      );
    if (hostPath === "" || hostPath.includes("\0"))
      throw mountError(
        "EINVAL",
        hostPath,
        "hostPath is empty or contains a null byte; use '.' for the whole allowed root",
      );
    const candidates = isAbsolute(hostPath)
      ? [resolve(hostPath)]
      : this.roots.map(({ given }) => resolve(given, hostPath));
    const places = candidates.flatMap((path) => this.#below(path) ?? []);
    if (places.length === 0) throw mountError("EACCES", hostPath, "it is outside allowedHostRoots");
    for (const place of places) {
      const found = followSymlinks ? this.resolveLinks(place) : place;
      if (found !== undefined && exists(found, hostPath)) return found;
    }
    throw mountError("ENOENT", hostPath, "no such file or directory below allowedHostRoots");
  }

  /** Follows the symbolic links in a path. Returns `undefined` unless the target is below an allowed root. */
  resolveLinks({ root, path }: HostPlace): HostPlace | undefined {
    try {
      // A name that is not valid UTF-8 is not converted back to its bytes, so it resolves to `undefined`.
      return this.#below(realpathSync(`${root.canonical}/${path}`));
    } catch {
      return undefined;
    }
  }

  /** Finds the root that contains `absolute`. Compares the path segment by segment and does not touch the disk. */
  #below(absolute: string): HostPlace | undefined {
    for (const root of this.roots) {
      for (const base of [root.canonical, root.given]) {
        const prefix = base === "/" ? "/" : `${base}/`;
        if (absolute !== base && !absolute.startsWith(prefix)) continue;
        const below = absolute === base ? "" : absolute.slice(prefix.length);
        return { root, path: shownPath(below) };
      }
    }
    return undefined;
  }
}

function shownPath(path: string): VirtualPath {
  const segments = path.split("/").map((segment) => paths.shownName(Buffer.from(segment)));
  return segments.join("/") as VirtualPath;
}

function openRoot(path: string, index: number, options: OpenHostRootOptions): AllowedRoot {
  // Only the developer's own text is named, because the reader of the message must not learn an absolute path.
  return asMountError(`allowedHostRoots[${index}]`, () => {
    const root = openNamed(path, options);
    try {
      const { dev, ino } = fstatSync(root.directory.fd, { bigint: true });
      return { root, given: resolve(path), canonical: root.path, identity: `${dev}:${ino}` };
    } catch (error) {
      root.close();
      throw error;
    }
  });
}

function openNamed(path: string, options: OpenHostRootOptions): HostRoot {
  try {
    return openHostRoot(path, options);
  } catch (error) {
    if (errorCode(error) !== "ENOENT" || isAbsolute(path)) throw error;
    throw mountError("ENOENT", path, "the directory in allowedHostRoots does not exist", error);
  }
}

/** Throws `EACCES` when a component of the path is a symbolic link. */
function exists({ root, path }: HostPlace, hostPath: string): boolean {
  if (path === "") return true;
  try {
    const stat = root.root.inParent(path, (parent, leaf) => parent.stat(leaf));
    if (!stat?.isSymbolicLink()) return stat !== undefined;
  } catch (error) {
    const code = errorCode(error);
    if (code === "ENOENT" || code === "ENOTDIR") return false;
    if (code !== "ELOOP") throw fromNodeError(error, "mount", hostPath);
  }
  throw mountError(
    "EACCES",
    hostPath,
    "the path contains a symbolic link; set followSymlinks to allow it",
  );
}
