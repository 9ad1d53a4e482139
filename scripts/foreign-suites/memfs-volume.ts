import { createFilesystem } from "@wink/filesystem";
import { toNodeFs } from "@wink/filesystem/node-fs";
import { memoryDriver } from "../../packages/filesystem/src/memory/memory-driver.js";
import { MemoryTree } from "../../packages/filesystem/src/memory/memory-tree.js";
import { NodeDirectory } from "../../packages/filesystem/src/node-fs/node-directory.js";
import { NodeFileHandle } from "../../packages/filesystem/src/node-fs/node-file-handle.js";
import { NodeStats } from "../../packages/filesystem/src/node-fs/node-stats.js";

import type { VirtualPath } from "../../packages/filesystem/src/path/virtual-path.js";

export { NodeDirectory as Dir };

/**
 * Replaces memfs' `Volume` in its tests of promises. The tests prepare files and look at the result with synchronous
 * calls, so these go to the driver in memory, which answers synchronously.
 */
export class Volume {
  readonly promises;
  readonly #driver;

  constructor() {
    this.#driver = memoryDriver(new MemoryTree(Date.now()), Date.now);
    const filesystem = createFilesystem(this.#driver, { mountPoint: "/" });
    this.promises = Object.assign(toNodeFs(filesystem), { FileHandle: NodeFileHandle });
  }

  static fromJSON(files: Readonly<Record<string, string | null>>): Volume {
    const volume = new Volume();
    volume.fromJSON(files);
    return volume;
  }

  fromJSON(files: Readonly<Record<string, string | null>>): void {
    for (const [path, content] of Object.entries(files)) {
      const parents = path.split("/").slice(1, -1);
      for (const [index] of parents.entries())
        this.mkdirSync(`/${parents.slice(0, index + 1).join("/")}`);
      if (content === null) this.mkdirSync(path);
      else this.writeFileSync(path, content);
    }
  }

  toJSON(): Record<string, string> {
    const files: Record<string, string> = {};
    const visit = (directory: string) => {
      for (const { name, kind } of this.#driver.list(
        below(directory || "/"),
        {},
      ) as never as Entry[])
        if (kind === "directory") visit(`${directory}/${name}`);
        else files[`${directory}/${name}`] = this.readFileSync(`${directory}/${name}`).toString();
    };
    visit("");
    return files;
  }

  mkdirSync(path: string): void {
    void this.#driver.mkdir(below(path), {});
  }
  writeFileSync(path: string, content: string): void {
    void this.#driver.write(below(path), Buffer.from(content), "overwrite", {});
  }
  symlinkSync(target: string, path: string): void {
    void this.#driver.write(below(path), Buffer.from(target), "create", { kind: "symlink" });
  }
  existsSync(path: string): boolean {
    return this.#driver.stat(below(path), {}) !== undefined;
  }
  readFileSync(path: string): Buffer {
    const bytes = this.#driver.read(below(path), 0, Number.MAX_SAFE_INTEGER, {});
    return Buffer.from(bytes as Uint8Array);
  }
  statSync(path: string): NodeStats {
    return this.lstatSync(path);
  }
  lstatSync(path: string): NodeStats {
    const stat = this.#driver.stat(below(path), {}) as Stat | undefined;
    if (stat === undefined) throw new Error(`ENOENT: no such file or directory, stat '${path}'`);
    const { kind, sizeBytes = 0, mode = 0o644, modifiedAtMs = 0 } = stat;
    return new NodeStats({
      ...{ path, kind, sizeBytes, mode, identity: path, revision: undefined },
      ...{ isFile: kind === "file", isDirectory: kind === "directory", createdAt: undefined },
      modifiedAt: new Date(modifiedAtMs).toISOString(),
    });
  }
}

interface Entry {
  readonly name: string;
  readonly kind: string;
}

interface Stat {
  readonly kind: "file" | "directory" | "symlink";
  readonly sizeBytes?: number;
  readonly mode?: number;
  readonly modifiedAtMs?: number;
}

/** The path as drivers take it. The tests use plain absolute paths. */
function below(path: string): VirtualPath {
  return path.replace(/^\//, "") as VirtualPath;
}
