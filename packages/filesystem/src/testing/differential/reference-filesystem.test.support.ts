/** The simplest filesystem: names in maps, and files as strings with one character per byte. */
type Folder = Map<string, Node>;
type Node = string | Folder;

/** The limits and quotas of the tests, as plain numbers. */
export interface ReferenceRules {
  readonly maxWriteBytes: number;
  readonly maxPathDepth: number;
  readonly maxSegmentCharacters: number;
  readonly maxTotalBytes: number;
  readonly maxFileBytes: number;
  readonly maxNodeCount: number;
}

/** A rejection. Only the codes are compared. */
export class Refused extends Error {
  readonly code: string;

  constructor(code: string) {
    super(code);
    this.code = code;
  }
}

interface Place {
  readonly names: readonly string[];
  readonly namesFolder: boolean;
}

export interface ReferenceWrite {
  readonly mode: "create" | "overwrite" | "append";
  readonly createParents: boolean;
  readonly stale: boolean;
}

/**
 * The expected behaviour of a filesystem, written only to be obviously correct.
 *
 * It shares no code with the real filesystems.
 */
export class ReferenceFilesystem {
  readonly #root: Folder = new Map();
  readonly #rules: ReferenceRules;

  constructor(rules: ReferenceRules) {
    this.#rules = rules;
  }

  read(path: string): string {
    return this.#file(place(path));
  }

  kind(path: string): { kind: "file" | "directory"; sizeBytes: number } {
    const node = this.#require(place(path));
    return typeof node === "string"
      ? { kind: "file", sizeBytes: node.length }
      : { kind: "directory", sizeBytes: 0 };
  }

  exists(path: string): boolean {
    const { names, namesFolder } = place(path);
    const node = this.#find(names);
    return node !== undefined && !(namesFolder && typeof node === "string");
  }

  list(path: string): readonly string[] {
    const node = this.#require(place(path));
    if (typeof node === "string") throw new Refused("ENOTDIR");
    return inOrder(
      [...node].map(([name, child]) => (typeof child === "string" ? name : `${name}/`)),
    );
  }

  /** `streamed` content has no size limit, only quotas. */
  write(path: string, content: string, options: ReferenceWrite, streamed = false): number {
    const { mode, createParents, stale } = options;
    const { names, namesFolder } = place(path);
    refuseGit(names);
    const most = streamed ? Number.POSITIVE_INFINITY : this.#rules.maxWriteBytes;
    if (content.length > most) throw new Refused("EFBIG");
    const before = this.#find(names);
    if (before === undefined) {
      if (namesFolder) throw new Refused("EISDIR");
      if (stale) throw new Refused("ESTALE");
      this.#refuseUncreatable(names);
    } else {
      if (typeof before !== "string") throw new Refused("EISDIR");
      if (namesFolder) throw new Refused("ENOTDIR");
      if (mode === "create") throw new Refused("EEXIST");
      if (stale) throw new Refused("ESTALE");
    }
    const after = mode === "append" ? ((before as string | undefined) ?? "") + content : content;
    if (mode === "append" && after.length > most) throw new Refused("EFBIG");
    const missing = before === undefined ? this.#missingParents(names, createParents) : 0;
    const grown = after.length - ((before as string | undefined)?.length ?? 0);
    this.#refuseOverQuota(grown, missing + (before === undefined ? 1 : 0), after.length);
    this.#parent(names).set(last(names), after);
    return content.length;
  }

  mkdir(path: string, parents: boolean, existOk: boolean): void {
    const { names } = place(path);
    refuseGit(names);
    const before = this.#find(names);
    if (before instanceof Map && existOk) return;
    if (before !== undefined) throw new Refused("EEXIST");
    this.#refuseUncreatable(names);
    this.#refuseOverQuota(0, this.#missingParents(names, parents) + 1, 0);
    this.#parent(names).set(last(names), new Map());
  }

  delete(path: string, recursive: boolean): void {
    const at = place(path);
    refuseGit(at.names);
    if (at.names.length === 0) throw new Refused("EACCES");
    const node = this.#require(at);
    if (node instanceof Map && !recursive) throw new Refused("EISDIR");
    this.#parent(at.names).delete(last(at.names));
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
    const node = this.#require(source);
    if (source.names.length === 0 || target.names.length === 0) throw new Refused("EACCES");
    const same = isBelow(target.names, source.names) && isBelow(source.names, target.names);
    if (node instanceof Map && !same && isBelow(target.names, source.names))
      throw new Refused("EINVAL");
    const replaced = this.#find(target.names);
    if (replaced === undefined) {
      if (target.namesFolder && typeof node === "string") throw new Refused("ENOTDIR");
    } else {
      if (!overwrite) throw new Refused("EEXIST");
      if (replaced instanceof Map && typeof node === "string") throw new Refused("EISDIR");
      if (typeof replaced === "string" && (node instanceof Map || target.namesFolder))
        throw new Refused("ENOTDIR");
      if (same) return;
      if (isBelow(source.names, target.names)) throw new Refused("EINVAL");
    }
    for (const names of namesIn(node)) {
      this.#refuseUncreatable([...target.names, ...names]);
      refuseGit(names);
    }
    const missing = replaced === undefined ? this.#missingParents(target.names, createParents) : 0;
    const freed = replaced === undefined ? { bytes: 0, nodes: 0, largest: 0 } : sizeOf(replaced);
    const size = sizeOf(node);
    if (call === "copy")
      this.#refuseOverQuota(
        size.bytes - freed.bytes,
        size.nodes - freed.nodes + missing,
        size.largest,
      );
    else this.#refuseOverQuota(-freed.bytes, missing - freed.nodes, 0);
    if (call === "move") this.#parent(source.names).delete(last(source.names));
    this.#parent(target.names).set(
      last(target.names),
      call === "copy" ? structuredClone(node) : node,
    );
  }

  usage(): { totalBytes: number; nodeCount: number } {
    const { bytes, nodes } = sizeOf(this.#root);
    return { totalBytes: bytes, nodeCount: nodes - 1 };
  }

  /** Every path below the root. The path of a folder ends with a slash. */
  paths(): readonly string[] {
    const all = namesIn(this.#root).filter((names) => names.length > 0);
    return inOrder(
      all.map((names) => names.join("/") + (this.#find(names) instanceof Map ? "/" : "")),
    );
  }

  #find(names: readonly string[]): Node | undefined {
    let node: Node | undefined = this.#root;
    for (const name of names) node = node instanceof Map ? node.get(name) : undefined;
    return node;
  }

  #require({ names, namesFolder }: Place): Node {
    const node = this.#find(names);
    if (node === undefined) {
      const throughFile = names.some(
        (_, index) => typeof this.#find(names.slice(0, index)) === "string",
      );
      throw new Refused(throughFile ? "ENOTDIR" : "ENOENT");
    }
    if (typeof node === "string" && namesFolder) throw new Refused("ENOTDIR");
    return node;
  }

  #file(at: Place): string {
    const node = this.#require(at);
    if (node instanceof Map) throw new Refused("EISDIR");
    return node;
  }

  #missingParents(names: readonly string[], mayCreate: boolean): number {
    let missing = 0;
    for (let length = 1; length < names.length; length++) {
      const node = this.#find(names.slice(0, length));
      if (typeof node === "string") throw new Refused("ENOTDIR");
      if (node === undefined) missing++;
    }
    if (missing > 0 && !mayCreate) throw new Refused("ENOENT");
    return missing;
  }

  /** The folder that contains the last of `names`. Makes it if it is missing. */
  #parent(names: readonly string[]): Folder {
    let folder = this.#root;
    for (const name of names.slice(0, -1)) {
      const next = folder.get(name) ?? new Map<string, Node>();
      folder.set(name, next);
      folder = next as Folder;
    }
    return folder;
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

function place(path: string): Place {
  for (const character of path) {
    const code = character.codePointAt(0) as number;
    if (code < 32 || (code >= 127 && code < 160) || (code >= 0xd800 && code < 0xe000))
      throw new Refused("EINVAL");
  }
  const pieces = path.split(/[/\\]/);
  const names: string[] = [];
  for (const piece of pieces) {
    if (piece === "..") {
      if (names.length === 0) throw new Refused("EACCES");
      names.pop();
    } else if (piece !== "" && piece !== ".") names.push(piece);
  }
  const end = pieces.at(-1);
  return { names, namesFolder: end === "" || end === "." };
}

function refuseGit(names: readonly string[]): void {
  if (names.some((name) => name.toLowerCase() === ".git")) throw new Refused("EACCES");
}

function last(names: readonly string[]): string {
  return names.at(-1) as string;
}

function isBelow(names: readonly string[], above: readonly string[]): boolean {
  return above.every((name, index) => names[index] === name);
}

/** The names on the way to each node, from this one down. */
function namesIn(node: Node): readonly (readonly string[])[] {
  if (typeof node === "string") return [[]];
  return [
    [],
    ...[...node].flatMap(([name, child]) => namesIn(child).map((names) => [name, ...names])),
  ];
}

function sizeOf(node: Node): { bytes: number; nodes: number; largest: number } {
  if (typeof node === "string") return { bytes: node.length, nodes: 1, largest: node.length };
  const total = { bytes: 0, nodes: 1, largest: 0 };
  for (const child of node.values()) {
    const { bytes, nodes, largest } = sizeOf(child);
    total.bytes += bytes;
    total.nodes += nodes;
    total.largest = Math.max(total.largest, largest);
  }
  return total;
}

function inOrder(paths: readonly string[]): readonly string[] {
  return [...paths].sort((a, b) =>
    Buffer.compare(Buffer.from(a.replace(/\/$/, "")), Buffer.from(b.replace(/\/$/, ""))),
  );
}
