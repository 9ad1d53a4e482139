import {
  type CallOptions,
  type FileEntry,
  type Filesystem,
  FilesystemError,
  isFilesystemError,
  type NodeKind,
  paths,
  type VirtualPath,
  wrapFilesystem,
} from "@wink/filesystem";
import { IgnoreRules } from "./gitignore-rules.js";
import type { HostMount } from "./host-mount.js";
import { mountFilter } from "./mount-filter.js";
import { MAX_SEARCHED_FILE_BYTES, secretContent } from "./secret-content.js";
import { isNamedSecret, secretName } from "./secret-names.js";

export interface FilteredViewOptions {
  readonly mount: HostMount;
  /** The absolute path of the directory, because the secret rules also look at the directories above it. */
  readonly hostPath: string;
  /** The path of the directory below its allowed root, which ignore rules are relative to. */
  readonly placePath: VirtualPath;
  /** The ignore rules of the directories above. */
  readonly outerRules: IgnoreRules | undefined;
}

const MAX_IGNORE_FILE_BYTES = 512 * 1024;
/** What an overlay calls. */
const ALLOWED: readonly string[] = ["stat", "list", "readBytes", "readlink", "contentId"];

/**
 * A view of a host directory without the files that a mount leaves out: `.git`, excluded and ignored files, secrets.
 *
 * Names and ignore rules are checked when a directory is listed. A file that only its content shows to be a secret is
 * listed, but reading it fails with `EACCES`, because a check of every content would read the whole directory.
 */
export function filteredView(base: Filesystem, options: FilteredViewOptions): Filesystem {
  const rules = new ViewRules(base, options);
  return wrapFilesystem(base, async (call, run) => {
    const { operation, signal } = call;
    const given = call.paths[0] ?? ".";
    const path = given === "." ? paths.ROOT : (given as VirtualPath);
    if (!ALLOWED.includes(operation)) throw new FilesystemError("EACCES", { operation, path });
    if (await rules.hides(path, { signal }))
      throw new FilesystemError("ENOENT", { operation, path });
    if (operation === "readBytes" || operation === "contentId")
      await rules.requireNoSecret(path, operation, { signal });
    if (operation !== "list") return await run();
    // The type of the result is that of `list`. All entries are returned at once, because pages are counted unfiltered.
    return (await rules.list(path, call.args[1] as CallOptions)) as Awaited<ReturnType<typeof run>>;
  });
}

class ViewRules {
  readonly #base: Filesystem;
  readonly #options: FilteredViewOptions;
  readonly #filter: ReturnType<typeof mountFilter>;
  readonly #hidden = new Map<string, Promise<boolean>>();
  readonly #ignore = new Map<string, Promise<IgnoreRules | undefined>>();
  readonly #harmless = new Set<string>();

  constructor(base: Filesystem, options: FilteredViewOptions) {
    this.#base = base;
    this.#options = options;
    this.#filter = mountFilter(options.mount, base.limits);
  }

  hides(path: VirtualPath, options: CallOptions): Promise<boolean> {
    return this.#decide(path, async () => {
      const { kind } = await this.#base.stat(path, { ...options, followLinks: false });
      return kind;
    });
  }

  async list(path: VirtualPath, options: { readonly offset?: number } & CallOptions) {
    const shown: FileEntry[] = [];
    for (let offset = options?.offset ?? 0, isMore = offset === 0; isMore; ) {
      const page = await this.#base.list(path === "" ? "." : path, { ...options, offset });
      for (const entry of page)
        if (!(await this.#decide(paths.joinPath(path, entry.name), async () => entry.kind)))
          shown.push(entry);
      offset += page.length;
      isMore = page.truncated && page.length > 0;
    }
    return Object.assign(shown, { truncated: false });
  }

  async requireNoSecret(path: VirtualPath, operation: string, options: CallOptions): Promise<void> {
    if (this.#options.mount.includeSecrets || this.#harmless.has(path)) return;
    const { content, truncated } = await this.#beginning(path, options);
    // A large file is checked by its name only.
    const found =
      (truncated ? undefined : secretContent(content)) ??
      secretName(`${this.#options.hostPath}/${path}`, content);
    if (found !== undefined) {
      const reason = `it contains a secret (${found}), which is not shown`;
      throw new FilesystemError("EACCES", { operation, path, reason });
    }
    this.#harmless.add(path);
  }

  #decide(path: VirtualPath, kindOf: () => Promise<NodeKind>): Promise<boolean> {
    const known = this.#hidden.get(path);
    if (known !== undefined) return known;
    const decided = this.#hides(path, kindOf);
    this.#hidden.set(path, decided);
    // A failure decides nothing: an abort, or a path that does not exist yet.
    decided.catch(() => this.#hidden.delete(path));
    return decided;
  }

  async #hides(path: VirtualPath, kindOf: () => Promise<NodeKind>): Promise<boolean> {
    if (path === "") return false;
    const parent = paths.parentPath(path);
    if (await this.#decide(parent, async () => "directory")) return true;
    const kind = await kindOf();
    const name = paths.baseName(path);
    const isDirectory = kind === "directory";
    const byName = isDirectory ? this.#filter.directory(path, name) : this.#filter.file(path, name);
    if (byName !== undefined || kind === "special" || TEMPORARY.test(name)) return true;
    const rules = this.#options.mount.gitignore ? await this.#rulesIn(parent) : undefined;
    if (rules?.ignores(this.#placed(path), isDirectory)) return true;
    return !isDirectory && (await this.#isLeftOut(path, kind));
  }

  async #isLeftOut(path: VirtualPath, kind: NodeKind): Promise<boolean> {
    const { mount, hostPath } = this.#options;
    if (mount.maxFileBytes !== undefined && kind === "file") {
      const { sizeBytes } = await this.#base.stat(path, { followLinks: false });
      if (sizeBytes > mount.maxFileBytes) return true;
    }
    const absolute = `${hostPath}/${path}`;
    if (mount.includeSecrets || !isNamedSecret(absolute)) return false;
    if (kind !== "file") return true;
    return secretName(absolute, (await this.#beginning(path, {})).content) !== undefined;
  }

  #rulesIn(directory: VirtualPath): Promise<IgnoreRules | undefined> {
    const known = this.#ignore.get(directory);
    if (known !== undefined) return known;
    const reading = this.#readRules(directory);
    this.#ignore.set(directory, reading);
    reading.catch(() => this.#ignore.delete(directory));
    return reading;
  }

  async #readRules(directory: VirtualPath): Promise<IgnoreRules | undefined> {
    let rules =
      directory === ""
        ? this.#options.outerRules
        : await this.#rulesIn(paths.parentPath(directory));
    for (const name of [".git/info/exclude", ".gitignore"]) {
      const bytes = await this.#readSmall(`${directory}${directory && "/"}${name}`);
      if (bytes !== undefined) rules = new IgnoreRules(rules, this.#placed(directory), bytes);
    }
    return rules;
  }

  async #readSmall(path: string): Promise<Uint8Array | undefined> {
    try {
      const { content, truncated } = await this.#base.readBytes(path, {
        limit: MAX_IGNORE_FILE_BYTES,
      });
      return truncated ? undefined : content;
    } catch (error) {
      if (isFilesystemError(error)) return undefined;
      throw error;
    }
  }

  #beginning(path: VirtualPath, options: CallOptions) {
    return this.#base.readBytes(path, { ...options, limit: MAX_SEARCHED_FILE_BYTES });
  }

  #placed(path: VirtualPath): VirtualPath {
    const { placePath } = this.#options;
    if (path === "" || placePath === "") return path === "" ? placePath : path;
    return `${placePath}/${path}` as VirtualPath;
  }
}

/** Temporary files of an apply that is in progress. */
const TEMPORARY = /^\.wink-(?:tmp|backup)-/;
