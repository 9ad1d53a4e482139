import { fstatSync, realpathSync } from "node:fs";
import { isAbsolute, resolve } from "node:path";
import { describe, type HostRoot } from "../host/containment/host-root.js";
import { type OpenHostRootOptions, openHostRoot } from "../host/containment/open-host-root.js";
import { errorCode, fromNodeError } from "../host/process/from-node-error.js";
import { shownName } from "../path/host-name.js";
import type { VirtualPath } from "../path/virtual-path.js";
import { asMountError, mountError } from "./mount-error.js";

/** A place on the host: below an open root, reached over directories and no link. */
export interface HostPlace {
  readonly root: AllowedRoot;
  readonly path: VirtualPath;
}

export interface AllowedRoot {
  readonly root: HostRoot;
  /** As it was allowed, made absolute. */
  readonly given: string;
  readonly canonical: string;
  /** Tells the directory from another one that is later found under its name. */
  readonly identity: string;
}

/** The directories that may be touched, open. Whoever opens them must close them. */
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

  /** Finds what a mount names. Relative paths are looked for below each root in turn, whatever the working directory. */
  locate(hostPath: string, followSymlinks: boolean): HostPlace {
    if (this.roots.length === 0)
      throw mountError(
        "EACCES",
        hostPath,
        "no host directory may be mounted; name those that may in allowedHostRoots",
      );
    if (hostPath === "" || hostPath.includes("\0"))
      throw mountError("EINVAL", hostPath, "hostPath names nothing; . is the whole allowed root");
    const candidates = isAbsolute(hostPath)
      ? [resolve(hostPath)]
      : this.roots.map(({ given }) => resolve(given, hostPath));
    const places = candidates.flatMap((path) => this.#below(path) ?? []);
    if (places.length === 0)
      throw mountError("EACCES", hostPath, "it lies outside allowedHostRoots");
    for (const place of places) {
      const found = followSymlinks ? this.resolveLinks(place) : place;
      if (found !== undefined && exists(found, hostPath)) return found;
    }
    throw mountError(
      "ENOENT",
      hostPath,
      "there is no such file or directory below allowedHostRoots",
    );
  }

  /** Where the links on the way to a place lead, provided it is allowed. What comes back is reached without links. */
  resolveLinks({ root, path }: HostPlace): HostPlace | undefined {
    try {
      // Odd names are left alone here: no link leads to them.
      return this.#below(realpathSync(`${root.canonical}/${path}`));
    } catch {
      return undefined;
    }
  }

  /** The root that `absolute` lies in by its name, compared segment by segment. */
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
  const segments = path.split("/").map((segment) => shownName(Buffer.from(segment)));
  return segments.join("/") as VirtualPath;
}

function openRoot(path: string, index: number, options: OpenHostRootOptions): AllowedRoot {
  // By its number: where it lies is nobody's business who reads the message.
  return asMountError(`allowedHostRoots[${index}]`, () => {
    const root = openHostRoot(path, options);
    try {
      const { dev, ino } = fstatSync(root.directory.fd, { bigint: true });
      return { root, given: resolve(path), canonical: root.path, identity: `${dev}:${ino}` };
    } catch (error) {
      root.close();
      throw error;
    }
  });
}

/** Refuses a place that only a link leads to. */
function exists({ root, path }: HostPlace, hostPath: string): boolean {
  if (path === "") return true;
  try {
    const stat = root.root.inParent(path, describe);
    if (!stat?.isSymbolicLink()) return stat !== undefined;
  } catch (error) {
    const code = errorCode(error);
    if (code === "ENOENT" || code === "ENOTDIR") return false;
    if (code !== "ELOOP") throw fromNodeError(error, "mount", hostPath);
  }
  throw mountError(
    "EACCES",
    hostPath,
    "a symbolic link leads there; set followSymlinks to allow it",
  );
}
