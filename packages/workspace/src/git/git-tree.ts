import { createHash } from "node:crypto";
import { paths, type VirtualPath } from "@wink/filesystem";
import { WorkspaceError } from "../error/workspace-error.js";
import type { Git, GitRunOptions } from "./git-plumbing.js";

/** A file of a commit. */
export interface GitFile {
  readonly path: VirtualPath;
  readonly kind: "file" | "executable" | "symlink" | "submodule";
  readonly id: string;
}

const KINDS: Readonly<Record<string, GitFile["kind"]>> = {
  "100644": "file",
  "100664": "file",
  "100755": "executable",
  "120000": "symlink",
  "160000": "submodule",
};

/** Every file below a tree, such as `<commit>` or `<commit>:src`. Paths are relative to it. */
export async function listTree(
  git: Git,
  tree: string,
  options?: GitRunOptions,
): Promise<readonly GitFile[]> {
  return parseTree(await git.run(["ls-tree", "-r", "-z", "--full-tree", tree], options)).files;
}

/** The files of a directory in a commit, and the id of the directory's tree. */
export interface GitListing {
  readonly treeId: string;
  readonly files: readonly GitFile[];
}

/** Reads the output of `ls-tree -r -z`. `treeId` is right only with `-t`. */
export function parseTree(output: Buffer): GitListing {
  const files: GitFile[] = [];
  const top: Buffer[] = [];
  for (let at = 0; at < output.length; ) {
    const end = output.indexOf(0, at);
    // `<mode> <type> <id>\t<path>`
    const tab = output.indexOf(TAB, at);
    const header = output.toString("latin1", at, tab);
    const mode = header.slice(0, 6);
    const id = header.slice(header.lastIndexOf(" ") + 1);
    const slash = output.indexOf(SLASH, tab);
    if (slash < 0 || slash > end) {
      const name = output.subarray(tab + 1, end + 1);
      top.push(Buffer.from(`${mode.replace(/^0/, "")} `), name, Buffer.from(id, "hex"));
    }
    if (mode !== TREE) {
      const kind = KINDS[mode];
      const path = shownPath(output, tab + 1, end);
      if (kind === undefined || path === undefined) throw damaged();
      files.push({ path, kind, id });
    }
    at = end + 1;
  }
  return { files, treeId: hashOfTree(Buffer.concat(top), files[0]?.id.length) };
}

function hashOfTree(content: Buffer, hexDigits: number | undefined): string {
  const hash = createHash(hexDigits === 64 ? "sha256" : "sha1");
  return hash.update(`tree ${content.length}\0`).update(content).digest("hex");
}

const TREE = "040000";
const SLASH = 47;

const TAB = 9;
const NEWLINE = 10;

/** What to read: an id, or a name such as `main^{commit}`. */
export interface GitObject {
  readonly id: string;
  /** @default "blob" */
  readonly type?: "commit" | "tree";
}

/** A file, its content, and its id. */
export type FoundObject<F> = readonly [F, Uint8Array, string];

interface ReadObjectsOptions<F> extends GitRunOptions {
  /** Called before the content of a file is read. The content is skipped if it returns `false`. @default read all */
  readonly accepts?: ((file: F, sizeBytes: number) => boolean) | undefined;
}

/** The contents of files, in the given order, several at a time. */
export async function* readObjects<F extends GitObject>(
  git: Git,
  files: readonly F[],
  { accepts = () => true, ...options }: ReadObjectsOptions<F> = {},
): AsyncGenerator<readonly FoundObject<F>[], void, void> {
  if (files.length === 0) return;
  const input = Buffer.from(files.map(({ id }) => `${id}\n`).join(""));
  const reader = new BatchReader(files, accepts);
  for await (const chunks of git.stream(["cat-file", "--batch", "--buffer"], {
    ...options,
    input,
  })) {
    const blobs = chunks.flatMap((chunk) => reader.read(chunk));
    if (blobs.length > 0) yield blobs;
  }
  if (!reader.isDone) throw damaged();
}

/** Splits the output of `cat-file --batch`: `<id> <type> <size>\n<content>\n` for each object. */
class BatchReader<F extends GitObject> {
  readonly #files: readonly F[];
  readonly #accepts: (file: F, sizeBytes: number) => boolean;
  #next = 0;
  /** The start of a header whose end is in the next chunk. */
  #headerStart: Buffer = Buffer.alloc(0);
  /** A content whose end is in a later chunk, with its line end, and how much of it was read. */
  #content: Buffer | undefined;
  #contentEnd = 0;
  /** The size of the next object; `undefined` before its header. For a skipped object, the remaining bytes. */
  #sizeBytes: number | undefined;
  #isSkipped = false;
  #id = "";

  constructor(files: readonly F[], accepts: (file: F, sizeBytes: number) => boolean) {
    this.#files = files;
    this.#accepts = accepts;
  }

  get isDone(): boolean {
    const hasStarted = this.#headerStart.length > 0 || this.#sizeBytes !== undefined;
    return this.#next === this.#files.length && !hasStarted;
  }

  /** Objects inside the chunk are parts of its memory. Only an object in two chunks is copied. */
  read(chunk: Buffer): FoundObject<F>[] {
    const found: FoundObject<F>[] = [];
    let at = 0;
    while (at < chunk.length) {
      if (this.#sizeBytes === undefined) {
        const line = chunk.indexOf(NEWLINE, at);
        const part = chunk.subarray(at, line < 0 ? chunk.length : line);
        at += part.length + 1;
        const header =
          this.#headerStart.length === 0 ? part : Buffer.concat([this.#headerStart, part]);
        this.#headerStart = line < 0 ? header : Buffer.alloc(0);
        if (line < 0) break;
        this.#header(header);
        continue;
      }
      const needed = this.#sizeBytes + 1;
      const left = chunk.length - at;
      if (this.#isSkipped) {
        const skipped = Math.min(left, needed);
        at += skipped;
        if (skipped === needed) this.#end();
        else this.#sizeBytes = needed - skipped - 1;
      } else if (this.#content === undefined && left >= needed) {
        found.push(this.#object(chunk.subarray(at, at + needed - 1)));
        at += needed;
      } else {
        this.#content ??= Buffer.allocUnsafeSlow(needed);
        const copied = chunk.copy(this.#content, this.#contentEnd, at);
        at += copied;
        this.#contentEnd += copied;
        if (this.#contentEnd === needed) found.push(this.#object(this.#content.subarray(0, -1)));
      }
    }
    return found;
  }

  #object({ buffer, byteOffset, length }: Buffer): FoundObject<F> {
    const file = this.#files[this.#next] as F;
    const id = this.#id;
    this.#end();
    return [file, new Uint8Array(buffer, byteOffset, length), id];
  }

  #end(): void {
    this.#content = undefined;
    this.#contentEnd = 0;
    this.#sizeBytes = undefined;
    this.#next++;
  }

  #header(line: Buffer): void {
    const file = this.#files[this.#next];
    const [id = "", type, size] = line.toString("latin1").split(" ");
    const sizeBytes = Number(size);
    // For a missing object git prints `<id> missing`.
    if (file === undefined || type !== (file.type ?? "blob") || !Number.isSafeInteger(sizeBytes))
      throw damaged();
    this.#id = id;
    this.#sizeBytes = sizeBytes;
    this.#isSkipped = !this.#accepts(file, sizeBytes);
  }
}

/** `undefined` for a path that git never writes and that would escape from a directory. */
function shownPath(bytes: Buffer, start: number, end: number): VirtualPath | undefined {
  const text = bytes.toString("latin1", start, end);
  // The shown form of plain ASCII is the same text.
  const path = /[^ -[\]-~]/.test(text)
    ? text
        .split("/")
        .map((segment) => paths.shownName(Buffer.from(segment, "latin1")))
        .join("/")
    : text;
  return /(?:^|\/)\.{0,2}(?:\/|$)/.test(path) ? undefined : (path as VirtualPath);
}

function damaged(): WorkspaceError {
  return new WorkspaceError("GIT_FAILED", {
    subject: "repository",
    reason: "An object is missing or damaged. Run git fsck; a partial clone may have to fetch it.",
  });
}
