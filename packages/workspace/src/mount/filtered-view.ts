import {
  type CallOptions,
  type FileEntry,
  type Filesystem,
  FilesystemError,
  isFilesystemError,
  type NodeKind,
  paths,
  type ReadBytesResult,
  type VirtualPath,
  wrapFilesystem,
} from "@wink/filesystem";
import { IgnoreRules } from "./gitignore-rules.js";
import type { HostMount, LeftOutReason, MountLeftOut } from "./host-mount.js";
import { mountFilter } from "./mount-filter.js";
import { MAX_SEARCHED_FILE_BYTES, secretContent } from "./secret-content.js";
import { BY_NAME, isNamedSecret, secretName } from "./secret-names.js";
import { parseIndex } from "./tracked-files.js";

export interface FilteredViewOptions {
  readonly mount: HostMount;
  /** The absolute path of the directory, because the secret rules also look at the directories above it. */
  readonly hostPath: string;
  /** The path of the directory below its allowed root, which ignore rules are relative to. */
  readonly placePath: VirtualPath;
  /** The ignore rules of the directories above. */
  readonly outerRules: IgnoreRules | undefined;
}

export interface FilteredView {
  readonly filesystem: Filesystem;
  /** What was left out so far, in the order in which it was found. */
  leftOut(): readonly MountLeftOut[];
}

const MAX_IGNORE_FILE_BYTES = 512 * 1024;
const MAX_INDEX_BYTES = 256 * 1024 * 1024;
/** The methods that an overlay calls. */
const ALLOWED: readonly string[] = ["stat", "list", "readBytes", "readlink", "contentId"];

/**
 * A view of a host directory without the files that a mount leaves out: `.git`, excluded and ignored files, secrets.
 *
 * Names and ignore rules are checked when a directory is listed. A file that only its content shows to be a secret is
 * listed, but reading it fails with `EACCES`, because a check of every content would read the whole directory.
 */
export function filteredView(base: Filesystem, options: FilteredViewOptions): FilteredView {
  const rules = new ViewRules(base, options);
  const filesystem = wrapFilesystem(base, async (call, run) => {
    const { operation, signal } = call;
    const given = call.paths[0] ?? ".";
    const path = given === "." ? paths.ROOT : (given as VirtualPath);
    if (!ALLOWED.includes(operation)) throw new FilesystemError("EACCES", { operation, path });
    if (await rules.hides(path, { signal }))
      throw new FilesystemError("ENOENT", { operation, path });
    if (operation === "readBytes") {
      const result = await run();
      // The type of the result is that of `readBytes`.
      await rules.requireNoSecret(path, operation, { signal }, result as ReadBytesResult);
      return result;
    }
    if (operation === "contentId") await rules.requireNoSecret(path, operation, { signal });
    if (operation !== "list") return await run();
    // The type of the result is that of `list`. All entries are returned in one call, because pages would be counted
    // before filtering.
    return (await rules.list(path, call.args[1] as CallOptions)) as Awaited<ReturnType<typeof run>>;
  });
  return { filesystem, leftOut: () => rules.leftOut };
}

class ViewRules {
  readonly #base: Filesystem;
  readonly #options: FilteredViewOptions;
  readonly #filter: ReturnType<typeof mountFilter>;
  readonly #hidden = new Map<string, Promise<boolean>>();
  readonly #ignore = new Map<string, Promise<IgnoreRules | undefined>>();
  readonly #harmless = new Set<string>();
  readonly #leftOut = new Map<string, MountLeftOut>();
  #tracked: Promise<ReadonlySet<string>> | undefined;

  constructor(base: Filesystem, options: FilteredViewOptions) {
    this.#base = base;
    this.#options = options;
    this.#filter = mountFilter(options.mount, base.limits);
  }

  get leftOut(): readonly MountLeftOut[] {
    return [...this.#leftOut.values()];
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

  /** Checks `read`, the bytes that a call is about to return, if they are the whole file. */
  async requireNoSecret(
    path: VirtualPath,
    operation: string,
    options: CallOptions,
    read?: ReadBytesResult,
  ): Promise<void> {
    if (this.#options.mount.includeSecrets || this.#harmless.has(path)) return;
    const isWhole = read !== undefined && read.offset === 0 && !read.truncated;
    const { content, truncated } =
      isWhole && read.sizeBytes <= MAX_SEARCHED_FILE_BYTES
        ? read
        : await this.#beginning(path, options);
    // A large file is checked by its name only.
    const inside = truncated ? undefined : secretContent(content);
    const found =
      inside === undefined
        ? secretName(`${this.#options.hostPath}/${path}`, content)
        : `secret content: ${inside}`;
    if (found !== undefined) {
      this.#leaveOut(path, "secret", false, found);
      const reason = `it contains a secret (${inside ?? found}), which is not shown`;
      throw new FilesystemError("EACCES", { operation, path, reason });
    }
    this.#harmless.add(path);
  }

  #decide(path: VirtualPath, kindOf: () => Promise<NodeKind>): Promise<boolean> {
    const known = this.#hidden.get(path);
    if (known !== undefined) return known;
    const decided = this.#hides(path, kindOf);
    this.#hidden.set(path, decided);
    // Do not cache a failure: it can be an abort, or a path that does not exist yet.
    decided.catch(() => this.#hidden.delete(path));
    return decided;
  }

  async #hides(path: VirtualPath, kindOf: () => Promise<NodeKind>): Promise<boolean> {
    if (path === "") return false;
    const parent = paths.parentPath(path);
    if (await this.#decide(parent, async () => "directory")) return true;
    const kind = await kindOf();
    const reason = await this.#reasonAgainst(path, kind);
    if (reason === undefined) return false;
    this.#leaveOut(path, reason, kind === "directory");
    return true;
  }

  async #reasonAgainst(path: VirtualPath, kind: NodeKind): Promise<LeftOutReason | undefined> {
    const name = paths.baseName(path);
    const isDirectory = kind === "directory";
    const byName = isDirectory ? this.#filter.directory(path, name) : this.#filter.file(path, name);
    if (byName !== undefined) return byName;
    if (kind === "special") return "special";
    if (TEMPORARY.test(name)) return "excluded";
    if (await this.#isIgnored(path, isDirectory)) {
      this.#tracked ??= this.#readTracked();
      if (!(await this.#tracked).has(path)) return "ignored";
    }
    return isDirectory ? undefined : await this.#reasonAgainstFile(path, kind);
  }

  async #reasonAgainstFile(path: VirtualPath, kind: NodeKind): Promise<LeftOutReason | undefined> {
    const { mount, hostPath } = this.#options;
    if (mount.maxFileBytes !== undefined && kind === "file") {
      const { sizeBytes } = await this.#base.stat(path, { followLinks: false });
      if (sizeBytes > mount.maxFileBytes) return "too-large";
    }
    const absolute = `${hostPath}/${path}`;
    if (mount.includeSecrets || !isNamedSecret(absolute)) return undefined;
    const isSecret =
      kind !== "file" ||
      secretName(absolute, (await this.#beginning(path, {})).content) !== undefined;
    return isSecret ? "secret" : undefined;
  }

  #leaveOut(
    path: VirtualPath,
    reason: LeftOutReason,
    isDirectory: boolean,
    detail = reason === "secret" ? BY_NAME : undefined,
  ): void {
    const about = { path, reason, isDirectory };
    this.#leftOut.set(path, Object.freeze(detail === undefined ? about : { ...about, detail }));
  }

  /** Whether a rule ignores it or a directory above it. */
  async #isIgnored(path: VirtualPath, isDirectory: boolean): Promise<boolean> {
    if (path === "" || !this.#options.mount.gitignore) return false;
    const parent = paths.parentPath(path);
    const rules = await this.#rulesIn(parent);
    return (
      (rules?.ignores(this.#placed(path), isDirectory) ?? false) ||
      (await this.#isIgnored(parent, true))
    );
  }

  /** The tracked files of a repository at the top. They are shown even if a rule matches them. */
  async #readTracked(): Promise<ReadonlySet<string>> {
    const index = await this.#readSmall(".git/index", MAX_INDEX_BYTES);
    return (index && parseIndex(Buffer.from(index))) ?? new Set();
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

  async #readSmall(path: string, limit = MAX_IGNORE_FILE_BYTES): Promise<Uint8Array | undefined> {
    try {
      const { content, truncated } = await this.#base.readBytes(path, { limit });
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
