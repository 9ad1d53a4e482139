import { execa } from "execa";
import { listFiles, readText, root } from "../repository.js";

/** A file and its text. */
export interface TreeFile {
  readonly file: string;
  readonly text: string;
}

/** The files of the working tree that pass a filter, including untracked files. */
export async function readWorkingTree(
  isWanted: (file: string) => boolean,
): Promise<readonly TreeFile[]> {
  return (await listFiles()).filter(isWanted).map((file) => ({ file, text: readText(file) }));
}

/** The files of a revision that pass a filter, read from git's objects without a checkout. */
export async function readRevision(
  revision: string,
  isWanted: (file: string) => boolean,
  repository = root,
): Promise<readonly TreeFile[]> {
  const git = { cwd: repository, stripFinalNewline: false } as const;
  // `--end-of-options` keeps a revision from being read as an option.
  const list = await execa("git", ["ls-tree", "-rz", "--end-of-options", revision], git);
  const blobs = list.stdout.split("\0").flatMap((entry) => {
    const [, id, file] = /^\d+ blob (\w+)\t(.*)$/s.exec(entry) ?? [];
    return id !== undefined && file !== undefined && isWanted(file) ? [{ id, file }] : [];
  });
  if (blobs.length === 0) return [];
  const input = blobs.map(({ id }) => `${id}\n`).join("");
  const contents = await execa("git", ["cat-file", "--batch"], {
    ...git,
    input,
    encoding: "buffer",
    maxBuffer: 1024 ** 3,
  });
  return splitBatch(Buffer.from(contents.stdout), blobs);
}

/** `git cat-file --batch` answers `<id> blob <size>`, a line feed, the content and a line feed. */
function splitBatch(output: Buffer, blobs: readonly { readonly file: string }[]): TreeFile[] {
  let at = 0;
  return blobs.map(({ file }) => {
    const start = output.indexOf("\n", at) + 1;
    const size = Number(output.toString("latin1", at, start).trim().split(" ")[2]);
    at = start + size + 1;
    return { file, text: output.toString("utf8", start, start + size) };
  });
}
