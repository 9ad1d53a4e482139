import { type DeepAgentsBackend, toDeepAgentsBackend } from "@wink/adapters/deepagents";
import { HostFilesystem } from "@wink/filesystem/host";

/**
 * Replaces deepagents' `FilesystemBackend` in its own tests: the same constructor, over a WINK host filesystem. Without
 * `virtualMode`, paths of the machine below the root are accepted, which is the mount point.
 */
export class FilesystemBackend implements DeepAgentsBackend {
  readonly #backend: Promise<DeepAgentsBackend>;

  constructor({ rootDir = ".", virtualMode = false }: { rootDir?: string; virtualMode?: boolean }) {
    const options = virtualMode ? {} : { mountPoint: rootDir };
    this.#backend = HostFilesystem.open(rootDir, options).then(toDeepAgentsBackend);
  }

  async ls(path: string) {
    return await (await this.#backend).ls(path);
  }
  async read(path: string, offset?: number, limit?: number) {
    return await (await this.#backend).read(path, offset, limit);
  }
  async readRaw(path: string) {
    return await (await this.#backend).readRaw(path);
  }
  async write(path: string, content: string) {
    return await (await this.#backend).write(path, content);
  }
  async edit(path: string, from: string, to: string, all?: boolean) {
    return await (await this.#backend).edit(path, from, to, all);
  }
  async grep(
    pattern: string,
    path?: string | null,
    glob?: string | null,
    maxCount?: number | null,
  ) {
    return await (await this.#backend).grep(pattern, path, glob, maxCount);
  }
  async glob(pattern: string, path?: string) {
    return await (await this.#backend).glob(pattern, path);
  }
  async delete(path: string) {
    return await (await this.#backend).delete(path);
  }
  async uploadFiles(files: [string, Uint8Array][]) {
    return await (await this.#backend).uploadFiles(files);
  }
  async downloadFiles(paths: string[]) {
    return await (await this.#backend).downloadFiles(paths);
  }
}
