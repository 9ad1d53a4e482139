import { concatBytes } from "../content/bytes.js";
import type { DriverAttributes, DriverStat, FilesystemDriver } from "../driver/driver.js";
import { FilesystemError } from "../protocol/filesystem-error.js";

/** A directory, or a file with its content. */
type MapNode = "directory" | { readonly bytes: Uint8Array; readonly executable: boolean };

/**
 * The smallest possible driver: six methods over a `Map`, without the optional ones.
 *
 * It shows that everything else is built on these six methods and behaves the same.
 */
export function mapDriver(): FilesystemDriver {
  const nodes = new Map<string, MapNode>([["", "directory"]]);
  const bytesAt = (path: string): Uint8Array => {
    const node = nodes.get(path);
    return node === undefined || node === "directory" ? new Uint8Array() : node.bytes;
  };
  return {
    name: "map",

    stat(path) {
      const node = nodes.get(path);
      return node && describe(node);
    },

    list(path) {
      const prefix = path === "" ? "" : `${path}/`;
      return [...nodes]
        .filter(([key]) => key !== "" && key.startsWith(prefix))
        .filter(([key]) => !key.slice(prefix.length).includes("/"))
        .map(([key, node]) => ({ name: key.slice(prefix.length), kind: describe(node).kind }));
    },

    read(path, offset, length) {
      return bytesAt(path).slice(offset, offset + length);
    },

    write(path, bytes, mode, options) {
      const before = nodes.get(path);
      if (mode === "create" && before !== undefined)
        throw new FilesystemError("EEXIST", { operation: "write", path });
      const kept = mode === "append" ? bytesAt(path) : new Uint8Array();
      const whole = new Uint8Array(kept.length + bytes.length);
      whole.set(kept);
      whole.set(bytes, kept.length);
      const wasExecutable = typeof before === "object" && before.executable;
      nodes.set(path, { bytes: whole, executable: options?.executable ?? wasExecutable });
    },

    mkdir(path) {
      nodes.set(path, "directory");
    },

    remove(path) {
      nodes.delete(path);
    },
  };
}

interface LinkNode {
  readonly kind: "file" | "directory" | "symlink";
  bytes: Uint8Array;
  mode: number;
  modifiedAtMs: number;
}

/** A driver with six methods that also stores links, modes and times. */
export function linkDriver(): FilesystemDriver {
  const make = (kind: LinkNode["kind"], bytes: Uint8Array = new Uint8Array()): LinkNode => ({
    kind,
    bytes,
    mode: kind === "directory" ? 0o755 : 0o644,
    modifiedAtMs: Date.now(),
  });
  const nodes = new Map<string, LinkNode>([["", make("directory")]]);
  const parentOf = (path: string) => path.slice(0, Math.max(0, path.lastIndexOf("/")));
  const set = (node: LinkNode, { permissions, modifiedAtMs }: DriverAttributes) => {
    node.mode = permissions ?? node.mode;
    node.modifiedAtMs = modifiedAtMs ?? node.modifiedAtMs;
  };
  return {
    name: "links",
    stores: ["links", "modes", "times"],
    stat(path) {
      const node = nodes.get(path);
      return node && { ...node, sizeBytes: node.bytes.length };
    },
    list: (path) =>
      [...nodes]
        .filter(([key]) => key !== "" && parentOf(key) === path)
        .map(([key, { kind, bytes, mode, modifiedAtMs }]) => ({
          name: key.slice(key.lastIndexOf("/") + 1),
          kind,
          sizeBytes: bytes.length,
          mode,
          modifiedAtMs,
        })),
    read: (path, offset, length) =>
      nodes.get(path)?.bytes.slice(offset, offset + length) ?? new Uint8Array(),
    write(path, bytes, mode, options) {
      const before = nodes.get(path);
      if (mode === "create" && before)
        throw new FilesystemError("EEXIST", { operation: "write", path });
      const kept = mode === "append" && before ? before.bytes : new Uint8Array();
      const node = make(options.kind ?? "file", concatBytes([kept, bytes]));
      if (before) node.mode = before.mode;
      if (before && mode === "append" && bytes.length === 0)
        node.modifiedAtMs = before.modifiedAtMs;
      const { executable } = options;
      if (executable !== undefined)
        node.mode = executable ? node.mode | ((node.mode & 0o444) >> 2) : node.mode & ~0o111;
      set(node, options);
      nodes.set(path, node);
    },
    mkdir(path, options) {
      const node = nodes.get(path) ?? make("directory");
      set(node, options);
      nodes.set(path, node);
    },
    remove: (path) => void nodes.delete(path),
  };
}

/** The same driver with slow, asynchronous methods. */
export function slowDriver(driver: FilesystemDriver): FilesystemDriver {
  let calls = 0;
  const later = async <T>(answer: () => T): Promise<Awaited<T>> => {
    // One or two turns of the event loop, so that results arrive out of order.
    for (let turns = (calls++ % 2) + 1; turns > 0; turns--)
      await new Promise((resolve) => setImmediate(resolve));
    return await answer();
  };
  return {
    name: `slow ${driver.name}`,
    stores: driver.stores,
    stat: (path, options) => later(() => driver.stat(path, options)),
    list: (path, options) => later(() => driver.list(path, options)),
    read: (path, offset, length, options) =>
      later(() => driver.read(path, offset, length, options)),
    write: (path, bytes, mode, options) => later(() => driver.write(path, bytes, mode, options)),
    mkdir: (path, options) => later(() => driver.mkdir(path, options)),
    remove: (path, options) => later(() => driver.remove(path, options)),
  };
}

function describe(node: MapNode): DriverStat {
  if (node === "directory") return { kind: "directory", sizeBytes: 0 };
  const { bytes, executable } = node;
  return { kind: "file", sizeBytes: bytes.length, mode: executable ? 0o755 : 0o644 };
}
