import type { FileEntry, FileStat, NodeKind } from "../protocol/filesystem.js";

const TYPE_BITS: Readonly<Record<NodeKind, number>> = {
  file: 0o100000,
  directory: 0o040000,
  symlink: 0o120000,
  special: 0o010000,
};

const BLOCK_BYTES = 4_096;

/** The questions that `Stats` and `Dirent` of `node:fs` both answer. */
class NodeKinds {
  readonly #kind: NodeKind;

  constructor(kind: NodeKind) {
    this.#kind = kind;
  }

  isFile(): boolean {
    return this.#kind === "file";
  }
  isDirectory(): boolean {
    return this.#kind === "directory";
  }
  isSymbolicLink(): boolean {
    return this.#kind === "symlink";
  }
  isFIFO(): boolean {
    return this.#kind === "special";
  }
  isSocket(): boolean {
    return false;
  }
  isBlockDevice(): boolean {
    return false;
  }
  isCharacterDevice(): boolean {
    return false;
  }
}

/** `Stats` of `node:fs`. Owners are 0, and the time of the last access is that of the last change. */
export class NodeStats extends NodeKinds {
  readonly dev = 0;
  readonly ino: number;
  readonly mode: number;
  readonly nlink = 1;
  readonly uid = 0;
  readonly gid = 0;
  readonly rdev = 0;
  readonly size: number;
  readonly blksize = BLOCK_BYTES;
  readonly blocks: number;
  readonly atimeMs: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  readonly birthtimeMs: number;

  constructor({ kind, mode, sizeBytes, identity, createdAt, modifiedAt }: FileStat) {
    super(kind);
    this.ino = hashOf(identity);
    this.mode = TYPE_BITS[kind] | mode;
    this.size = sizeBytes;
    this.blocks = Math.ceil(sizeBytes / 512);
    this.mtimeMs = Date.parse(modifiedAt ?? createdAt ?? "1970-01-01T00:00:00Z");
    this.atimeMs = this.mtimeMs;
    this.ctimeMs = this.mtimeMs;
    this.birthtimeMs = createdAt === undefined ? this.mtimeMs : Date.parse(createdAt);
  }

  get atime(): Date {
    return new Date(Number(this.atimeMs));
  }
  get mtime(): Date {
    return new Date(Number(this.mtimeMs));
  }
  get ctime(): Date {
    return new Date(Number(this.ctimeMs));
  }
  get birthtime(): Date {
    return new Date(Number(this.birthtimeMs));
  }
}

const TIMES = ["atime", "mtime", "ctime", "birthtime"] as const;

/** Changes all numbers to `bigint`, as in `BigIntStats` of `node:fs`, and adds the times in nanoseconds. */
export function withBigInts(stats: NodeStats): NodeStats {
  const times = TIMES.map((time) => [
    `${time}Ns`,
    BigInt(Math.floor(stats[`${time}Ms`])) * 1_000_000n,
  ]);
  const numbers = Object.entries(stats).map(([name, value]) => [name, BigInt(Math.floor(value))]);
  return Object.assign(stats, Object.fromEntries([...numbers, ...times]));
}

/** `Dirent` of `node:fs`. */
export class NodeDirent extends NodeKinds {
  readonly name: string;
  readonly parentPath: string;

  constructor({ name, kind }: FileEntry, parentPath: string) {
    super(kind);
    this.name = name;
    this.parentPath = parentPath;
  }

  get path(): string {
    return this.parentPath;
  }
}

/** A 48-bit hash, because programs compare inode numbers and the identity of a node is a path. */
function hashOf(identity: string): number {
  let low = 0x811c9dc5;
  let high = 0x01000193;
  for (const character of identity) {
    const code = character.codePointAt(0) ?? 0;
    low = Math.imul(low ^ code, 0x01000193) >>> 0;
    high = Math.imul(high ^ code, 0x85ebca6b) >>> 0;
  }
  return (high & 0xffff) * 2 ** 32 + low;
}
