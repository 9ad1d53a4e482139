import { paths, type VirtualPath } from "@wink/filesystem";
import { WorkspaceError } from "../error/workspace-error.js";
import type { Git, GitRunOptions } from "./git-plumbing.js";

/** A file of a commit. */
export interface GitFile {
  readonly path: VirtualPath;
  readonly kind: "file" | "executable" | "symlink" | "submodule";
  readonly id: string;
  readonly sizeBytes: number;
}

const KINDS: Readonly<Record<string, GitFile["kind"]>> = {
  "100644": "file",
  "100664": "file",
  "100755": "executable",
  "120000": "symlink",
  "160000": "submodule",
};

/** How many bytes one process of git returns at most, unless a single file is larger. */
const MAX_BATCH_BYTES = 32 * 1024 * 1024;

/** Every file below a tree, such as `<commit>` or `<commit>:src`. Paths are relative to it. */
export async function listTree(
  git: Git,
  tree: string,
  options?: GitRunOptions,
): Promise<readonly GitFile[]> {
  const output = await git.run(["ls-tree", "-r", "-l", "-z", "--full-tree", tree], options);
  const files: GitFile[] = [];
  for (let at = 0; at < output.length; ) {
    const end = output.indexOf(0, at);
    const tab = output.indexOf("\t", at);
    const [mode = "", , id = "", size] = output.toString("latin1", at, tab).split(/ +/);
    const kind = KINDS[mode];
    const path = shownPath(output.subarray(tab + 1, end));
    if (kind === undefined || path === undefined) throw damaged();
    files.push({ path, kind, id, sizeBytes: size === "-" ? 0 : Number(size) });
    at = end + 1;
  }
  return files;
}

/** The contents of files, in the given order. */
export async function* readBlobs<F extends Pick<GitFile, "id" | "sizeBytes">>(
  git: Git,
  files: readonly F[],
  options?: GitRunOptions,
): AsyncGenerator<readonly [F, Buffer], void, void> {
  for (let start = 0; start < files.length; ) {
    let end = start;
    for (let bytes = 0; end < files.length; end++) {
      bytes += files[end]?.sizeBytes ?? 0;
      if (end > start && bytes > MAX_BATCH_BYTES) break;
    }
    const batch = files.slice(start, end);
    const input = Buffer.from(batch.map(({ id }) => `${id}\n`).join(""));
    const output = await git.run(["cat-file", "--batch"], { ...options, input });
    let at = 0;
    for (const file of batch) {
      const line = output.indexOf("\n", at);
      const [id, type, size] = output.toString("latin1", at, line).split(" ");
      if (id !== file.id || type !== "blob") throw damaged();
      const next = line + 1 + Number(size);
      yield [file, output.subarray(line + 1, next)];
      at = next + 1;
    }
    start = end;
  }
}

/** `undefined` for a path that git never writes and that would escape from a directory. */
function shownPath(bytes: Buffer): VirtualPath | undefined {
  const segments: string[] = [];
  for (let at = 0; at <= bytes.length; ) {
    const slash = bytes.indexOf("/", at);
    const end = slash < 0 ? bytes.length : slash;
    const segment = paths.shownName(bytes.subarray(at, end));
    if (segment === "" || segment === "." || segment === "..") return undefined;
    segments.push(segment);
    at = end + 1;
  }
  return segments.join("/") as VirtualPath;
}

function damaged(): WorkspaceError {
  return new WorkspaceError("GIT_FAILED", {
    subject: "repository",
    reason: "An object is missing or damaged. Run git fsck; a partial clone may have to fetch it.",
  });
}
