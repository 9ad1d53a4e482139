import { copyBytes } from "../content/bytes.js";
import type * as fs from "../protocol/filesystem.js";
import { changeMode, changeTime } from "./attributes.js";
import type { Calls } from "./calls.js";
import { contentIdOf } from "./content-id.js";
import { deletePath } from "./delete-path.js";
import { describeNode, nodeExists } from "./describe-node.js";
import { rememberDriver } from "./driver-of.js";
import { openReader } from "./file-reader.js";
import { openWriter } from "./file-writer.js";
import { incomingBytes, incomingText } from "./incoming.js";
import { createLink, readLink, realPath } from "./links.js";
import { listDirectory } from "./list-directory.js";
import { makeDirectory } from "./make-directory.js";
import { readBytes } from "./read-bytes.js";
import { readText } from "./read-text.js";
import { globWorkspace, grepWorkspace } from "./search-workspace.js";
import { openTextReader } from "./text-reader.js";
import { copyPath, movePath } from "./transfer.js";
import { type Target, targetOf, type Workspace } from "./workspace.js";
import { writeFile } from "./write-file.js";
import { requireChangeable } from "./write-rules.js";

/** The calls of a {@link fs.Filesystem} over a driver: runs the operation of each call by the rules of `Calls`. */
export class DriverFiles implements Omit<fs.Filesystem, "transact"> {
  readonly root: string;
  readonly readOnly: boolean;
  readonly mountPoint: string | undefined;
  readonly limits: fs.Filesystem["limits"];
  readonly quotas: fs.Filesystem["quotas"];
  readonly #calls: Calls;

  constructor(calls: Calls, root: string) {
    const { readOnly, mountPoint, limits, quotas } = calls.workspace;
    this.root = root;
    this.readOnly = readOnly;
    this.mountPoint = mountPoint;
    this.limits = limits;
    this.quotas = quotas;
    this.#calls = calls;
    rememberDriver(this, calls.workspace.driver);
  }

  read(path: string, options: fs.ReadOptions = {}): Promise<fs.ReadResult> {
    // A driver with `load` reads the file in one step.
    return this.#fast?.load
      ? this.#calls.read("read", path, options, readText)
      : this.#calls.readConsistently("read", path, options, readText);
  }

  readBytes(path: string, options: fs.ReadBytesOptions = {}): Promise<fs.ReadBytesResult> {
    return this.#calls.readConsistently("readBytes", path, options, readBytes);
  }

  exists(path: string, options: fs.CallOptions = {}): Promise<boolean> {
    return this.#calls.read("exists", path, options, nodeExists);
  }

  stat(path: string, options: fs.StatOptions = {}): Promise<fs.FileStat> {
    return this.#calls.readConsistently("stat", path, options, describeNode);
  }

  readlink(path: string, options: fs.CallOptions = {}): Promise<string> {
    return this.#calls.readConsistently("readlink", path, options, readLink);
  }

  realpath(path: string, options: fs.CallOptions = {}): Promise<string> {
    return this.#calls.readConsistently("realpath", path, options, realPath);
  }

  contentId(path: string, options: fs.CallOptions = {}): Promise<string> {
    return this.#calls.readConsistently("contentId", path, options, contentIdOf);
  }

  list(path = ".", options: fs.ListOptions = {}): Promise<fs.Cut<fs.FileEntry>> {
    return this.#calls.readConsistently("list", path, options, listDirectory);
  }

  glob(pattern: string, options: fs.GlobOptions = {}): Promise<fs.Cut<fs.GlobMatch>> {
    return this.#search("glob", options, (workspace, target) =>
      globWorkspace(workspace, target, pattern, options),
    );
  }

  grep(pattern: string, options: fs.GrepOptions = {}): Promise<fs.GrepResult> {
    return this.#search("grep", options, (workspace, target) =>
      grepWorkspace(workspace, target, pattern, options),
    );
  }

  write(path: string, content: string, options: fs.WriteOptions = {}): Promise<fs.WriteResult> {
    return this.#calls.change("write", path, options, (workspace, target) => {
      requireChangeable(workspace, target);
      const incoming = incomingText(workspace, target, content, options);
      return writeFile(workspace, target, incoming, options);
    });
  }

  writeBytes(
    path: string,
    content: Uint8Array,
    options: fs.WriteOptions = {},
  ): Promise<fs.WriteResult> {
    // The caller may change the bytes while the write is queued. Other types and oversized content are refused later.
    const isKept = content instanceof Uint8Array && content.length <= this.limits.maxWriteBytes;
    const own = isKept ? copyBytes(content) : content;
    return this.#calls.change("writeBytes", path, options, (workspace, target) => {
      requireChangeable(workspace, target);
      const incoming = incomingBytes(workspace, target, own, options);
      return writeFile(workspace, target, incoming, options);
    });
  }

  delete(path: string, options: fs.DeleteOptions = {}): Promise<void> {
    return this.#calls.change("delete", path, options, deletePath);
  }

  mkdir(path: string, options: fs.MkdirOptions = {}): Promise<void> {
    return this.#calls.change("mkdir", path, options, makeDirectory);
  }

  copy(from: string, to: string, options: fs.TransferOptions = {}): Promise<void> {
    return this.#calls.change("copy", from, options, (workspace, source) =>
      copyPath(workspace, source, targetOf(workspace, "copy", to, options), options),
    );
  }

  move(from: string, to: string, options: fs.TransferOptions = {}): Promise<void> {
    return this.#calls.change("move", from, options, (workspace, source) =>
      movePath(workspace, source, targetOf(workspace, "move", to, options), options),
    );
  }

  symlink(target: string, path: string, options: fs.SymlinkOptions = {}): Promise<void> {
    return this.#calls.change("symlink", path, options, (workspace, link) =>
      createLink(workspace, link, target, options),
    );
  }

  chmod(path: string, mode: number, options: fs.CallOptions = {}): Promise<void> {
    return this.#calls.change("chmod", path, options, (workspace, target) =>
      changeMode(workspace, target, mode),
    );
  }

  utimes(path: string, modifiedAt: Date | string, options: fs.CallOptions = {}): Promise<void> {
    return this.#calls.change("utimes", path, options, (workspace, target) =>
      changeTime(workspace, target, modifiedAt),
    );
  }

  openRead(path: string, options: fs.OpenReadOptions = {}): Promise<fs.FileReader> {
    return this.#calls.readConsistently("openRead", path, options, openReader);
  }

  openWrite(path: string, options: fs.WriteOptions = {}): Promise<fs.FileWriter> {
    const queue = this.#calls.changeQueue();
    return this.#calls.read("openWrite", path, options, (workspace, target) =>
      openWriter(workspace, target, options, queue),
    );
  }

  openText(path: string, options: fs.CallOptions = {}): Promise<fs.TextReader> {
    return this.#calls.readConsistently("openText", path, options, openTextReader);
  }

  usage(options: fs.CallOptions = {}): Promise<fs.Usage> {
    const measure = ({ usage }: Workspace) => usage.measure(options.signal);
    // A count that takes time must not miss concurrent changes.
    return this.#fast?.countsUsage
      ? this.#calls.read("usage", ".", options, measure)
      : this.#calls.change("usage", ".", options, measure);
  }

  get #fast() {
    return this.#calls.workspace.driver.accelerate;
  }

  /** A driver with `walk` handles concurrent changes itself. */
  #search<T>(
    operation: "glob" | "grep",
    options: fs.GlobOptions,
    search: (workspace: Workspace, target: Target) => Promise<T>,
  ): Promise<T> {
    const path = options?.path ?? ".";
    return this.#fast?.walk
      ? this.#calls.read(operation, path, options, search)
      : this.#calls.readConsistently(operation, path, options, search);
  }
}
