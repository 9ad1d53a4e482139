import { fstatSync, type Stats } from "node:fs";
import { type FilesystemLimits, paths, type VirtualPath } from "@wink/filesystem";
import {
  type HostRoot,
  type PinnedDirectory,
  type StagedAttributes,
  type StagedFiles,
  TimeSlices,
} from "@wink/filesystem/host";
import type { AllowedRoots } from "./allowed-roots.js";
import {
  DEFAULT_MAX_MOUNT_BYTES,
  DEFAULT_MAX_MOUNT_FILES,
  type HostMount,
  type LeftOutReason,
  type MountHostOptions,
  type MountLeftOut,
} from "./host-mount.js";
import { mountError } from "./mount-error.js";
import { type MountFilter, mountFilter } from "./mount-filter.js";
import {
  ChangingFile,
  type LargeFile,
  type MountedFile,
  type ReadLimits,
  readMountedFile,
  Slab,
} from "./read-mounted-file.js";
import { secretContent } from "./secret-content.js";
import { BY_NAME, secretName } from "./secret-names.js";

/** Follows the walk of a mount, and can shorten it. */
export interface CopyObserver {
  /** Whether the walk visits this path. @default every path */
  wants?(path: VirtualPath, isDirectory: boolean): boolean;
  /** The size of a file or link that is known, so that it is neither read nor copied. @default every file is copied */
  knownSize?(path: VirtualPath, stat: () => Stats | undefined): number | undefined;
  /** Called for each copied file and each visited directory. */
  onNode?(path: VirtualPath, stat: Stats): void;
  /** Called for each file whose content decides about copies: the path below the directory, or absolute. */
  onRule?(path: string): void;
}

export interface CopyTarget {
  readonly observer?: CopyObserver | undefined;
  readonly sink: StagedFiles;
  readonly limits: FilesystemLimits;
  readonly roots: AllowedRoots;
  readonly options: MountHostOptions;
  /** The total over all mounts so far, for `onProgress`. */
  readonly total: { files: number; bytes: number };
}

/** The state of one mount during the copy: counts, left out paths and limits. */
export class MountCopy {
  readonly mount: HostMount;
  readonly mountPath: VirtualPath;
  readonly filter: MountFilter;
  readonly leftOut: MountLeftOut[] = [];
  fileCount = 0;
  totalBytes = 0;
  /** The commit that the files are from, for a mount of a revision. */
  commitId: string | undefined;
  readonly #target: CopyTarget;
  readonly #directories = new Set<VirtualPath>();
  readonly #entered = new Map<VirtualPath, StagedAttributes>();
  readonly #slices = new TimeSlices();
  readonly #readLimits: ReadLimits;
  #lastPath = "";

  constructor(mount: HostMount, mountPath: VirtualPath, target: CopyTarget) {
    this.mount = mount;
    this.mountPath = mountPath;
    this.filter = mountFilter(mount, target.limits);
    this.#target = target;
    const { maxBytes = DEFAULT_MAX_MOUNT_BYTES, maxFileBytes = Infinity } = mount;
    this.#readLimits = {
      maxFileBytes,
      rejectHardlinks: target.options.rejectHardlinks ?? false,
      slab: new Slab(),
      onSize: (sizeBytes) => {
        if (this.totalBytes + sizeBytes <= maxBytes) return;
        throw mountError(
          "EFBIG",
          mount.hostPath,
          `it holds more than ${maxBytes} bytes (maxBytes)`,
        );
      },
    };
  }

  get roots(): AllowedRoots {
    return this.#target.roots;
  }

  get directoryCount(): number {
    return this.#directories.size;
  }

  get isPauseDue(): boolean {
    return this.#slices.isOver();
  }

  /** Yields to the event loop, reports the progress and throws if the call was aborted. */
  async pause(): Promise<void> {
    const { options, total } = this.#target;
    options.onProgress?.({ fileCount: total.files, totalBytes: total.bytes, path: this.#lastPath });
    await this.#slices.pause();
    options.signal?.throwIfAborted();
  }

  leaveOut(
    below: VirtualPath,
    reason: LeftOutReason,
    isDirectory: boolean,
    detail = reason === "secret" ? BY_NAME : undefined,
  ): void {
    const about = { path: this.#at(below), reason, isDirectory };
    this.leftOut.push(Object.freeze(detail === undefined ? about : { ...about, detail }));
  }

  directory(below: VirtualPath): void {
    this.#makeDirectory(this.#at(below));
  }

  /** Whether the walk visits a path. */
  wants(below: VirtualPath, isDirectory: boolean): boolean {
    return this.#target.observer?.wants?.(this.#at(below), isDirectory) ?? true;
  }

  /** Called for each directory that the walk enters. */
  entered(below: VirtualPath, { fd }: PinnedDirectory): void {
    const stat = fstatSync(fd);
    this.#entered.set(this.#at(below), attributesOf(stat));
    this.#target.observer?.onNode?.(this.#at(below), stat);
  }

  /** Called for each file whose content decides about copies. */
  ruledBy(path: string): void {
    this.#target.observer?.onRule?.(path);
  }

  /** Copies a file, unless it cannot be read or contains a secret. */
  file(
    root: HostRoot,
    parent: PinnedDirectory,
    name: string,
    below: VirtualPath,
    hostPath: string,
  ): void {
    if (this.#isKnown(parent, name, below)) return;
    const { large } = this.#target.sink;
    const copyLarge = large && ((file: LargeFile) => this.#addLarge(file, below, hostPath));
    const read = this.#read(root, parent, name, below, copyLarge);
    if (read === undefined) return;
    if (typeof read === "string") this.leaveOut(below, read, false);
    else this.add(read, below, hostPath);
  }

  /** Adds a file that was read, unless it contains a secret. `hostPath` is absolute, for the rules about names. */
  add(read: MountedFile, below: VirtualPath, hostPath: string): void {
    const path = this.#accept(read.bytes, below, hostPath);
    if (path === undefined) return;
    const mode = read.executable ? 0o755 : 0o644;
    this.#target.sink.file(path, read.bytes, read.stat ? attributesOf(read.stat) : { mode });
    if (read.stat !== undefined) this.#target.observer?.onNode?.(path, read.stat);
    this.#count(path, read.bytes.length);
  }

  /** Copies a large file or leaves it out. Returns `false` if it changed during the copy, so that the caller tries again. */
  #addLarge({ stat, beginning, parts }: LargeFile, below: VirtualPath, hostPath: string): boolean {
    const { fileCount } = this;
    const path = this.#accept(beginning, below, hostPath);
    if (path === undefined) return true;
    if (this.#target.sink.large?.(path, parts(), attributesOf(stat)) !== true) {
      this.fileCount = fileCount;
      return false;
    }
    this.#target.observer?.onNode?.(path, stat);
    this.#count(path, stat.size);
    return true;
  }

  /** Makes the directory for a file and returns the path. `undefined` if it is left out as a secret. */
  #accept(bytes: Uint8Array, below: VirtualPath, hostPath: string): VirtualPath | undefined {
    const secret = this.#secretIn(bytes, hostPath);
    if (secret !== undefined) {
      this.leaveOut(below, "secret", false, secret);
      return undefined;
    }
    const { maxFiles = DEFAULT_MAX_MOUNT_FILES } = this.mount;
    if (++this.fileCount > maxFiles)
      throw mountError(
        "EFBIG",
        this.mount.hostPath,
        `it holds more than ${maxFiles} files (maxFiles)`,
      );
    const path = this.#at(below);
    this.#makeDirectory(paths.parentPath(path));
    return path;
  }

  /** Adds a symbolic link as a link. */
  link(target: Uint8Array, below: VirtualPath, stat: Stats): void {
    const path = this.#at(below);
    const { observer, sink } = this.#target;
    if (observer?.knownSize?.(path, () => stat) === undefined) {
      this.#makeDirectory(paths.parentPath(path));
      sink.link(path, target, attributesOf(stat));
      observer?.onNode?.(path, stat);
    }
    this.#count(path, 0);
  }

  #count(path: VirtualPath, sizeBytes: number): void {
    this.totalBytes += sizeBytes;
    this.#target.total.files++;
    this.#target.total.bytes += sizeBytes;
    this.#lastPath = path;
  }

  #isKnown(parent: PinnedDirectory, name: string, below: VirtualPath): boolean {
    const path = this.#at(below);
    const sizeBytes = this.#target.observer?.knownSize?.(path, () => parent.stat(name));
    if (sizeBytes === undefined) return false;
    this.fileCount++;
    this.#count(path, sizeBytes);
    return true;
  }

  /** Why a file of this size is left out. Throws when the total would exceed `maxBytes`. */
  reasonAgainstSize(sizeBytes: number): LeftOutReason | undefined {
    if (sizeBytes > this.#readLimits.maxFileBytes) return "too-large";
    this.#readLimits.onSize(sizeBytes);
    return undefined;
  }

  #read(
    root: HostRoot,
    parent: PinnedDirectory,
    name: string,
    below: VirtualPath,
    copyLarge: ((file: LargeFile) => boolean) | undefined,
  ) {
    try {
      return readMountedFile(root, parent, name, this.#readLimits, copyLarge);
    } catch (error) {
      if (!(error instanceof ChangingFile)) throw error;
      throw mountError("ESTALE", this.#at(below), "the file kept changing while it was read");
    }
  }

  /** How a secret in the file was recognised; `undefined` when it contains none. */
  #secretIn(bytes: Uint8Array, hostPath: string): string | undefined {
    if (this.mount.includeSecrets) return undefined;
    const found = secretContent(bytes);
    return found === undefined ? secretName(hostPath, bytes) : `secret content: ${found}`;
  }

  #at(below: VirtualPath): VirtualPath {
    if (below === "" || this.mountPath === "")
      return (below === "" ? this.mountPath : below) as VirtualPath;
    return `${this.mountPath}/${below}` as VirtualPath;
  }

  #makeDirectory(path: VirtualPath): void {
    if (path === "" || this.#directories.has(path)) return;
    this.#makeDirectory(paths.parentPath(path));
    this.#directories.add(path);
    this.#target.sink.directory(path, this.#entered.get(path));
  }
}

function attributesOf({ mode, mtimeMs }: Stats): StagedAttributes {
  return { mode: mode & 0o777, modifiedAtMs: Math.round(mtimeMs) };
}
