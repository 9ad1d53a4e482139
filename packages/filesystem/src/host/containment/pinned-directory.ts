import {
  closeSync,
  constants,
  type Dirent,
  linkSync,
  lstatSync,
  openSync,
  readdirSync,
  renameSync,
  type Stats,
  unlinkSync,
} from "node:fs";
import type { DriverEntry } from "../../driver/driver.js";
import { isDoubtful, rawName, shownName } from "../../path/host-name.js";
import type { NodeKind } from "../../protocol/filesystem.js";
import { errorCode, Refusal, tolerating } from "../process/from-node-error.js";

const { O_WRONLY, O_CREAT, O_EXCL } = constants;

/** An open directory of a `HostRoot`. Only its direct children are addressed by name, so no link is followed on the way. */
export class PinnedDirectory {
  readonly fd: number;
  /** The path that the kernel resolves to this directory, with a trailing slash. */
  readonly prefix: string;

  constructor(fd: number, prefix: string) {
    this.fd = fd;
    this.prefix = prefix;
  }

  /** The path that Node needs for the child `name`. */
  pathOf(name: string): string | Buffer {
    const raw = rawName(name);
    if (raw === undefined) throw new Refusal("EINVAL");
    if (typeof raw === "string") return this.prefix + raw;
    return Buffer.concat([Buffer.from(this.prefix), raw]);
  }

  /** The stat of the child itself, without following links, or `undefined` if it does not exist. */
  stat(name: string): Stats | undefined {
    return lstatSync(this.pathOf(name), { throwIfNoEntry: false });
  }

  /** All entries, including temporary files of WINK. */
  entries(): DriverEntry[] {
    // On a filesystem that does not report types, Node stats each name, and throws if one was deleted in the
    // meantime.
    return tolerating(["ENOENT"], () => this.#readTyped(), undefined) ?? this.#readOneByOne();
  }

  /** Renames the child `from` to `to`. Throws `EEXIST` if `to` exists. */
  renameToFree(from: string, to: string): void {
    linkOrReserve(this.pathOf(from), this.pathOf(to));
  }

  #readTyped(): DriverEntry[] {
    const entries: DriverEntry[] = [];
    for (const dirent of readdirSync(this.prefix, { withFileTypes: true })) {
      // Reading names as bytes takes twice as long, so it is done only if a name may not be valid UTF-8.
      if (isDoubtful(dirent.name)) return this.#readBytewise();
      entries.push({ name: dirent.name, kind: kindOf(dirent) });
    }
    return entries;
  }

  #readBytewise(): DriverEntry[] {
    const dirents = readdirSync(this.prefix, { withFileTypes: true, encoding: "buffer" });
    return dirents.map((dirent) => ({ name: shownName(dirent.name), kind: kindOf(dirent) }));
  }

  #readOneByOne(): DriverEntry[] {
    const entries: DriverEntry[] = [];
    for (const raw of readdirSync(this.prefix, { encoding: "buffer" })) {
      const name = shownName(raw);
      const stat = this.stat(name);
      if (stat !== undefined) entries.push({ name, kind: kindOf(stat) });
    }
    return entries;
  }
}

export function kindOf(node: Dirent<string> | Dirent<Buffer> | Stats): NodeKind {
  if (node.isFile()) return "file";
  if (node.isDirectory()) return "directory";
  return node.isSymbolicLink() ? "symlink" : "special";
}

/** Renames `from` to `to`. Throws `EEXIST` if `to` exists. */
export function linkOrReserve(from: string | Buffer, to: string | Buffer): void {
  try {
    linkSync(from, to);
  } catch (error) {
    if (!["EPERM", "EOPNOTSUPP", "ENOSYS"].includes(errorCode(error) ?? "")) throw error;
    // A filesystem without hard links: create the name first, then replace it.
    closeSync(openSync(to, O_WRONLY | O_CREAT | O_EXCL, 0o600));
    renameSync(from, to);
    return;
  }
  unlinkSync(from);
}
