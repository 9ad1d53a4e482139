import { lstatSync, mkdirSync, readdirSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { isPrivateDirectory, readPrivateFile } from "../process/private-state.js";
import { isAbandoned } from "../process/temporary-name.js";

/**
 * The registry lists the temporary files that the processes of this user are writing. It has one file per process
 * and workspace, in a private directory outside of every workspace. The first line is the path of the workspace. Each
 * record after it has `RECORD_BYTES` bytes: a name, and the device and inode of its directory. A mark in the first
 * byte says that the record is unused.
 */
export const RECORD_BYTES = 128;
/** The mark of the line with the path of the workspace. */
export const ROOT_PATH = "=";
/** Marks a name that no file has any more. */
export const RELEASED = Uint8Array.of(0x2d);
/** Marks a file that could not be removed. It is listed like any other file. */
export const LEFT = Uint8Array.of(0x21);

/** One file of the registry. */
export interface RegistryFile {
  readonly path: string;
  /** The device and inode of the workspace. */
  readonly root: string;
  /** The path of the workspace. `undefined` if it was killed before it recorded anything. */
  readonly rootPath: string | undefined;
  readonly isAlive: boolean;
  /** In the format of `keyOf`. */
  readonly inUse: readonly string[];
  readonly left: readonly string[];
}

/** Identifies a temporary file by its name and its directory's device and inode. */
export function keyOf(place: string, name: string): string {
  return `${name} ${place}`;
}

/**
 * The directory of the registry, or `undefined` if it cannot be private. Another user may have created the name
 * first, and code in the workspace could write to a directory inside it.
 */
export function registryDirectory(workspace: string, make: boolean): string | undefined {
  try {
    const parent = realpathSync(tmpdir());
    if (!relative(workspace, parent).startsWith("..")) return undefined;
    const directory = join(parent, `wink-temporaries-${process.geteuid?.() ?? 0}`);
    if (make) mkdirSync(directory, { recursive: true, mode: 0o700 });
    return isPrivateDirectory(directory) ? directory : undefined;
  } catch {
    return undefined;
  }
}

/** Reads every registry file. */
export function readRegistry(workspace: string): readonly RegistryFile[] {
  const directory = registryDirectory(workspace, false);
  if (directory === undefined) return [];
  return readdirSync(directory).flatMap((name) => {
    const [token = "", root = "", closed] = name.split("~");
    const path = join(directory, name);
    const modifiedAtMs = lstatSync(path, { throwIfNoEntry: false })?.mtimeMs;
    const content = readPrivateFile(path)?.toString("latin1");
    if (modifiedAtMs === undefined || content === undefined) return [];
    const records = content.split("\n").map((record) => record.trimEnd());
    const isAlive = closed === undefined && !isAbandoned(token, modifiedAtMs);
    const inUse = records.filter((record) => record.startsWith("."));
    const left = records.flatMap((record) =>
      record.startsWith("!") ? [`.${record.slice(1)}`] : [],
    );
    const [first = ""] = records;
    const rootPath = first.startsWith(ROOT_PATH) ? decodeURI(first.slice(1)) : undefined;
    return [{ path, root, rootPath, isAlive, inUse, left }];
  });
}
