import { fromBase64 } from "../model/view-content.js";
import { PAGE_FORMAT, PAGE_VERSION, type PageManifest } from "./page-format.js";
import { SourceError } from "./source-error.js";

/** Decoded chunks that stay in memory. */
const MAX_CACHED = 64;

/** The texts of the data elements of a page. */
export interface PageElements {
  /** The base64 text of a chunk, or of the manifest. `undefined` if the page does not have it. */
  text(name: string): string | undefined;
}

/** The data elements of a document. */
export function elementsOf(document: Pick<Document, "querySelector">): PageElements {
  return {
    text: (name) => document.querySelector(`script[data-wink="${name}"]`)?.textContent ?? undefined,
  };
}

/** The chunks of an exported page, decoded when they are needed. */
export class PageChunks {
  readonly #elements: PageElements;
  readonly #cache = new Map<string, Promise<unknown>>();

  constructor(elements: PageElements) {
    this.#elements = elements;
  }

  /** `undefined` if the page has no data. Rejects with `MISSING` for data of a newer version. */
  async manifest(): Promise<PageManifest | undefined> {
    if (this.#elements.text("manifest") === undefined) return undefined;
    const manifest = (await this.json("manifest")) as PageManifest;
    if (manifest?.format === PAGE_FORMAT && manifest.version === PAGE_VERSION) return manifest;
    throw new SourceError(
      "MISSING",
      `This page has data of version ${manifest?.version}. Its program reads ${PAGE_VERSION}.`,
    );
  }

  json(chunk: number | "manifest"): Promise<unknown> {
    return this.#cached(`j${chunk}`, async () =>
      JSON.parse(new TextDecoder().decode(await this.#decode(chunk))),
    );
  }

  bytes(chunk: number): Promise<Uint8Array> {
    return this.#cached(`b${chunk}`, () => this.#decode(chunk));
  }

  #cached<T>(key: string, read: () => Promise<T>): Promise<T> {
    // Each key is read with one type.
    const known = this.#cache.get(key) as Promise<T> | undefined;
    const value = known ?? read();
    // The newest is last.
    this.#cache.delete(key);
    this.#cache.set(key, value);
    const [oldest] = this.#cache.keys();
    if (this.#cache.size > MAX_CACHED && oldest !== undefined) this.#cache.delete(oldest);
    return value;
  }

  async #decode(chunk: number | "manifest"): Promise<Uint8Array> {
    const text = this.#elements.text(`${chunk}`);
    if (text === undefined)
      throw new SourceError("MISSING", `This page is incomplete: chunk ${chunk}.`);
    const packed = new Blob([fromBase64(text.trim())]).stream();
    const unpacked = packed.pipeThrough(new DecompressionStream("gzip"));
    return new Uint8Array(await new Response(unpacked).arrayBuffer());
  }
}
