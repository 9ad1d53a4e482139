import { describe, expectTypeOf, it } from "vitest";
import {
  type Cut,
  createFilesystem,
  type FileEntry,
  type FileReader,
  type FileStat,
  type Filesystem,
  type FilesystemDriver,
  FilesystemError,
  type FileWriter,
  type GlobMatch,
  type GrepMatch,
  type GrepResult,
  InMemoryFilesystem,
  isFilesystemError,
  type ReadBytesResult,
  type ReadResult,
  readOnlyView,
  type TextReader,
  type Usage,
  type VirtualPath,
  type WriteResult,
} from "../index.js";
import { filesystemContract, hostilePaths, MockFilesystem } from "../testing.js";

declare const fs: Filesystem;

describe("the types of a filesystem", () => {
  it("define the result of each call (FS-81)", () => {
    expectTypeOf(fs.read("a")).resolves.toEqualTypeOf<ReadResult>();
    expectTypeOf(fs.readBytes("a")).resolves.toEqualTypeOf<ReadBytesResult>();
    expectTypeOf(fs.exists("a")).resolves.toEqualTypeOf<boolean>();
    expectTypeOf(fs.stat("a")).resolves.toEqualTypeOf<FileStat>();
    expectTypeOf(fs.list()).resolves.toEqualTypeOf<Cut<FileEntry>>();
    expectTypeOf(fs.glob("*")).resolves.toEqualTypeOf<Cut<GlobMatch>>();
    expectTypeOf(fs.grep("x")).resolves.toEqualTypeOf<GrepResult>();
    expectTypeOf(fs.write("a", "")).resolves.toEqualTypeOf<WriteResult>();
    expectTypeOf(fs.writeBytes("a", new Uint8Array())).resolves.toEqualTypeOf<WriteResult>();
    expectTypeOf(fs.delete("a")).resolves.toEqualTypeOf<void>();
    expectTypeOf(fs.mkdir("a")).resolves.toEqualTypeOf<void>();
    expectTypeOf(fs.copy("a", "b")).resolves.toEqualTypeOf<void>();
    expectTypeOf(fs.move("a", "b")).resolves.toEqualTypeOf<void>();
    expectTypeOf(fs.openRead("a")).resolves.toEqualTypeOf<FileReader>();
    expectTypeOf(fs.openWrite("a")).resolves.toEqualTypeOf<FileWriter>();
    expectTypeOf(fs.openText("a")).resolves.toEqualTypeOf<TextReader>();
    expectTypeOf(fs.usage()).resolves.toEqualTypeOf<Usage>();
    expectTypeOf(fs.mountPoint).toEqualTypeOf<string | undefined>();
  });

  it("accept a signal in every call (FS-70, FS-81)", () => {
    const { signal } = new AbortController();
    void fs.read("a", { signal, offset: 1, limit: 2, encoding: "utf-8" });
    void fs.readBytes("a", { signal, offset: 1, limit: 2 });
    void fs.exists("a", { signal });
    void fs.stat("a", { signal });
    void fs.list("a", { signal, offset: 1, limit: 2 });
    void fs.glob("a", { signal, path: "d", directories: true, maxMatches: 1 });
    void fs.grep("a", {
      signal,
      path: "d",
      glob: "*",
      maxMatches: 1,
      ignoreCase: true,
      literal: true,
    });
    void fs.write("a", "", {
      signal,
      mode: "create",
      createParents: false,
      ifRevision: "r",
      executable: true,
    });
    void fs.writeBytes("a", new Uint8Array(), { signal, mode: "append" });
    void fs.delete("a", { signal, recursive: true });
    void fs.mkdir("a", { signal, parents: false, existOk: false });
    void fs.copy("a", "b", { signal, overwrite: true, createParents: false });
    void fs.move("a", "b", { signal, overwrite: true });
    void fs.openRead("a", { signal, offset: 1, chunkBytes: 2 });
    void fs.openWrite("a", { signal, mode: "overwrite" });
    void fs.openText("a", { signal });
    void fs.usage({ signal });
    // An optional value may be passed on without checking whether it is set.
    void fs.read("a", { signal: undefined, limit: undefined });
  });

  it("make results read-only (FS-69, FS-81)", async () => {
    const page = await fs.read("a");
    // @ts-expect-error a result is read-only
    page.content = "";
    const list = await fs.list();
    // @ts-expect-error a list is read-only
    list.push();
    const [first] = list;
    // @ts-expect-error the entries of a list are read-only
    if (first) first.name = "";
    // @ts-expect-error `truncated` is read-only
    list.truncated = true;
    // @ts-expect-error `readOnly` is set when the filesystem is created
    fs.readOnly = true;
    // @ts-expect-error limits are set when the filesystem is created
    fs.limits.maxWriteBytes = 1;
    const found = await fs.grep("x");
    expectTypeOf(found[0]).toEqualTypeOf<GrepMatch | undefined>();
    expectTypeOf(found.skipped[0]?.reason).toEqualTypeOf<
      "binary" | "too-large" | "unreadable" | undefined
    >();
    const usage = await fs.usage();
    // @ts-expect-error a count is read-only
    usage.totalBytes = 0;
  });

  it("reject calls that would fail (FS-81)", () => {
    // @ts-expect-error a path is a string (A8)
    void fs.read(new URL("file:///etc/passwd"));
    // @ts-expect-error a path is required
    void fs.read();
    // @ts-expect-error `write` takes text
    void fs.write("a", new Uint8Array());
    // @ts-expect-error `writeBytes` takes bytes
    void fs.writeBytes("a", "text");
    // @ts-expect-error there are three modes
    void fs.write("a", "", { mode: "truncate" });
    // @ts-expect-error options of other calls are not accepted
    void fs.delete("a", { force: true });
    // @ts-expect-error a boolean is not an options object
    void fs.delete("a", true);
    // @ts-expect-error a copy needs two paths
    void fs.copy("a");
    // @ts-expect-error options are an object
    void fs.read("a", 1, 2);
    // @ts-expect-error synchronous methods do not exist
    void fs.readSync;
    // @ts-expect-error a limit has its unit in its name
    void new InMemoryFilesystem({ limits: { maxWrite: 1 } });
    // @ts-expect-error the content of a file is text or bytes
    void new InMemoryFilesystem({ files: { a: 7 } });
  });

  it("narrow an error with its type guard (FS-68, FS-81)", () => {
    const error: unknown = undefined;
    if (isFilesystemError(error)) {
      expectTypeOf(error).toEqualTypeOf<FilesystemError>();
      expectTypeOf(error.code).toEqualTypeOf<
        | ("ENOENT" | "EISDIR" | "ENOTDIR" | "EEXIST" | "EACCES" | "EROFS" | "EINVAL")
        | ("EILSEQ" | "EFBIG" | "EDQUOT" | "ESTALE" | "EBADF" | "EIO")
      >();
    }
    // @ts-expect-error the codes are a closed set
    isFilesystemError(error, "EPERM");
    // @ts-expect-error the constructor takes only these codes
    void new FilesystemError("ENOSPC", { operation: "read", path: "a" });
  });

  it("accept any filesystem as a Filesystem (FS-81)", () => {
    expectTypeOf(new InMemoryFilesystem()).toExtend<Filesystem>();
    expectTypeOf(new MockFilesystem()).toExtend<Filesystem>();
    expectTypeOf(readOnlyView(fs)).toEqualTypeOf<Filesystem>();
  });

  it("let a driver answer synchronously or with a promise, and pass it normalised paths (FS-74, FS-81)", () => {
    const driver: FilesystemDriver = {
      name: "mine",
      stat(path) {
        expectTypeOf(path).toEqualTypeOf<VirtualPath>();
        return undefined;
      },
      async list() {
        return [];
      },
      read: () => new Uint8Array(),
      async write() {},
      mkdir() {},
      async remove() {},
    };
    expectTypeOf(createFilesystem(driver)).toExtend<Filesystem>();
    // @ts-expect-error a plain string is not a normalised path
    void driver.stat("../x");
    // @ts-expect-error six methods are needed
    void createFilesystem({ name: "none" });
  });

  it("let the contract run with any test framework (FS-81)", () => {
    const describeAny = (_name: string, body: () => void) => body();
    const itAny = (_name: string, body: () => Promise<void>) => void body;
    const runner = { describe: describeAny, it: itAny };
    expectTypeOf(filesystemContract).toBeCallableWith("mine", () => fs, {}, { runner });
    expectTypeOf(filesystemContract).toBeCallableWith("mine", () => fs, { "read: x": "why" });
    expectTypeOf(filesystemContract).toBeCallableWith(
      "mine",
      async (options) => new InMemoryFilesystem(options),
    );
    // @ts-expect-error options are the fourth argument
    expectTypeOf(filesystemContract).toBeCallableWith("mine", () => fs, { runner });
    expectTypeOf(hostilePaths[0]?.expected).toEqualTypeOf<
      "EACCES" | "EINVAL" | "literal" | "root" | undefined
    >();
  });
});
