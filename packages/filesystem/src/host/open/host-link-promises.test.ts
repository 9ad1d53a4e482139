import { lstatSync, readdirSync, readFileSync, readlinkSync, rmSync, symlinkSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import type { Filesystem } from "../../protocol/filesystem.js";
import { type FilesystemError, isFilesystemError } from "../../protocol/filesystem-error.js";
import { openNextToSecret, SECRET } from "./next-to-secret.test.support.js";

type Call = (fs: Filesystem, path: string) => Promise<unknown>;

/** Calls that follow links inside the workspace. */
const FOLLOWING: Readonly<Record<string, Call>> = {
  read: (fs, at) => fs.read(at),
  readBytes: (fs, at) => fs.readBytes(at),
  stat: (fs, at) => fs.stat(at),
  realpath: (fs, at) => fs.realpath(at),
  contentId: (fs, at) => fs.contentId(at),
  openRead: (fs, at) => fs.openRead(at),
  openText: (fs, at) => fs.openText(at),
};

/** Calls that refuse every link, at the end of a path and on its way. */
const REFUSING: Readonly<Record<string, Call>> = {
  list: (fs, at) => fs.list(at),
  "list with details": (fs, at) => fs.list(at, { details: true }),
  glob: (fs, at) => fs.glob("**", { path: at }),
  grep: (fs, at) => fs.grep("see", { path: at }),
  write: (fs, at) => fs.write(at, "owned"),
  writeBytes: (fs, at) => fs.writeBytes(at, Buffer.from("owned")),
  append: (fs, at) => fs.write(at, "owned", { mode: "append" }),
  openWrite: (fs, at) => fs.openWrite(at),
  mkdir: (fs, at) => fs.mkdir(at),
  chmod: (fs, at) => fs.chmod(at, 0o777),
  utimes: (fs, at) => fs.utimes(at, new Date(0)),
};

/** Calls that handle a link at the end of a path itself, and refuse every link on its way. */
const HANDLING: Readonly<Record<string, Call>> = {
  "stat without followLinks": (fs, at) => fs.stat(at, { followLinks: false }),
  readlink: (fs, at) => fs.readlink(at),
  symlink: (fs, at) => fs.symlink("mine", at),
  create: (fs, at) => fs.write(at, "owned", { mode: "create" }),
  "copy from": (fs, at) => fs.copy(at, "copied"),
  "move from": (fs, at) => fs.move(at, "moved"),
  "copy to": (fs, at) => fs.copy("mine", at, { overwrite: true }),
  "move to": (fs, at) => fs.move("mine", at, { overwrite: true }),
  delete: (fs, at) => fs.delete(at),
};

/** Links out of the workspace: absolute, relative, dangling, through links and directories inside, and a loop. */
const OUTSIDE_LINKS = (outside: string): Readonly<Record<string, string>> => ({
  "to-file": path.join(outside, "secret.txt"),
  "to-folder": outside,
  relative: "../outside/secret.txt",
  dangling: path.join(outside, "new.txt"),
  above: "..",
  "out-and-back": "../root/inside/file",
  climbing: "inside/../../outside/secret.txt",
  "through-link": "to-folder/secret.txt",
  "to-link": "to-file",
  loop: "loop",
});

/** Paths with a link out of the workspace on their way. */
const ON_THE_WAY = [
  "to-folder/secret.txt",
  "to-folder/new.txt",
  "above/outside/secret.txt",
  "above/root/inside/file",
  "to-file/x",
  "dangling/x",
  "loop/x",
];

async function setupLinks() {
  const around = await openNextToSecret();
  const { root, outside, fs } = around;
  await fs.write("mine", "1");
  await fs.write("inside/file", "1");
  const links = OUTSIDE_LINKS(outside);
  for (const [name, target] of Object.entries(links)) symlinkSync(target, path.join(root, name));
  return { ...around, links };
}

async function expectRefusal(
  call: Promise<unknown>,
  code: FilesystemError["code"],
  base: string,
): Promise<void> {
  const error: unknown = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!isFilesystemError(error, code)) throw new Error(`not ${code}: ${String(error)}`);
  for (const hidden of [base, SECRET]) expect(error.message).not.toContain(hidden);
}

describe("HostFilesystem", () => {
  it.each(Object.entries({ ...FOLLOWING, ...REFUSING, ...HANDLING }))(
    "refuses by %s every link that points outside, at the end of a path or on its way, and reveals nothing of the target (A29, A30, A31, A32, A33, A34, FS-80, FS-105, TM-2, TM-5)",
    async (operation, call) => {
      const { base, outside, fs, links, secretIsSafe } = await setupLinks();
      const ends = operation in HANDLING ? [] : Object.keys(links);
      for (const at of [...ends, ...ON_THE_WAY]) {
        await expectRefusal(call(fs, at), "EACCES", base);
        expect(await fs.exists(at)).toBe(false);
      }
      expect(secretIsSafe()).toBe(true);
      expect(readdirSync(outside)).toEqual(["secret.txt"]);
      expect((await fs.grep("see")).length).toBe(0);
      expect((await fs.glob("**")).map((match) => match.path)).toEqual(["inside/file", "mine"]);
      for (const at of Object.keys(links)) await fs.delete(at);
      expect(secretIsSafe()).toBe(true);
    },
  );

  it.each(Object.entries(HANDLING))(
    "%s handles a link that points outside as a link, and reveals and changes nothing of the target (A29, A33, A34, FS-35, FS-80, FS-104, TM-2, TM-5)",
    async (operation, call) => {
      const { base, root, outside, fs, links, secretIsSafe } = await setupLinks();
      for (const [at, target] of Object.entries(links)) {
        await fs.write("mine", "1");
        for (const name of ["copied", "moved"]) rmSync(path.join(root, name), { force: true });
        if (operation === "create" || operation === "symlink") {
          await expectRefusal(call(fs, at), "EEXIST", base);
          continue;
        }
        const result = await call(fs, at);
        if (operation === "readlink") expect(result).toBe(target);
        if (operation.startsWith("stat"))
          expect(result).toMatchObject({ kind: "symlink", sizeBytes: target.length, identity: at });
        if (operation === "delete") expect(existsAsNode(root, at)).toBe(false);
        if (operation.endsWith(" to")) expect(readFileSync(path.join(root, at), "utf8")).toBe("1");
        if (!operation.endsWith(" from")) continue;
        const copy = operation === "copy from" ? "copied" : "moved";
        expect(readlinkSync(path.join(root, copy))).toBe(target);
        expect(existsAsNode(root, at)).toBe(copy === "copied");
        // A moved loop leads to its old name, which is missing.
        const code = at === "loop" && copy === "moved" ? "ENOENT" : "EACCES";
        await expectRefusal(fs.read(copy), code, base);
        // Other links lead through this one.
        if (copy === "moved") await fs.move(copy, at);
      }
      expect(secretIsSafe()).toBe(true);
      expect(readdirSync(outside)).toEqual(["secret.txt"]);
    },
  );

  it.each(Object.entries(FOLLOWING))(
    "follows by %s a link that stays inside as if the target was named (FS-105, TM-2)",
    async (operation, call) => {
      const { root, fs } = await setupLinks();
      symlinkSync("inside", path.join(root, "to-inside"));
      symlinkSync("to-inside/../inside/file", path.join(root, "to-inside-file"));
      const named = withoutPath(await call(fs, "inside/file"));
      for (const at of ["to-inside/file", "to-inside-file"])
        expect(withoutPath(await call(fs, at)), `${operation} ${at}`).toEqual(named);
    },
  );

  it.each(Object.entries(REFUSING))(
    "does not follow by %s even a link that stays inside (FS-105, TM-2)",
    async (_operation, call) => {
      const { base, root, fs } = await setupLinks();
      symlinkSync("inside", path.join(root, "to-inside"));
      symlinkSync("inside/file", path.join(root, "to-inside-file"));
      for (const at of ["to-inside", "to-inside/file", "to-inside/new", "to-inside-file"])
        await expectRefusal(call(fs, at), "EACCES", base);
      expect((await fs.read("inside/file")).content).toBe("1");
      expect((await fs.list("inside")).map(({ name }) => name)).toEqual(["file"]);
    },
  );
});

function existsAsNode(root: string, name: string): boolean {
  return lstatSync(path.join(root, name), { throwIfNoEntry: false }) !== undefined;
}

/** The result of a call without the path that the caller gave. Readers have no comparable fields. */
function withoutPath(result: unknown): unknown {
  if (typeof result !== "object" || result === null) return result;
  if (Symbol.asyncDispose in result) return "a reader";
  return { ...result, path: undefined };
}
