import type { NodeDirent } from "./node-stats.js";

/** `Dir` of `node:fs`: the entries of a directory at the time it was opened. */
export class NodeDirectory implements AsyncIterable<NodeDirent>, AsyncDisposable {
  readonly path: string;
  readonly #entries: NodeDirent[];

  constructor(path: string, entries: readonly NodeDirent[]) {
    this.path = path;
    this.#entries = [...entries];
  }

  async read(): Promise<NodeDirent | null> {
    return this.#entries.shift() ?? null;
  }

  async close(): Promise<void> {
    this.#entries.length = 0;
  }

  async *[Symbol.asyncIterator](): AsyncIterator<NodeDirent> {
    for (let entry = await this.read(); entry !== null; entry = await this.read()) yield entry;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}
