import { closeSync, mkdirSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { TreeEntry, VirtualPath } from "@wink/filesystem";
import { removeHostTreeNow, type StagedFiles, tolerating } from "@wink/filesystem/host";
import { fileParts, writeParts } from "../apply/host-state.js";

/** The files of the user's directory that changed: small ones in memory, large ones in a private directory. */
export class IncomingFiles {
  readonly #directory: string;
  #count = 0;

  /** @param directory is used by one process at a time, and emptied first, because a killed one may have left files. */
  constructor(directory: string) {
    this.#directory = directory;
    this.#remove();
  }

  /** Returns a sink for a walk of the directory. It adds each file to `read`. */
  sink(read: Map<VirtualPath, TreeEntry>): StagedFiles {
    return {
      directory() {},
      file(path, bytes, { mode = 0o644, modifiedAtMs }) {
        read.set(path, { ...fileEntry(path, bytes, (mode & 0o100) !== 0), mode, modifiedAtMs });
      },
      large: (path, parts, { mode = 0o644, modifiedAtMs }) => {
        const copy = join(this.#directory, `${this.#count++}`);
        const sizeBytes = this.#write(copy, parts);
        if (sizeBytes === undefined) return false;
        const about = { kind: "file", executable: (mode & 0o100) !== 0, contentId: "" } as const;
        const content = { sizeBytes, read: () => readFileSync(copy), parts: () => fileParts(copy) };
        read.set(path, { path, ...about, mode, modifiedAtMs, ...content });
        return true;
      },
      link(path, bytes, { modifiedAtMs }) {
        read.set(path, { ...fileEntry(path, bytes, false), kind: "symlink", modifiedAtMs });
      },
      async commit() {},
      async discard() {},
    };
  }

  [Symbol.dispose](): void {
    if (this.#count > 0) this.#remove();
  }

  /** Returns the size; `undefined` if the file changed while it was read. */
  #write(copy: string, parts: Generator<Uint8Array, boolean, void>): number | undefined {
    mkdirSync(this.#directory, { recursive: true, mode: 0o700 });
    const fd = openSync(copy, "wx", 0o600);
    try {
      let sizeBytes = 0;
      let part = parts.next();
      for (; !part.done; part = parts.next()) {
        writeParts(fd, [part.value]);
        sizeBytes += part.value.length;
      }
      return part.value ? sizeBytes : undefined;
    } finally {
      closeSync(fd);
    }
  }

  #remove(): void {
    tolerating(["ENOENT"], () => removeHostTreeNow(this.#directory), undefined);
  }
}

export function fileEntry(path: VirtualPath, bytes: Uint8Array, executable: boolean): TreeEntry {
  const sizeBytes = bytes.length;
  return { path, kind: "file", executable, sizeBytes, contentId: "", read: () => bytes };
}
