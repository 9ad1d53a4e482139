import * as node from "node:fs/promises";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { InMemoryFilesystem } from "../backend/in-memory-filesystem.js";
import { HostFilesystem } from "../host.js";
import { type NodeFsPromises, toNodeFs } from "./to-node-fs.js";

type Fs = NodeFsPromises;

/** Programs that must behave as over `node:fs/promises`, with paths below a root. */
const PROGRAMS: Readonly<Record<string, (fs: Fs, root: string) => Promise<unknown>>> = {
  "writes and reads text and bytes": async (fs, root) => {
    await fs.writeFile(`${root}/a.txt`, "eins\n");
    await fs.writeFile(`${root}/b.bin`, new Uint8Array([0, 255, 1]));
    await fs.writeFile(`${root}/c.hex`, "00ff", "hex");
    return [
      await fs.readFile(`${root}/a.txt`, "utf8"),
      await fs.readFile(`${root}/b.bin`),
      await fs.readFile(`${root}/c.hex`, { encoding: "base64" }),
    ];
  },
  "appends, also to a missing file": async (fs, root) => {
    await fs.appendFile(`${root}/log`, "1\n");
    await fs.appendFile(`${root}/log`, "2\n");
    return await fs.readFile(`${root}/log`, "utf8");
  },
  "writes a stream": async (fs, root) => {
    await fs.writeFile(
      `${root}/s`,
      (async function* () {
        yield "a";
        yield "b";
      })(),
    );
    return await fs.readFile(`${root}/s`, "utf8");
  },
  "reports numbers as bigint": async (fs, root) => {
    await fs.writeFile(`${root}/a`, "abc");
    await fs.utimes(`${root}/a`, 1, 1_000);
    const { size, mtimeMs, mtimeNs, mtime, mode } = await fs.stat(`${root}/a`, { bigint: true });
    const link = await fs.lstat(`${root}/a`, { bigint: true });
    return [size, mtimeMs, mtimeNs, mtime, mode, link.size, link.isFile()].map(String);
  },
  "refuses an unknown encoding": async (fs, root) => {
    await fs.writeFile(`${root}/a`, "abc");
    return await fs.readFile(`${root}/a`, "klingon" as never);
  },
  "refuses the empty path": (fs) => fs.stat(""),
  "refuses an aborted read": (fs, root) =>
    fs.readFile(`${root}/a`, { signal: AbortSignal.abort("enough") }),
  "refuses to write below a missing directory": (fs, root) => fs.writeFile(`${root}/no/a`, ""),
  "refuses to write below a file": async (fs, root) => {
    await fs.writeFile(`${root}/f`, "");
    await fs.writeFile(`${root}/f/a`, "");
  },
  "refuses a second exclusive write": async (fs, root) => {
    await fs.writeFile(`${root}/x`, "1", { flag: "wx" });
    await fs.writeFile(`${root}/x`, "2", { flag: "wx" });
  },
  "reads a missing file": (fs, root) => fs.readFile(`${root}/no`),
  "reads a directory": async (fs, root) => {
    await fs.mkdir(`${root}/d`);
    await fs.readFile(`${root}/d`);
  },
  "lists a directory, also recursively and with types": async (fs, root) => {
    await fs.mkdir(`${root}/d/e/f`, { recursive: true });
    await fs.writeFile(`${root}/d/a`, "");
    await fs.symlink("a", `${root}/d/l`);
    const entries = await fs.readdir(`${root}/d`, { withFileTypes: true });
    return [
      await fs.readdir(`${root}/d`),
      (await fs.readdir(root, { recursive: true })).sort(),
      entries.map((entry) => [
        entry.name,
        entry.isFile(),
        entry.isDirectory(),
        entry.isSymbolicLink(),
      ]),
    ];
  },
  "reports the first directory that it created": async (fs, root) => {
    const first = await fs.mkdir(`${root}/p/q/r`, { recursive: true });
    return [first?.slice(root.length), await fs.mkdir(`${root}/p/q`, { recursive: true })];
  },
  "refuses an existing directory": async (fs, root) => {
    await fs.mkdir(`${root}/d`);
    await fs.mkdir(`${root}/d`);
  },
  "describes files, directories and links": async (fs, root) => {
    await fs.writeFile(`${root}/a`, "12345", { mode: 0o640 });
    await fs.chmod(`${root}/a`, 0o600);
    await fs.symlink("a", `${root}/l`);
    const time = new Date("2020-01-02T03:04:05Z");
    await fs.utimes(`${root}/a`, time, time);
    const [file, link, followed] = [
      await fs.stat(`${root}/a`),
      await fs.lstat(`${root}/l`),
      await fs.stat(`${root}/l`),
    ];
    return [
      [file.size, file.mode.toString(8), file.mtime, file.isFile(), file.mtimeMs],
      [link.isSymbolicLink(), link.isFile(), followed.isFile(), followed.ino === file.ino],
      (await fs.stat(root)).isDirectory(),
    ];
  },
  "reads links and real paths": async (fs, root) => {
    await fs.mkdir(`${root}/d`);
    await fs.writeFile(`${root}/d/a`, "a");
    await fs.symlink("d/a", `${root}/l`);
    return [await fs.readlink(`${root}/l`), (await fs.realpath(`${root}/l`)).slice(root.length)];
  },
  "writes through a link": async (fs, root) => {
    await fs.writeFile(`${root}/a`, "a");
    await fs.symlink("a", `${root}/l`);
    await fs.writeFile(`${root}/l`, "b");
    return [await fs.readFile(`${root}/a`, "utf8"), (await fs.lstat(`${root}/l`)).isSymbolicLink()];
  },
  "changes the files of a linked directory": async (fs, root) => {
    await fs.mkdir(`${root}/d`);
    await fs.writeFile(`${root}/d/a`, "a");
    await fs.writeFile(`${root}/d/b`, "b");
    await fs.symlink("d", `${root}/l`);
    await fs.writeFile(`${root}/l/new`, "n");
    await fs.mkdir(`${root}/l/sub`);
    await fs.symlink("a", `${root}/l/s`);
    await fs.rename(`${root}/l/a`, `${root}/l/sub/a`);
    await fs.unlink(`${root}/l/b`);
    return (await fs.readdir(`${root}/d`, { recursive: true })).sort();
  },
  "writes through a link to a missing file": async (fs, root) => {
    await fs.symlink("missing", `${root}/l`);
    await fs.writeFile(`${root}/l`, "b");
    return [await fs.readFile(`${root}/missing`, "utf8"), await fs.readlink(`${root}/l`)];
  },
  "refuses to rename a file over a directory": async (fs, root) => {
    await fs.mkdir(`${root}/d`);
    await fs.writeFile(`${root}/a`, "a");
    await fs.rename(`${root}/a`, `${root}/d`);
  },
  "refuses to rename a directory over a file": async (fs, root) => {
    await fs.mkdir(`${root}/d`);
    await fs.writeFile(`${root}/a`, "a");
    await fs.rename(`${root}/d`, `${root}/a`);
  },
  "refuses to rename a directory over a directory with files": async (fs, root) => {
    await fs.mkdir(`${root}/d`);
    await fs.mkdir(`${root}/e`);
    await fs.writeFile(`${root}/e/a`, "a");
    await fs.rename(`${root}/d`, `${root}/e`);
  },
  "renames a file over another, and a directory": async (fs, root) => {
    await fs.mkdir(`${root}/d`);
    await fs.writeFile(`${root}/d/a`, "a");
    await fs.writeFile(`${root}/d/b`, "b");
    await fs.rename(`${root}/d/a`, `${root}/d/b`);
    await fs.rename(`${root}/d`, `${root}/e`);
    return [await fs.readdir(root), await fs.readFile(`${root}/e/b`, "utf8")];
  },
  "renames a missing file": (fs, root) => fs.rename(`${root}/no`, `${root}/x`),
  "copies files and directories": async (fs, root) => {
    await fs.mkdir(`${root}/d/e`, { recursive: true });
    await fs.writeFile(`${root}/d/e/a`, "a");
    await fs.copyFile(`${root}/d/e/a`, `${root}/b`);
    await fs.cp(`${root}/d`, `${root}/f`, { recursive: true });
    return [
      (await fs.readdir(root, { recursive: true })).sort(),
      await fs.readFile(`${root}/b`, "utf8"),
    ];
  },
  "refuses to copy over a file exclusively": async (fs, root) => {
    await fs.writeFile(`${root}/a`, "");
    await fs.writeFile(`${root}/b`, "");
    await fs.copyFile(`${root}/a`, `${root}/b`, fs.constants.COPYFILE_EXCL);
  },
  "removes files and trees": async (fs, root) => {
    await fs.mkdir(`${root}/d/e`, { recursive: true });
    await fs.writeFile(`${root}/a`, "");
    await fs.unlink(`${root}/a`);
    await fs.rm(`${root}/d`, { recursive: true });
    await fs.rm(`${root}/no`, { force: true });
    await fs.mkdir(`${root}/g`);
    await fs.rmdir(`${root}/g`);
    return await fs.readdir(root);
  },
  "refuses to remove a directory that is not empty": async (fs, root) => {
    await fs.mkdir(`${root}/d/e`, { recursive: true });
    await fs.rmdir(`${root}/d`);
  },
  "removes a missing file": (fs, root) => fs.rm(`${root}/no`),
  "asks for access": async (fs, root) => {
    await fs.writeFile(`${root}/a`, "");
    await fs.access(`${root}/a`);
    await fs.access(`${root}/a`, fs.constants.X_OK);
  },
  "makes a temporary directory": async (fs, root) => {
    const made = await fs.mkdtemp(`${root}/t-`);
    return [made.length - root.length, (await fs.stat(made)).isDirectory()];
  },
  "truncates and extends a file": async (fs, root) => {
    await fs.writeFile(`${root}/a`, "12345");
    await fs.truncate(`${root}/a`, 2);
    await fs.truncate(`${root}/a`, 4);
    return await fs.readFile(`${root}/a`);
  },
  "reads and writes at positions of a handle": async (fs, root) => {
    await fs.writeFile(`${root}/a`, "hello world");
    await using handle = await fs.open(`${root}/a`, "r+");
    await handle.write("HELLO");
    await handle.write(Buffer.from("xxWxx"), 2, 1, 6);
    await handle.write("!", 12);
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(6), 0, 6, 4);
    const rest = await handle.readFile("utf8");
    return [bytesRead, buffer.toString(), rest, await fs.readFile(`${root}/a`, "latin1")];
  },
  "reads on at the position of a handle": async (fs, root) => {
    await fs.writeFile(`${root}/a`, "abcdef");
    await using handle = await fs.open(`${root}/a`);
    const parts: string[] = [];
    for (let index = 0; index < 4; index++) {
      const { bytesRead, buffer } = await handle.read({ buffer: Buffer.alloc(4) });
      parts.push(buffer.subarray(0, bytesRead).toString());
    }
    return parts;
  },
  "appends with a handle whatever the position": async (fs, root) => {
    await fs.writeFile(`${root}/a`, "12");
    await using handle = await fs.open(`${root}/a`, "a+");
    await handle.write("3", 0);
    await handle.writev([Buffer.from("4"), Buffer.from("5")]);
    await handle.truncate(4);
    return [(await handle.stat()).size, await fs.readFile(`${root}/a`, "utf8")];
  },
  "streams with handles": async (fs, root) => {
    const out = (await fs.open(`${root}/a`, "w")).createWriteStream();
    await new Promise<void>((resolve, reject) => {
      out.once("error", reject);
      out.write("eins ");
      out.end("zwei", resolve);
    });
    return await text((await fs.open(`${root}/a`)).createReadStream({ start: 2 }));
  },
  "writes with a handle for reading": async (fs, root) => {
    await fs.writeFile(`${root}/a`, "");
    await using handle = await fs.open(`${root}/a`);
    await handle.write("x");
  },
  "uses a closed handle": async (fs, root) => {
    await fs.writeFile(`${root}/a`, "");
    const handle = await fs.open(`${root}/a`);
    await handle.close();
    await handle.readFile();
  },
  "opens a missing file": (fs, root) => fs.open(`${root}/no`, "r+"),
  "iterates over an open directory": async (fs, root) => {
    await fs.writeFile(`${root}/a`, "");
    await fs.mkdir(`${root}/b`);
    const names: string[] = [];
    for await (const entry of await fs.opendir(root)) names.push(entry.name);
    return names.sort();
  },
};

/** The result, or the code of the error. */
async function outcome(run: () => Promise<unknown>): Promise<unknown> {
  try {
    return { value: plain(await run()) };
  } catch (error) {
    const { code, errno } = error as NodeJS.ErrnoException;
    // The numbers are those of Linux. Node gives none for a closed handle.
    return process.platform === "linux" && code !== "EBADF" ? { code, errno } : { code };
  }
}

function plain(value: unknown): unknown {
  return value instanceof Uint8Array ? Buffer.from(value).toString("hex") : value;
}

async function inDirectory<Result>(use: (directory: string) => Promise<Result>): Promise<Result> {
  const directory = await mkdtemp(path.join(tmpdir(), "wink-node-fs-"));
  try {
    return await use(directory);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

describe("toNodeFs", () => {
  it.each(Object.entries(PROGRAMS))("%s, as node:fs does (FS-112)", async (_, program) => {
    const expected = await inDirectory((directory) => outcome(() => program(node, directory)));
    const memory = toNodeFs(new InMemoryFilesystem());
    await memory.mkdir("/root");
    expect(await outcome(() => program(memory, "/root"))).toEqual(expected);
    await inDirectory(async (directory) => {
      await using host = await HostFilesystem.open(directory);
      await host.mkdir("root");
      expect(await outcome(() => program(toNodeFs(host), "/root"))).toEqual(expected);
    });
  });

  it("is rolled back by transact, handles included (FS-113)", async () => {
    const filesystem = new InMemoryFilesystem({ files: { a: "before" } });
    const fs = toNodeFs(filesystem);
    const failing = filesystem.transact(async () => {
      await fs.writeFile("/a", "after");
      await fs.mkdir("/d");
      await using handle = await fs.open("/b", "w");
      await handle.write("text");
      throw new Error("stop");
    });
    await expect(failing).rejects.toThrow("stop");
    expect(await fs.readdir("/")).toEqual(["a"]);
    expect(await fs.readFile("/a", "utf8")).toBe("before");
  });

  it("refuses owners, hard links and paths above the root (FS-114)", async () => {
    const fs = toNodeFs(new InMemoryFilesystem({ files: { a: "" } }));
    await expect(fs.chown("/a", 1, 1)).rejects.toMatchObject({ code: "EPERM" });
    await expect(fs.link("/a", "/b")).rejects.toMatchObject({ code: "EPERM" });
    await expect(fs.readFile("/../../etc/passwd")).rejects.toMatchObject({ code: "EACCES" });
  });

  it("accepts URLs and buffers as paths, and paths below the mount point (FS-112)", async () => {
    const filesystem = new InMemoryFilesystem({ files: { a: "text" }, mountPoint: "/workspace" });
    const fs = toNodeFs(filesystem);
    expect(await fs.readFile(new URL("file:///workspace/a"), "utf8")).toBe("text");
    expect(await fs.readFile(Buffer.from("/workspace/a"), "utf8")).toBe("text");
    expect(await fs.realpath("/workspace/./a")).toBe("/workspace/a");
  });
});
