import { paths, type VirtualPath } from "@wink/filesystem";
import { type RefreshReport, refreshWorkspace, type WalkScope } from "./refresh-workspace.js";
import type { WorkspaceParts } from "./workspace-parts.js";

/** Calls that read everything below a path, so comparing it costs no more than the call. */
const DEEP = new Set(["glob", "grep", "usage"]);

/**
 * Before each call, brings changes of the user's directory at the touched paths into the workspace. A call on one path
 * costs one stat if the directory did not change there.
 */
export class FollowDirectory {
  readonly #parts: WorkspaceParts;
  readonly #onError: (error: unknown) => void;
  /** The stat of paths that are not copied, such as ignored files, when they were last checked. */
  readonly #looked = new Map<string, string>();

  constructor(parts: WorkspaceParts, onError: (error: unknown) => void) {
    this.#parts = parts;
    this.#onError = onError;
  }

  async beforeCall(touched: readonly VirtualPath[], operation: string): Promise<void> {
    try {
      for (const path of touched) await this.#follow(path, operation);
    } catch (error) {
      // The call sees the old files, and apply reports a conflict later.
      this.#onError(error);
    }
  }

  async #follow(path: VirtualPath, operation: string): Promise<void> {
    const { lock, index } = this.#parts;
    if (DEEP.has(operation)) {
      await lock.run(() => this.#refresh(below(path)));
      return;
    }
    index.load();
    const stat = this.#parts.hostStat(path);
    const isKnown =
      stat === undefined
        ? !index.has(path) && !index.hasDirectory(path)
        : index.isUnchanged(path, stat);
    if (isKnown) return;
    const look = stat === undefined ? "missing" : `${stat.ctimeMs} ${stat.mtimeMs} ${stat.ino}`;
    if (this.#looked.get(path) === look) return;
    await lock.run(async () => {
      const isListed = stat?.isDirectory() && index.hasDirectory(path);
      const report = await this.#refresh(isListed ? inside(path, index) : below(path));
      // A conflict is reported by apply. Looking at it again before each call would change nothing.
      if (report.conflicts.length > 0 || !index.has(path)) this.#looked.set(path, look);
    });
  }

  #refresh(scope: WalkScope): Promise<RefreshReport> {
    return refreshWorkspace(this.#parts, scope);
  }
}

/** The given paths and everything below them. */
export function scopeOf(given: readonly string[]): WalkScope {
  const scopes = given.map((path) =>
    below(paths.normalizePath(path, { operation: "refresh" }).path),
  );
  return {
    wants: (path, isDirectory) => scopes.some(({ wants }) => wants?.(path, isDirectory)),
    covers: (path) => scopes.some(({ covers }) => covers?.(path)),
    lists: (path) => scopes.some(({ lists }) => lists?.(path)),
  };
}

/** A path and everything below it. */
function below(path: VirtualPath): WalkScope {
  const covers = (each: string) => path === "" || paths.isWithin(each as VirtualPath, path);
  return {
    covers,
    lists: covers,
    wants: (each, isDirectory) => covers(each) || (isDirectory && paths.isWithin(path, each)),
  };
}

/** The entries of a known directory, and everything in directories that are new. */
function inside(path: VirtualPath, index: WorkspaceParts["index"]): WalkScope {
  const isEntry = (each: string) => parentOf(each) === path;
  const isNew = (each: string) => !index.hasDirectory(each);
  const wants = (each: VirtualPath, isDirectory: boolean): boolean => {
    if (isDirectory && paths.isWithin(path, each)) return true;
    if (isEntry(each)) return !isDirectory || isNew(each);
    return path === "" || paths.isWithin(each, path) ? isInNew(each) : false;
  };
  const isInNew = (each: string): boolean => {
    for (let at = parentOf(each); at.length > path.length; at = parentOf(at))
      if (parentOf(at) === path) return isNew(at);
    return false;
  };
  // A deleted directory is noticed when one of its files is touched, or by a search.
  return {
    wants,
    covers: (each) => isEntry(each) && index.has(each),
    lists: (each) => each === path || (isEntry(each) ? isNew(each) : isInNew(each)),
  };
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}
