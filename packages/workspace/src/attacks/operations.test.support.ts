import type { GrepResult } from "@wink/filesystem";
import { type Filesystem, FilesystemError } from "@wink/filesystem";
import { HostFilesystem } from "@wink/filesystem/host";
import type { Place } from "./place.test.support.js";

/** An operation that is about to run. */
export interface Prepared {
  /** Returns the caller's result, reduced to the parts that are the same each time. */
  run(): Promise<unknown>;
  close(): Promise<void>;
}

/** A user's operation that is attacked. */
export interface Operation {
  readonly name: string;
  /** The tree it works on. */
  readonly on: "workspace" | "host";
  /** What a failure may leave: the tree before or after, each file as before or after, or any step in between. */
  readonly leaves: "old or new tree" | "old or new files" | "steps";
  /** Whether its result is documented to omit unreadable files. @default false */
  readonly skipsUnreadable?: boolean;
  /** Whether it opens the tree by its path, which the attacker must not own: then the tree itself is not swapped. @default false */
  readonly opensTree?: boolean;
  prepare(place: Place): Promise<Prepared>;
}

type Work = (filesystem: HostFilesystem) => Promise<unknown>;

export function openWorkspace({ workspace, store }: Place): Promise<HostFilesystem> {
  // A regular expression is stopped by the clock, so a busy machine needs a longer limit.
  const limits = { maxSlowRegexMs: 300_000 };
  return HostFilesystem.open(workspace, { storeDirectory: store, fsync: true, limits });
}

/** An operation on an open workspace. `before` runs without an attack. */
export function onWorkspace(
  name: string,
  run: Work,
  {
    leaves = "old or new tree",
    before,
  }: Partial<Pick<Operation, "leaves">> & { readonly before?: Work } = {},
): Operation {
  return {
    name,
    on: "workspace",
    leaves,
    async prepare(place) {
      const filesystem = await openWorkspace(place);
      await before?.(filesystem);
      return { run: () => run(filesystem), close: () => filesystem.close() };
    },
  };
}

/** Everything in a filesystem: the text of files by path. Fails when a directory cannot be read. */
export async function contentsOf(fs: Filesystem, path = "."): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const entry of await fs.list(path))
    if (entry.isDirectory) Object.assign(found, await contentsOf(fs, entry.path));
    else if (entry.isFile) found[entry.path] = text((await fs.readBytes(entry.path)).content);
  return found;
}

export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

function text(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString();
}

export const FILE_OPERATIONS: readonly Operation[] = [
  onWorkspace("read", async (fs) => (await fs.read("dir/file.txt")).content),
  onWorkspace("read a large file", async (fs) => (await fs.read("large.bin")).totalLines),
  onWorkspace("readBytes", async (fs) => text((await fs.readBytes("dir/sub/deep.txt")).content)),
  onWorkspace("exists", async (fs) => [
    await fs.exists("dir/file.txt"),
    await fs.exists("dir/only-outside.txt"),
  ]),
  onWorkspace("stat", async (fs) => {
    const { kind, sizeBytes, mode } = await fs.stat("dir/file.txt");
    return { kind, sizeBytes, mode };
  }),
  onWorkspace("read through a link", async (fs) => (await fs.read("link")).content),
  onWorkspace("stat of a link", async (fs) => (await fs.stat("link", { followLinks: false })).kind),
  onWorkspace("readlink", async (fs) => await fs.readlink("link")),
  onWorkspace("realpath", async (fs) => await fs.realpath("dir/sub/deep.txt")),
  onWorkspace("contentId", async (fs) => await fs.contentId("dir/file.txt")),
  onWorkspace("list with details", async (fs) =>
    (await fs.list("dir/sub", { details: true })).map(({ name, sizeBytes }) => [name, sizeBytes]),
  ),
  onWorkspace("symlink", (fs) => fs.symlink("file.txt", "dir/new-link")),
  onWorkspace("chmod a file", (fs) => fs.chmod("dir/file.txt", 0o755)),
  onWorkspace("chmod a directory", (fs) => fs.chmod("dir/sub", 0o700)),
  onWorkspace("utimes of a file", (fs) => fs.utimes("dir/file.txt", "2001-02-03T04:05:06.000Z")),
  onWorkspace("utimes of a directory", (fs) => fs.utimes("dir/sub", "2001-02-03T04:05:06.000Z")),
  onWorkspace("copy a link", (fs) => fs.copy("link", "dir/new-link")),
  onWorkspace("list", async (fs) => (await fs.list("dir")).map(({ name, kind }) => [name, kind])),
  {
    ...onWorkspace("glob", async (fs) => (await fs.glob("**/*.txt")).map(({ path }) => path)),
    skipsUnreadable: true,
  },
  onWorkspace("grep", async (fs) => lines(await fs.grep("d[e]ep|.{20}"))),
  onWorkspace("grep for text", async (fs) =>
    lines(await fs.grep("inside: deep", { literal: true })),
  ),
  onWorkspace("write a new file", async (fs) => {
    return (await fs.write("new.txt", "new\n", { mode: "create" })).bytesWritten;
  }),
  onWorkspace(
    "write a new file with parents",
    async (fs) => (await fs.write("new/deep/name.txt", "new\n")).bytesWritten,
    { leaves: "old or new files" },
  ),
  onWorkspace("write over a file", async (fs) => {
    return (await fs.write("dir/file.txt", "changed\n")).bytesWritten;
  }),
  onWorkspace("write with a revision", async (fs) => {
    const { revision } = await fs.stat("leaf.txt");
    return (await fs.write("leaf.txt", "changed\n", { ifRevision: revision })).bytesWritten;
  }),
  onWorkspace("append", async (fs) => {
    return (await fs.write("dir/file.txt", "more\n", { mode: "append" })).bytesWritten;
  }),
  onWorkspace("writeBytes", async (fs) => {
    const options = { executable: true };
    return (await fs.writeBytes("leaf.txt", Buffer.alloc(100_000, "b"), options)).bytesWritten;
  }),
  onWorkspace("delete a file", (fs) => fs.delete("dir/file.txt")),
  onWorkspace("delete a directory", (fs) => fs.delete("dir", { recursive: true }), {
    leaves: "old or new files",
  }),
  onWorkspace("mkdir", (fs) => fs.mkdir("new/deep/directory"), { leaves: "old or new files" }),
  onWorkspace("copy a file", (fs) => fs.copy("dir/file.txt", "dir/new.txt")),
  onWorkspace("copy over a file", (fs) => fs.copy("leaf.txt", "dir/file.txt", { overwrite: true })),
  onWorkspace("copy a directory", (fs) => fs.copy("dir", "new")),
  onWorkspace("move a file", (fs) => fs.move("dir/file.txt", "new.txt")),
  onWorkspace("move over a file", (fs) => fs.move("leaf.txt", "dir/file.txt", { overwrite: true })),
  onWorkspace("move a directory", (fs) => fs.move("dir/sub", "new/deep"), {
    leaves: "old or new files",
  }),
  onWorkspace("openRead", async (fs) => {
    const reader = await fs.openRead("large.bin", { chunkBytes: 40_000 });
    try {
      const start = text(await reader.read(20));
      reader.seek(0);
      let length = 0;
      for await (const chunk of reader) length += chunk.length;
      return [start, length];
    } finally {
      await reader.close();
    }
  }),
  onWorkspace("openText", async (fs) => {
    const reader = await fs.openText("dir/sub/deep.txt");
    try {
      return await collect(reader.lines());
    } finally {
      await reader.close();
    }
  }),
  onWorkspace("openWrite and close", async (fs) => {
    const writer = await fs.openWrite("dir/file.txt");
    try {
      await writer.write("streamed\n");
      await writer.write("b".repeat(100_000));
      return (await writer.close()).bytesWritten;
    } finally {
      await writer.abort();
    }
  }),
  onWorkspace("openWrite to append", async (fs) => {
    const writer = await fs.openWrite("dir/sub/deep.txt", { mode: "append" });
    try {
      await writer.write("streamed\n");
      return (await writer.close()).bytesWritten;
    } finally {
      await writer.abort();
    }
  }),
  onWorkspace("openWrite and abort", async (fs) => {
    const writer = await fs.openWrite("new.txt");
    await writer.write("streamed\n");
    await writer.abort();
  }),
  { ...onWorkspace("usage", (fs) => fs.usage()), skipsUnreadable: true },
];

/** A result that reports omitted files counts as a failure, because the caller is informed. */
export function reportedAsPartial(operation: string): FilesystemError {
  return new FilesystemError("EIO", { operation, path: ".", reason: "reported as partial" });
}

function lines(matches: GrepResult): readonly string[] {
  if (matches.skippedCount > 0) throw reportedAsPartial("grep");
  return matches.map(({ path, lineContent }) => `${path}: ${lineContent}`);
}
