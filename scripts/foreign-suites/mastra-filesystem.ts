import { toMastraFilesystem } from "@wink/adapters/mastra";
import { HostFilesystem } from "@wink/filesystem/host";

type Mastra = ReturnType<typeof toMastraFilesystem>;

/** Replaces Mastra's `LocalFilesystem` in the tests of its tools: the same constructor, over a WINK host filesystem. */
export class LocalFilesystem {
  readonly id = "wink";
  readonly name = "WinkFilesystem";
  readonly provider = "wink";
  readonly status = "ready";
  readonly readOnly: boolean;
  readonly basePath: string;
  readonly #files: Promise<Mastra>;

  constructor({ basePath, readOnly = false }: { basePath: string; readOnly?: boolean }) {
    this.readOnly = readOnly;
    this.basePath = basePath;
    this.#files = HostFilesystem.open(basePath, { readOnly }).then((files) =>
      toMastraFilesystem(files),
    );
  }

  resolveAbsolutePath(): undefined {
    return undefined;
  }
  async readFile(...args: Parameters<Mastra["readFile"]>) {
    return await (await this.#files).readFile(...args);
  }
  async writeFile(...args: Parameters<Mastra["writeFile"]>) {
    await (await this.#files).writeFile(...args);
  }
  async appendFile(...args: Parameters<Mastra["appendFile"]>) {
    await (await this.#files).appendFile(...args);
  }
  async deleteFile(...args: Parameters<Mastra["deleteFile"]>) {
    await (await this.#files).deleteFile(...args);
  }
  async copyFile(...args: Parameters<Mastra["copyFile"]>) {
    await (await this.#files).copyFile(...args);
  }
  async moveFile(...args: Parameters<Mastra["moveFile"]>) {
    await (await this.#files).moveFile(...args);
  }
  async mkdir(...args: Parameters<Mastra["mkdir"]>) {
    await (await this.#files).mkdir(...args);
  }
  async rmdir(...args: Parameters<Mastra["rmdir"]>) {
    await (await this.#files).rmdir(...args);
  }
  async readdir(...args: Parameters<Mastra["readdir"]>) {
    return await (await this.#files).readdir(...args);
  }
  async exists(path: string) {
    return await (await this.#files).exists(path);
  }
  async stat(path: string) {
    return await (await this.#files).stat(path);
  }
  async realpath(path: string) {
    return await (await this.#files).realpath(path);
  }
}
