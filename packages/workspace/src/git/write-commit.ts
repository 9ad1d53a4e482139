import { paths, type VirtualPath } from "@wink/filesystem";
import type { Git, GitRunOptions } from "./git-plumbing.js";

/** A file to write, or to delete if it has no content. */
export interface GitChange {
  readonly path: VirtualPath;
  readonly bytes: Uint8Array | undefined;
  readonly kind: "file" | "executable" | "symlink";
}

export interface GitIdentity {
  readonly name: string;
  readonly email: string;
}

export interface NewCommit {
  /** The full name of the reference that moves to the commit. */
  readonly ref: string;
  /** `undefined` for a commit without a parent. */
  readonly parent: string | undefined;
  readonly message: string;
  readonly author: GitIdentity;
  readonly changes: readonly GitChange[];
}

const MODES = { file: "100644", executable: "100755", symlink: "120000" } as const;

/**
 * Writes a commit and moves its reference in one process of git, which reads no work tree and no index.
 *
 * git refuses to move a reference that does not contain its old commit, unless `force` is set. fast-import accepts paths
 * that fsck rejects, such as `.git/config`, so the caller checks them.
 */
export async function writeCommit(
  git: Git,
  commit: NewCommit,
  options: GitRunOptions & { readonly force?: boolean } = {},
): Promise<string> {
  const args = ["fast-import", "--done", ...(options.force ? ["--force"] : [])];
  await git.run(args, { ...options, input: encodeCommit(commit) });
  return await git.text(["rev-parse", "--verify", commit.ref], options);
}

function encodeCommit({ ref, parent, message, author, changes }: NewCommit): Buffer {
  const who = `${plain(author.name)} <${plain(author.email)}> ${Math.floor(Date.now() / 1000)} +0000`;
  const parts: Uint8Array[] = [
    Buffer.from(`commit ${ref}\nauthor ${who}\ncommitter ${who}\n`),
    ...dataOf(Buffer.from(message)),
    Buffer.from(parent === undefined ? "" : `from ${parent}\n`),
  ];
  // Deletions first, so that a file can become a directory.
  for (const { path, bytes } of changes)
    if (bytes === undefined) parts.push(Buffer.from(`D ${quoted(path)}\n`, "latin1"));
  for (const { path, bytes, kind } of changes)
    if (bytes !== undefined)
      parts.push(
        Buffer.from(`M ${MODES[kind]} inline ${quoted(path)}\n`, "latin1"),
        ...dataOf(bytes),
      );
  return Buffer.concat([...parts, Buffer.from("done\n")]);
}

function dataOf(bytes: Uint8Array): readonly Uint8Array[] {
  return [Buffer.from(`data ${bytes.length}\n`), bytes, Buffer.from("\n")];
}

/** An identity ends at these characters. */
function plain(text: string): string {
  return text.replace(/[<>\n\0]/g, " ").trim() || "unknown";
}

/** A path in quotes, one character per byte, with the escapes that git reads. */
function quoted(path: string): string {
  const text = Buffer.from(paths.pathBytes(path)).toString("latin1");
  const octal = (each: string) => `\\${each.charCodeAt(0).toString(8).padStart(3, "0")}`;
  // Everything but printable ASCII without quotes and backslashes.
  return `"${text.replace(/[^ !#-[\]-~]/g, octal)}"`;
}
