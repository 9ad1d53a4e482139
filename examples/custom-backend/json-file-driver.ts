import { readFile, rename, writeFile } from "node:fs/promises";
import { type FilesystemDriver, FilesystemError } from "@wink/filesystem";

/** The value of a path in the JSON: text, bytes that are not text, or `null` for a directory. */
type Stored = string | { readonly base64: string } | null;

/** Stores a whole workspace in one JSON file, which is created by the first write. */
export async function openJsonFileDriver(file: string): Promise<FilesystemDriver> {
  const nodes = new Map<string, Uint8Array | null>(await load(file));

  return {
    name: "json-file",

    stat(path) {
      const bytes = path === "" ? null : nodes.get(path);
      if (bytes === undefined) return undefined;
      return { kind: bytes ? "file" : "directory", sizeBytes: bytes?.length ?? 0 };
    },

    list(path) {
      const prefix = path === "" ? "" : `${path}/`;
      return [...nodes]
        .filter(([key]) => key.startsWith(prefix) && !key.includes("/", prefix.length))
        .map(([key, bytes]) => ({
          name: key.slice(prefix.length),
          kind: bytes ? "file" : "directory",
        }));
    },

    read: (path, offset, length) => (nodes.get(path) ?? NOTHING).slice(offset, offset + length),

    async write(path, bytes, mode) {
      if (mode === "create" && nodes.has(path))
        throw new FilesystemError("EEXIST", { operation: "write", path });
      const kept = (mode === "append" && nodes.get(path)) || NOTHING;
      await save(path, Uint8Array.from(Buffer.concat([kept, bytes])));
    },

    mkdir: (path) => save(path, null),
    remove: (path) => save(path, undefined),
  };

  /** Changes one path, on disk first: a change that cannot be saved must not be visible. */
  async function save(path: string, bytes: Uint8Array | null | undefined): Promise<void> {
    const next = new Map(nodes);
    if (bytes === undefined) next.delete(path);
    else next.set(path, bytes);
    const stored = Object.fromEntries([...next].map(([key, value]) => [key, encode(value)]));
    await writeFile(`${file}.new`, `${JSON.stringify(stored, null, 2)}\n`);
    await rename(`${file}.new`, file);
    if (bytes === undefined) nodes.delete(path);
    else nodes.set(path, bytes);
  }
}

const NOTHING = new Uint8Array();

async function load(file: string): Promise<(readonly [string, Uint8Array | null])[]> {
  const json = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return "{}";
    throw error;
  });
  // Only `save` writes this file.
  const stored = JSON.parse(json) as Record<string, Stored>;
  return Object.entries(stored).map(([path, value]) => [path, decode(value)]);
}

function encode(bytes: Uint8Array | null): Stored {
  if (bytes === null) return null;
  const text = Buffer.from(bytes).toString();
  const isText = Buffer.from(text).equals(bytes) && !text.includes("\0");
  return isText ? text : { base64: Buffer.from(bytes).toString("base64") };
}

function decode(stored: Stored): Uint8Array | null {
  if (stored === null) return null;
  if (typeof stored === "string") return Uint8Array.from(Buffer.from(stored));
  return Uint8Array.from(Buffer.from(stored.base64, "base64"));
}
