import { createHash } from "node:crypto";
import {
  copyOf,
  Folder,
  inOrder,
  isBelow,
  isFile,
  isLink,
  namesIn,
  place,
  Refused,
  refuseGit,
  sizeOf,
} from "./reference-nodes.test.support.js";
import { ReferenceTree } from "./reference-tree.test.support.js";

/** The limits and quotas of the tests, as plain numbers. */
export interface ReferenceRules {
  readonly maxWriteBytes: number;
  readonly maxPathDepth: number;
  readonly maxSegmentCharacters: number;
  readonly maxTotalBytes: number;
  readonly maxFileBytes: number;
  readonly maxNodeCount: number;
}

export interface ReferenceWrite {
  readonly mode: "create" | "overwrite" | "append";
  readonly createParents: boolean;
  readonly stale: boolean;
}

/** The root was made by the test, and its attributes differ between backends. */
const UNKNOWN = { mode: undefined, time: undefined };

/**
 * The expected behaviour of a filesystem, written only to be obviously correct.
 *
 * It shares no code with the real filesystems.
 */
export class ReferenceFilesystem extends ReferenceTree {
  readonly #rules: ReferenceRules;

  constructor(rules: ReferenceRules) {
    super();
    this.#rules = rules;
  }

  read(path: string): string {
    return this.file(place(path)).content;
  }

  contentId(path: string): string {
    return createHash("sha256")
      .update(Buffer.from(this.read(path), "latin1"))
      .digest("hex");
  }

  /** The time is `undefined` where it is not known. */
  stat(path: string, followLinks: boolean) {
    const at = place(path);
    const raw = this.find(at.names);
    if (!followLinks && isLink(raw) && !at.namesFolder)
      return { kind: "symlink", sizeBytes: raw.target.length, identity: at.names.join("/") };
    const { node, names } = this.follow(at);
    const { mode, time } = names.length === 0 ? UNKNOWN : node;
    const sizeBytes = isFile(node) ? node.content.length : 0;
    const kind = isFile(node) ? "file" : "directory";
    return { kind, sizeBytes, identity: names.join("/"), mode, time };
  }

  exists(path: string): boolean {
    const at = place(path);
    try {
      this.follow(at);
      return true;
    } catch (error) {
      if (error instanceof Refused) return false;
      throw error;
    }
  }

  realpath(path: string): string {
    return this.follow(place(path)).names.join("/");
  }

  readlink(path: string): string {
    const { names, namesFolder } = place(path);
    const node = this.find(names);
    if (node === undefined) throw this.whyMissing(names);
    if (!isLink(node) || namesFolder) throw new Refused("EINVAL");
    return node.target;
  }

  list(path: string): readonly string[] {
    const node = this.require(place(path));
    if (!(node instanceof Folder)) throw new Refused("ENOTDIR");
    return inOrder([...node].map(([name, child]) => (child instanceof Folder ? `${name}/` : name)));
  }

  symlink(target: string, path: string, createParents: boolean): void {
    const { names, namesFolder } = place(path);
    refuseGit(names);
    if (names.length === 0 || this.find(names) !== undefined) throw new Refused("EEXIST");
    if (namesFolder) throw new Refused("ENOTDIR");
    this.#refuseUncreatable(names);
    this.#refuseOverQuota(0, this.missingParents(names, createParents) + 1, 0);
    this.put(names, { target });
  }

  setAttribute(
    path: string,
    attribute: { readonly mode: number } | { readonly time: string },
  ): void {
    const at = place(path);
    refuseGit(at.names);
    if (at.names.length === 0) throw new Refused("EACCES");
    const node = this.require(at);
    // Temporary files also change the time of a folder on disk, so it is never known.
    if ("time" in attribute) node.time = node instanceof Folder ? undefined : attribute.time;
    else node.mode = node instanceof Folder ? attribute.mode | 0o700 : attribute.mode;
  }

  /** `streamed` content has no size limit, only quotas. */
  write(path: string, content: string, options: ReferenceWrite, streamed = false): number {
    const { mode, createParents, stale } = options;
    const { names, namesFolder } = place(path);
    refuseGit(names);
    const most = streamed ? Number.POSITIVE_INFINITY : this.#rules.maxWriteBytes;
    if (content.length > most) throw new Refused("EFBIG");
    const before = this.find(names);
    if (before === undefined) {
      if (namesFolder) throw new Refused("EISDIR");
      if (stale) throw new Refused("ESTALE");
      this.#refuseUncreatable(names);
    } else {
      if (before instanceof Folder) throw new Refused("EISDIR");
      if (mode === "create" && !namesFolder) throw new Refused("EEXIST");
      if (isLink(before)) throw new Refused("EACCES");
      if (namesFolder) throw new Refused("ENOTDIR");
      if (stale) throw new Refused("ESTALE");
    }
    const old = isFile(before) ? before.content : "";
    const after = mode === "append" ? old + content : content;
    if (mode === "append" && after.length > most) throw new Refused("EFBIG");
    const missing = before === undefined ? this.missingParents(names, createParents) : 0;
    const grown = after.length - old.length;
    this.#refuseOverQuota(grown, missing + (before === undefined ? 1 : 0), after.length);
    const file = { content: after, mode: isFile(before) ? before.mode : 0o644, time: undefined };
    this.put(names, file);
    return content.length;
  }

  mkdir(path: string, parents: boolean, existOk: boolean): void {
    const { names } = place(path);
    refuseGit(names);
    const before = this.find(names);
    if (isLink(before)) throw new Refused("EACCES");
    if (before instanceof Folder && existOk) return;
    if (before !== undefined) throw new Refused("EEXIST");
    this.#refuseUncreatable(names);
    this.#refuseOverQuota(0, this.missingParents(names, parents) + 1, 0);
    this.put(names, new Folder());
  }

  delete(path: string, recursive: boolean): void {
    const at = place(path);
    refuseGit(at.names);
    if (at.names.length === 0) throw new Refused("EACCES");
    const node = this.find(at.names);
    if (node === undefined) throw this.whyMissing(at.names);
    if (!(node instanceof Folder) && at.namesFolder) throw new Refused("ENOTDIR");
    if (node instanceof Folder && !recursive) throw new Refused("EISDIR");
    this.remove(at.names);
  }

  transfer(
    call: "copy" | "move",
    from: string,
    to: string,
    overwrite: boolean,
    createParents: boolean,
  ): void {
    const [source, target] = [place(from), place(to)];
    if (call === "move") refuseGit(source.names);
    refuseGit(target.names);
    const raw = this.find(source.names);
    const node = isLink(raw) && !source.namesFolder ? raw : this.require(source);
    if (source.names.length === 0 || target.names.length === 0) throw new Refused("EACCES");
    const same = isBelow(target.names, source.names) && isBelow(source.names, target.names);
    if (node instanceof Folder && !same && isBelow(target.names, source.names))
      throw new Refused("EINVAL");
    const replaced = this.find(target.names);
    if (replaced === undefined) {
      if (target.namesFolder && !(node instanceof Folder)) throw new Refused("ENOTDIR");
    } else {
      if (!overwrite) throw new Refused("EEXIST");
      if (replaced instanceof Folder && !(node instanceof Folder)) throw new Refused("EISDIR");
      if (!(replaced instanceof Folder) && (node instanceof Folder || target.namesFolder))
        throw new Refused("ENOTDIR");
      if (same) return;
      if (isBelow(source.names, target.names)) throw new Refused("EINVAL");
    }
    for (const names of namesIn(node)) {
      this.#refuseUncreatable([...target.names, ...names]);
      refuseGit(names);
    }
    const missing = replaced === undefined ? this.missingParents(target.names, createParents) : 0;
    const freed = replaced === undefined ? { bytes: 0, nodes: 0, largest: 0 } : sizeOf(replaced);
    const size = sizeOf(node);
    if (call === "copy")
      this.#refuseOverQuota(
        size.bytes - freed.bytes,
        size.nodes - freed.nodes + missing,
        size.largest,
      );
    else this.#refuseOverQuota(-freed.bytes, missing - freed.nodes, 0);
    if (call === "move") this.remove(source.names);
    this.put(target.names, call === "copy" ? copyOf(node) : node);
  }

  usage(): { totalBytes: number; nodeCount: number } {
    const { bytes, nodes } = sizeOf(this.root);
    return { totalBytes: bytes, nodeCount: nodes - 1 };
  }

  /** Every path below the root that is not a link. The path of a folder ends with a slash. */
  paths(): readonly string[] {
    const all = namesIn(this.root).filter((names) => names.length > 0);
    const found = all.filter((names) => !isLink(this.find(names)));
    return inOrder(
      found.map((names) => names.join("/") + (this.find(names) instanceof Folder ? "/" : "")),
    );
  }

  #refuseUncreatable(names: readonly string[]): void {
    const { maxPathDepth, maxSegmentCharacters } = this.#rules;
    if (names.length > maxPathDepth) throw new Refused("EINVAL");
    if (names.some((name) => [...name].length > maxSegmentCharacters)) throw new Refused("EINVAL");
  }

  #refuseOverQuota(moreBytes: number, moreNodes: number, largestFile: number): void {
    const { totalBytes, nodeCount } = this.usage();
    const tooLarge = largestFile > this.#rules.maxFileBytes;
    const tooMuch = moreBytes > 0 && totalBytes + moreBytes > this.#rules.maxTotalBytes;
    const tooMany = moreNodes > 0 && nodeCount + moreNodes > this.#rules.maxNodeCount;
    if (tooLarge || tooMuch || tooMany) throw new Refused("EDQUOT");
  }
}
